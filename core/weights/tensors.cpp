// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/tensors.h"

namespace kv {

std::string Tensor::name() const {
    std::string result(block);
    if (!block.empty())
        result += '.';
    return result.append(module);
}

} // namespace kv
