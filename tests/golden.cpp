// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded.h"
#include "core/base/version.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

int checkEmbedded() {
    std::string_view previous;
    for (const kv::EmbeddedFile &file : kv::embeddedFiles()) {
        if (file.content.empty() || file.path <= previous) {
            std::fprintf(stderr, "empty, or out of order: %s\n", std::string(file.path).c_str());
            return 1;
        }
        previous = file.path;
    }
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "embedded")
        return checkEmbedded();
    if (what == "version")
        return kv::version().empty() ? 1 : 0;
    std::fputs("usage: kv_golden embedded|version\n", stderr);
    return 2;
}
