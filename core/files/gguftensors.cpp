// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/files/ggmltypes.h"
#include "core/files/ggufparse.h"
#include "core/files/shown.h"

#include <array>

namespace kv::gguf {

namespace {

constexpr std::uint64_t maxNameBytes = 63; // GGML_MAX_NAME, the closing NUL taken off
constexpr std::uint32_t maxDimensions = 4; // GGML_MAX_DIMS

struct Shape {
    std::uint32_t dimensions = 0;
    std::array<std::int64_t, maxDimensions> sizes{1, 1, 1, 1};
};

bool readName(Parse &parse, std::uint64_t number, std::string &name) {
    const std::string what = "the name of tensor " + writeNumber(static_cast<std::int64_t>(number));
    const std::uint64_t length = parse.in.u64();
    if (parse.in.failed() || length > static_cast<std::uint64_t>(parse.in.remaining()))
        return parse.cutOff(what);
    if (length > maxNameBytes)
        return parse.refuse("bad-tensor-name",
                            what + " is too long: " + std::to_string(length) + " bytes, 63 is the most");
    name = shown(parse.in.text(static_cast<std::size_t>(length)));
    return !parse.in.failed() || parse.cutOff(what);
}

bool readShape(Parse &parse, const std::string &name, Shape &shape) {
    shape.dimensions = parse.in.u32();
    if (parse.in.failed())
        return parse.cutOff("the dimension count of tensor " + name);
    if (shape.dimensions > maxDimensions)
        return parse.refuse("bad-shape", "tensor " + name + " has " + std::to_string(shape.dimensions) +
                                             " dimensions; 4 is the most");
    for (std::uint32_t d = 0; d < shape.dimensions; ++d) {
        shape.sizes[d] = static_cast<std::int64_t>(parse.in.u64());
        if (parse.in.failed())
            return parse.cutOff("the dimensions of tensor " + name);
        if (shape.sizes[d] < 0)
            return parse.refuse("bad-shape",
                                "tensor " + name + " has a negative dimension, " + writeNumber(shape.sizes[d]));
    }
    return true;
}

/// Elements and stored bytes from shape and type.
bool measure(Parse &parse, const Shape &shape, const GgmlType &type, GgufTensor &tensor) {
    tensor.elements = 1;
    for (const std::int64_t size : shape.sizes)
        tensor.elements = checked::mul(tensor.elements, size);
    const std::int64_t blocks = tensor.elements / type.blockElements;
    tensor.stored = Bytes(checked::mul(blocks, type.blockBytes));
    if (tensor.elements == outOfRangeValue || !tensor.stored.inRange())
        return parse.refuse("out-of-range",
                            "tensor " + tensor.name + " is too large: its dimensions multiplied overflow 64 bits");
    if (shape.sizes[0] % type.blockElements != 0)
        return parse.refuse("bad-shape", "tensor " + tensor.name + " has rows of " + writeNumber(shape.sizes[0]) +
                                             " numbers, which is no multiple of the " +
                                             std::to_string(type.blockElements) + " in a block of " +
                                             std::string(type.name));
    return true;
}

bool readType(Parse &parse, GgufTensor &tensor, const GgmlType *&type) {
    tensor.type = parse.in.u32();
    if (parse.in.failed())
        return parse.cutOff("the type of tensor " + tensor.name);
    type = ggmlType(tensor.type);
    if (type)
        return true;
    const std::string_view old = withdrawnGgmlType(tensor.type);
    const std::string number = std::to_string(tensor.type);
    return parse.refuse("unknown-type", old.empty()
                                            ? "tensor " + tensor.name + " has the unknown type " + number
                                            : "tensor " + tensor.name + " has type " + number + " (" +
                                                  std::string(old) + "), which was withdrawn: convert the model again");
}

/// The engine lays the tensors one behind the other, each at a multiple of the alignment, and takes nothing else.
bool checkOffset(Parse &parse, const GgufTensor &tensor, std::uint64_t offset, std::int64_t alignment,
                 std::int64_t expected) {
    if (offset == static_cast<std::uint64_t>(expected))
        return true;
    const std::string begins = "tensor " + tensor.name + " begins at offset " + std::to_string(offset);
    if (offset % static_cast<std::uint64_t>(alignment) != 0)
        return parse.refuse("bad-offset",
                            begins + ", which is no multiple of the alignment " + std::to_string(alignment));
    return parse.refuse("bad-offset", begins + "; by the sizes of the tensors before it that offset must be " +
                                          std::to_string(expected));
}

} // namespace

bool readTensors(Parse &parse, std::uint64_t count, std::int64_t alignment, std::vector<GgufTensor> &tensors,
                 std::int64_t &dataBytes) {
    tensors.reserve(static_cast<std::size_t>(count));
    std::int64_t next = 0;
    dataBytes = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        GgufTensor tensor;
        Shape shape;
        const GgmlType *type = nullptr;
        if (!readName(parse, i + 1, tensor.name) || !readShape(parse, tensor.name, shape) ||
            !readType(parse, tensor, type))
            return false;
        const std::uint64_t offset = parse.in.u64();
        if (parse.in.failed())
            return parse.cutOff("the offset of tensor " + tensor.name);
        if (!measure(parse, shape, *type, tensor) || !checkOffset(parse, tensor, offset, alignment, next))
            return false;
        dataBytes = checked::add(next, tensor.stored.value);
        next = checked::roundUp(dataBytes, alignment);
        if (next == outOfRangeValue)
            return parse.refuse("out-of-range",
                                "the tensors up to " + tensor.name + " have a size together that overflows 64 bits");
        tensors.push_back(std::move(tensor));
    }
    return true;
}

} // namespace kv::gguf
