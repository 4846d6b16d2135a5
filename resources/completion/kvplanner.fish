# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish: the program itself knows what may follow; files are offered beside it. Of a word that is begun with a dash it is told the dash.
complete -c kvplanner -a '(kvplanner complete (commandline -opc)[2..-1] (string match -r "^-" -- (commandline -ct)) 2>/dev/null)'
