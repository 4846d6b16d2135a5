// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The files that a pasted text writes before it starts a server, taken out of it:
//     cat > trt.yaml <<'EOF'          also cat <<EOF > trt.yaml, tee trt.yaml <<-EOF
//     …
//     EOF
// (POSIX.1-2017, Shell Command Language, 2.7.4 Here-Document.) Nothing is written and nothing in it is expanded.

#include "core/base/note.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

struct PastedText {
    std::vector<std::pair<std::string, std::string>> files; ///< name and text, in order
    std::string rest;                                       ///< the text without them

    /// The text of the last file of that name ("./a.yaml" is "a.yaml"), or nullptr.
    const std::string *find(std::string_view name) const;
};

/// Refused ("bad-launch-line"): a file without the line that ends it.
Parsed<PastedText> takeHeredocs(std::string_view text);

} // namespace kv
