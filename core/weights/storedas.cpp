// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/storedas.h"

namespace kv {

using namespace checked;

Bytes StoredAs::bytes(std::int64_t rows, std::int64_t columns) const {
    std::int64_t all = mul(bits, mul(rows, columns));
    if (scaleBits > 0) {
        const std::int64_t down = blockRows > 0 ? ceilDiv(rows, blockRows) : 1;
        const std::int64_t across = blockColumns > 0 ? ceilDiv(columns, blockColumns) : 1;
        all = add(all, mul(scaleBits, mul(down, across)));
    }
    return Bytes(add(ceilDiv(all, 8), add(tensorBytes, mul(columnBytes, columns))));
}

Bytes StoredAs::bytes(std::int64_t elements) const {
    const std::int64_t block = mul(blockRows, blockColumns);
    const std::int64_t blocks = scaleBits > 0 && block > 0 ? ceilDiv(elements, block) : 0;
    return Bytes(ceilDiv(add(mul(bits, elements), mul(scaleBits, blocks)), 8));
}

} // namespace kv
