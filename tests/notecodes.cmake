# Holds the list of codes (core/base/notecodes.cpp, printed by kvplanner --help errors) against the sources: a code that is used stands in
# the list, and one that stands there is used.
#
#     cmake -DROOT=... -P notecodes.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE sources ${ROOT}/core/*.cpp ${ROOT}/core/*.h ${ROOT}/app/*.cpp ${ROOT}/ui/*.cpp)
list(FILTER sources EXCLUDE REGEX "/build/|notecodes\\.cpp$")
file(READ ${ROOT}/core/base/notecodes.cpp list)
string(REGEX MATCHALL "\n    {\"[a-z0-9-]+\"" rows "${list}")
string(REGEX REPLACE "\n    {\"([a-z0-9-]+)\"" "\\1" known "${rows}")

set(everything)
foreach(source IN LISTS sources)
    file(READ ${source} text)
    string(APPEND everything "${text}")
endforeach()
# Calls that take a code first: the makers of notes, and the short forms that the readers wrap around them.
string(REGEX MATCHALL "(Note|refuse|refused|warn)\\([ \n]*\"[a-z0-9][a-z0-9-]*\"" calls "${everything}")
string(REGEX REPLACE "[A-Za-z]+\\([ \n]*\"([a-z0-9-]+)\"" "\\1" used "${calls}")
list(REMOVE_DUPLICATES used)

set(faults 0)
foreach(code IN LISTS used)
    if(NOT code IN_LIST known)
        message("used, but not listed: ${code}")
        math(EXPR faults "${faults} + 1")
    endif()
endforeach()
foreach(code IN LISTS known)
    string(FIND "${everything}" "\"${code}\"" at)
    if(at EQUAL -1)
        message("listed, but not used: ${code}")
        math(EXPR faults "${faults} + 1")
    endif()
endforeach()
list(LENGTH used count)
if(faults GREATER 0 OR count LESS 20)
    message(FATAL_ERROR "${faults} faults in the list of codes, ${count} codes found in the sources")
endif()
