// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tensors of a model as counting lists them: what each is for, its shape, its name, and whether quantisation touches it.
//
// Names follow the checkpoints of the Hub: below "model.layers.N." a block and a module ("self_attn" + "q_proj"), because the lists of
// quantised checkpoints name what they leave out by them. Equal tensors of one layer are one entry with `copies` (experts), named by the first.
// The small vectors of a layer (norms, biases) are joined: nothing quantises them.

#include "core/weights/weightspec.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

/// Which of the model's parts a name stands below: a pattern for one must not match another.
enum class Trunk : std::uint8_t { Layers, Draft, Outside };

struct Tensor {
    WeightPartKind kind{};
    bool sixteenBit = false; ///< no scheme makes it smaller
    std::string_view block;  ///< "self_attn"
    std::string_view module; ///< "q_proj"
    std::int64_t rows = 0;   ///< outputs
    std::int64_t columns = 1; ///< inputs; 1: a vector
    std::int64_t copies = 1;

    std::int64_t elements() const { return checked::mul(copies, checked::mul(rows, columns)); }
    /// "self_attn.q_proj"
    std::string name() const;
};

class TensorList {
public:
    TensorList() { m_tensors.reserve(20); }

    void matrix(WeightPartKind kind, std::string_view block, std::string_view module, std::int64_t rows, std::int64_t columns,
                std::int64_t copies = 1) {
        add({kind, false, block, module, rows, columns, copies});
    }
    /// A matrix that stays 16 bit in every scheme: routers, gates of one number, convolutions.
    void fine(WeightPartKind kind, std::string_view block, std::string_view module, std::int64_t rows, std::int64_t columns) {
        add({kind, true, block, module, rows, columns, 1});
    }
    /// Norms, biases and other small vectors.
    void vectors(WeightPartKind kind, std::int64_t elements) { add({kind, true, {}, {}, elements, 1, 1}); }
    void vectors(std::int64_t elements) { vectors(WeightPartKind::Norms, elements); }

    const std::vector<Tensor> &items() const { return m_tensors; }
    std::vector<Tensor> &items() { return m_tensors; }

private:
    void add(const Tensor &tensor) {
        if (tensor.rows != 0 && tensor.columns != 0 && tensor.copies != 0)
            m_tensors.push_back(tensor);
    }

    std::vector<Tensor> m_tensors;
};

} // namespace kv
