// SPDX-License-Identifier: GPL-3.0-or-later
//
// Known answers, held against the library, without Qt.
//
//   kv_golden --embedded      the files that are compiled in: in order, none empty, each of them JSON
#include "core/base/embedded.h"
#include "core/base/json.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

using kv::Json;

int checkEmbedded() {
    int failed = 0;
    std::string_view previous;
    for (const kv::EmbeddedFile &file : kv::embeddedFiles()) {
        const std::string name(file.path);
        const kv::Parsed<Json> json = kv::parseJson(file.content, name);
        if (!json || file.path <= previous) {
            std::printf("%s: %s\n", name.c_str(), json ? "out of order" : kv::firstError(json.notes)->text.c_str());
            ++failed;
        }
        previous = file.path;
    }
    return kv::embeddedFiles().empty() ? 1 : failed;
}

} // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--embedded")
        return checkEmbedded() == 0 ? 0 : 1;
    std::fputs("usage: kv_golden --embedded\n", stderr);
    return 2;
}
