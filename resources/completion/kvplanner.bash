# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash: the program itself knows what may follow; where it offers nothing, files do.
_kvplanner() {
    local word=${COMP_WORDS[COMP_CWORD]}
    mapfile -t COMPREPLY < <(compgen -W "$(kvplanner complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$word")
}
complete -o default -o bashdefault -F _kvplanner kvplanner
