# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish: the program itself knows what may follow; files are offered beside it.
complete -c kvplanner -a '(kvplanner complete (commandline -opc)[2..-1] 2>/dev/null)'
