// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A model of its own that drafts for the one that is served (option draft_model): a preset's id, or the path of whatever else names a
// model. Vocabularies must agree, or the engines do not start
// (vllm/config/speculative.py verify_equal_vocab_size_if_draft_model; llama.cpp common/speculative.cpp common_speculative_are_compatible).

#include "core/engine/engine.h"

namespace kv {

/// Reads it once for each name, from any thread; the notes' where is engine.options.draft_model. A fault is asked for again only after
/// a while, so that a slow disk is not read at every evaluation.
Parsed<std::shared_ptr<const ModelSpec>> draftModel(const std::string &name);

/// On the thread that calls this no file is read from here on: a model that is not known yet is refused as "draft-being-read", and
/// whoever planned has draftModel() called on another thread and plans again.
void readDraftModelsElsewhere();

/// The deployment of the draft model beside that of the served one: the same GPUs of one stage, its own weights, `types` for its cache.
Deployment draftDeployment(const Deployment &served, CacheTypes types);

/// Its weights on one GPU, cut as the served model's.
Bytes draftWeightsPerGpu(const Deployment &served);

} // namespace kv
