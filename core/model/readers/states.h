// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The state of a recurrent layer, from the keys that a config has for it: Mamba 1 and 2, gated delta nets, Kimi delta attention, lightning
// attention, short convolutions, RG-LRU, RWKV, Jet-Nemotron's block. Which of them it is follows from the keys, so that a model under a
// name of its own is read as well; where no key tells, from its type.
//
// Convolutions keep kernel − 1 columns in the model's dtype. The recurrent part is kept in mamba_ssm_dtype or mamba_ssm_cache_dtype when given,
// else in the model's dtype; Kimi delta attention and RWKV always in FP32.
// Shapes: vLLM model_executor/layers/mamba/mamba_utils.py, MambaStateShapeCalculator and MambaStateDtypeCalculator.

#include "core/model/readers/layers.h"

namespace kv {

/// Nothing when refused; the notes say why.
std::optional<RecurrentState> readState(Reader &reader, const ModelShape &shape);

std::optional<RecurrentState> readMamba1(Reader &reader, std::int64_t hidden);
std::optional<RecurrentState> readMamba2(Reader &reader, std::int64_t hidden);
std::optional<RecurrentState> readDeltaNet(Reader &reader, const ModelShape &shape);
std::optional<RecurrentState> readKimiDelta(Reader &reader);
std::optional<RecurrentState> readShortConvolution(Reader &reader, std::int64_t hidden);
std::optional<RecurrentState> readLightning(Reader &reader, const ModelShape &shape);
std::optional<RecurrentState> readJetBlock(Reader &reader);
std::optional<RecurrentState> readRgLru(Reader &reader, std::int64_t hidden);
std::optional<RecurrentState> readRwkv(Reader &reader, std::int64_t hidden);

/// The dtype that the config hints for recurrent parts; Auto: none.
ElementType readStateType(Reader &reader);
/// Adds the facts of a state's two parts.
void addStateFacts(Reader &reader, const RecurrentState &state, std::string conv, std::string recurrent);

} // namespace kv
