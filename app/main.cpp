// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include <cstdio>
#include <string>
#include <string_view>

int main(int argc, char** argv)
{
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::printf("kvplanner %s\n", std::string(kv::version()).c_str());
        return 0;
    }
    std::fputs("usage: kvplanner --version\n", stderr);
    return 2;
}
