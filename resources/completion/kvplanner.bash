# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash: the program itself knows what may follow; where it offers nothing, files do. Of a word that is begun with a dash it is told the dash.
_kvplanner() {
    local word=${COMP_WORDS[COMP_CWORD]}
    local -a before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
    [[ $word == -* ]] && before+=(-)
    mapfile -t COMPREPLY < <(compgen -W "$(kvplanner complete "${before[@]}" 2>/dev/null)" -- "$word")
}
complete -o default -o bashdefault -F _kvplanner kvplanner
