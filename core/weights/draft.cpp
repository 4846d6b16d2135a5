// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layers of multi-token prediction, which checkpoints store beside the model: one decoder layer like the last of the stack, a projection
// of two hidden vectors to one, and three norms. DeepSeek stores the embedding and the head with it once more.
// Sources: deepseek-ai/DeepSeek-V3 README_WEIGHTS.md; the tensor names in GLM-5's quantization_config; vllm/model_executor/models/
// {deepseek_mtp,qwen3_next_mtp,mimo_mtp,ernie_mtp}.py.
#include "core/weights/counting.h"

#include <algorithm>

namespace kv {

using namespace checked;

namespace {

std::int64_t draftCount(const Counting &c) {
    if (c.family.draftNotStored)
        return 0;
    if (c.family.draftUnnamed)
        return c.fields.number({"mtp_num_hidden_layers"}, 1);
    return c.fields.number({"num_nextn_predict_layers", "num_mtp_layers", "_num_mtp_layers"}, 0);
}

/// Nemotron 3: the blocks of the draft as letters, each with the layer of the stack that is like it.
void addDraftBlocks(TensorList &list, const Counting &c, std::string_view blocks, const std::vector<LayerForm> &forms) {
    const auto isLike = [&c](const LayerForm &form, char letter) {
        const std::vector<CachePart> &parts = c.spec.shapes[form.shape].parts;
        if (letter == 'E' || letter == '-')
            return form.feedForward == (letter == 'E' ? FeedForwardForm::Experts : FeedForwardForm::Dense);
        return !parts.empty() && (kindOf(parts.front()) == CacheKind::State) == (letter == 'M');
    };
    for (const char letter : blocks)
        for (const LayerForm &form : forms)
            if (isLike(form, letter)) {
                addLayer(list, c, form);
                break;
            }
}

/// The form that the draft layer takes: the last layer of the stack that has full attention.
const LayerForm *draftForm(const Counting &c, const std::vector<LayerForm> &forms) {
    for (auto form = forms.rbegin(); form != forms.rend(); ++form) {
        const std::vector<CachePart> &parts = c.spec.shapes[form->shape].parts;
        if (!parts.empty() && kindOf(parts.front()) != CacheKind::State)
            return &*form;
    }
    return nullptr;
}

/// ERNIE 4.5: a dense decoder layer, with two norms of its own and none at its end.
bool isErnie(const Counting &c) { return c.family.modelType == "ernie4_5_moe"; }

LayerForm draftBlock(Counting &c, LayerForm form) {
    if (isErnie(c)) {
        form.feedForward = FeedForwardForm::Dense;
        form.width = denseWidth(c, 0);
    }
    return form;
}

/// Before they all count as a draft's.
DraftElements elementsOf(const TensorList &list) {
    DraftElements sums;
    const std::pair<std::string_view, std::int64_t *> kinds[]{{"q_proj", &sums.queries}, {"k_proj", &sums.keys}, {"v_proj", &sums.values}, {"o_proj", &sums.output}};
    std::int64_t widest = 0;
    for (const Tensor &tensor : list.items()) {
        if (tensor.sixteenBit) {
            sums.fine = add(sums.fine, tensor.elements());
        } else if (tensor.module.ends_with("down_proj")) {
            sums.down = add(sums.down, tensor.elements());
            if (tensor.elements() > widest) {
                widest = tensor.elements();
                sums.downRow = tensor.columns;
            }
        } else if (const auto kind = std::ranges::find(kinds, tensor.module, [](const auto &k) { return k.first; }); kind != std::end(kinds)) {
            *kind->second = add(*kind->second, tensor.elements());
        }
    }
    return sums;
}

} // namespace

DraftLayers draftLayers(Counting &c, const std::vector<LayerForm> &forms) {
    DraftLayers draft;
    const LayerForm *form = draftForm(c, forms);
    draft.count = form ? draftCount(c) : 0;
    if (draft.count == 0)
        return draft;
    draft.ownTrunk = c.family.draftUnnamed;
    if (const std::string_view blocks = c.fields.word("mtp_hybrid_override_pattern"); !blocks.empty())
        addDraftBlocks(draft.tensors, c, blocks, forms);
    else
        addLayer(draft.tensors, c, draftBlock(c, *form));
    draft.elements = elementsOf(draft.tensors);
    for (Tensor &tensor : draft.tensors.items())
        tensor.kind = WeightPartKind::Draft;
    using enum WeightPartKind;
    draft.tensors.fine(Draft, "", "eh_proj", c.hidden, mul(2, c.hidden));
    const std::int64_t norms = mul(isErnie(c) ? 2 : 3, c.hidden);
    draft.tensors.vectors(Draft, norms);
    draft.elements.fine = add(draft.elements.fine, norms);
    if (c.family.draftOwnEmbedding) {
        draft.tensors.fine(Draft, "", "embed_tokens", c.fields.need({"vocab_size"}), c.hidden);
        draft.tensors.fine(Draft, "", "shared_head.head", c.fields.need({"vocab_size"}), c.hidden);
    }
    return draft;
}

} // namespace kv
