// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/parameters.h"

#include "core/model/defaults.h"
#include "core/model/wholevalue.h"
#include "core/weights/checkpoint.h"
#include "core/weights/counting.h"
#include "core/weights/partsums.h"
#include "core/weights/querygroup.h"

#include <algorithm>
#include <array>

namespace kv {

using namespace checked;

namespace {

/// Types of one family under other names.
std::string_view familyName(std::string_view type) {
    if (type == "RefinedWeb" || type == "RefinedWebModel")
        return "falcon";
    if (type == "phi-msft")
        return "phi";
    if (type == "deepseek_vl_v2")
        return "deepseek_v2";
    if (type == "fuyu")
        return "persimmon";
    return type;
}

std::string typeOf(const Json &config) {
    const Json *type = config.find("model_type");
    return type && type->isString() ? type->text() : std::string();
}

const WeightFamily *familyOf(const ModelSpec &spec) {
    const std::string_view name = familyName(spec.modelType);
    if (const WeightFamily *family = findWeightFamily(name))
        return family;
    if (const WeightFamily *family = findWeightFamily(std::string(name) + "_text"))
        return family;
    return nullptr;
}

bool isTied(const Json &root, const ModelSpec &spec, const WeightFamily &family, const WeightFields &fields) {
    const bool told = fields.told("tie_word_embeddings") || root.find("tie_word_embeddings");
    return spec.tiedEmbeddings || (!told && family.tiedWithoutKey);
}

/// Parts of keys that tell of something beside the usual decoder.
constexpr std::array<std::string_view, 14> unusualKeys{"altup", "laurel",  "per_layer", "lora_rank", "expert", "moe",     "mamba",
                                                       "ssm",   "conv",    "rwkv",      "residual_", "latent", "block_configs", "cross_attention_layers"};

/// Others stand in feed-forwards with a gate and without one: which of them, no key says.
bool isGateActivation(const WeightFields &fields) {
    static constexpr std::array<std::string_view, 5> usual{"", "silu", "swish", "swiglu", "gelu_pytorch_tanh"};
    for (const std::string_view key : {"hidden_act", "hidden_activation", "activation_function"})
        if (std::ranges::find(usual, fields.word(key)) == usual.end())
            return false;
    return true;
}

/// An unknown family is counted as the usual decoder only where the config gives every size of it and nothing that it does not have.
bool looksUsual(const ModelSpec &spec, const WeightFields &fields) {
    for (const std::string_view key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"}) {
        const Json *size = fields.told(key);
        if (!size || !wholeValue(*size))
            return false;
    }
    if (!isGateActivation(fields))
        return false;
    for (const Json::Member &member : fields.part().members())
        for (const std::string_view part : unusualKeys)
            if (member.first.find(part) != std::string::npos && wholeNumber(member.second).value_or(1) > 0 && !member.second.isNull() &&
                !(member.second.isBool() && !member.second.boolean()))
                return false;
    const auto usual = [](const LayerShape &shape) {
        return shape.parts.size() == 1 && (kindOf(shape.parts.front()) == CacheKind::Full || kindOf(shape.parts.front()) == CacheKind::Window);
    };
    return std::ranges::all_of(spec.shapes, usual);
}

class Counter {
public:
    Counter(std::span<const Json *const> chain, const ModelSpec &spec, const WeightFamily &family, WeightFields &fields,
            const StoragePlan &plan)
        : m_plan(plan), m_fields(fields), m_counting{chain, *chain.front(), spec, family, fields, {}, spec.hidden} {}

    /// False when a block is not known; a key that is missing is remembered by the fields.
    bool count();
    WeightSpec take();
    bool towersKnown() const { return m_towersKnown; }

private:
    void addOutside();
    void addTowers();
    void addDraft(const std::vector<LayerForm> &forms);
    bool addLayers(const std::vector<LayerForm> &forms);
    void noteRows(const std::vector<LayerForm> &forms);
    void noteLinear(const TensorList &list);

    const StoragePlan &m_plan;
    WeightFields &m_fields;
    Counting m_counting;
    PartJoiner m_joiner;
    bool m_towersKnown = true;
    RowLengths m_rows;
    LinearElements m_linear;
    DraftElements m_draft;
    std::int64_t m_inactive = 0; ///< elements of experts that a token does not use
};

void Counter::addOutside() {
    const Counting &c = m_counting;
    const WeightFamily &f = c.family;
    const std::int64_t vocabulary = m_fields.need({"padded_vocab_size", "vocab_size", "embedding_size"});
    const std::int64_t width = f.embeddingWidth.empty() ? c.hidden : m_fields.number({f.embeddingWidth}, c.hidden);
    TensorList list;
    using enum WeightPartKind;
    list.fine(Embedding, "", "embed_tokens", add(vocabulary, f.moreRows), width);
    if (width != c.hidden) // one matrix in, one out
        list.fine(Embedding, "", "project_in", mul(2, c.hidden), width);
    if (!f.positions.empty())
        list.fine(Embedding, "", "embed_positions", add(m_fields.need({f.positions}), f.morePositions), c.hidden);
    if (!isTied(c.root, c.spec, f, m_fields))
        list.fine(Head, "", "lm_head", vocabulary, width);
    if (f.headBias)
        list.vectors(Head, vocabulary);
    if (f.exitGate)
        list.vectors(Head, add(c.hidden, 1));
    if (f.finalNorm && m_fields.flag("do_layer_norm_before", true))
        list.vectors(FinalNorm, mul(f.normBias ? 2 : 1, c.hidden));
    if (f.embeddingNorm)
        list.vectors(FinalNorm, mul(f.normBias ? 2 : 1, c.hidden));
    if (f.special == WeightSpecial::Gemma4) { // the first layer makes the inputs of all
        TensorList inputs;
        addPerLayerEmbedding(inputs, c);
        m_joiner.add(0, sumTensors(inputs.items(), m_plan, Trunk::Outside, -1));
    }
    if (f.special == WeightSpecial::DeepSeekV4)
        list.vectors(FinalNorm, hyperHeadElements(c));
    if (f.special == WeightSpecial::Whisper)
        addWhisperEncoder(list, m_counting);
    m_joiner.add(-1, sumTensors(list.items(), m_plan, Trunk::Outside, -1));
}

void Counter::addTowers() {
    const std::int64_t towers = towerElements(m_counting, m_towersKnown);
    if (towers == 0)
        return;
    TensorList list;
    list.vectors(WeightPartKind::Vision, towers);
    m_joiner.add(-1, sumTensors(list.items(), m_plan, Trunk::Outside, -1));
}

bool Counter::addLayers(const std::vector<LayerForm> &forms) {
    std::vector<LayerForm> known;
    std::vector<LayerPricing> prices;
    const ExpertShape &e = m_counting.experts;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        auto at = static_cast<std::size_t>(std::ranges::find(known, forms[i]) - known.begin());
        if (at == known.size()) {
            TensorList list;
            if (!addLayer(list, m_counting, forms[i]))
                return false;
            noteLinear(list);
            known.push_back(forms[i]);
            prices.emplace_back(std::move(list.items()), m_plan);
        }
        const LayerSums &sums = prices[at].sums(static_cast<std::int64_t>(i));
        m_joiner.add(static_cast<std::int64_t>(i), sums);
        if (forms[i].feedForward != FeedForwardForm::Experts)
            continue;
        for (const PartSum &sum : sums)
            if (sum.kind == WeightPartKind::Experts)
                m_inactive = add(m_inactive, mul(sum.elements / e.count, e.count - e.active));
    }
    return true;
}

void Counter::addDraft(const std::vector<LayerForm> &forms) {
    DraftLayers draft = draftLayers(m_counting, forms);
    m_draft = draft.elements;
    const Trunk trunk = draft.ownTrunk ? Trunk::Draft : Trunk::Layers;
    for (std::int64_t i = 0; i < draft.count; ++i) {
        const std::int64_t layer = draft.ownTrunk ? i : m_counting.spec.layerCount() + i;
        m_joiner.add(-1, sumTensors(draft.tensors.items(), m_plan, trunk, layer));
    }
}

void Counter::noteRows(const std::vector<LayerForm> &forms) {
    std::vector<std::int64_t> widths, joined;
    for (const LayerForm &form : forms) {
        if (form.width > 0)
            widths.push_back(form.width);
        for (const CachePart &part : m_counting.spec.shapes[form.shape].parts)
            if (const auto *full = std::get_if<FullAttention>(&part))
                joined.push_back(mul(m_counting.spec.queryHeads, full->heads.valueSize));
            else if (const auto *window = std::get_if<SlidingWindow>(&part))
                joined.push_back(mul(m_counting.spec.queryHeads, window->heads.valueSize));
    }
    const auto alike = [](const std::vector<std::int64_t> &all) { return !all.empty() && std::ranges::count(all, all.front()) == std::ssize(all) ? all.front() : 0; };
    m_rows = {m_counting.hidden, alike(joined), alike(widths)};
}

void Counter::noteLinear(const TensorList &list) {
    LinearElements sums;
    for (const Tensor &tensor : list.items())
        if (tensor.block == "linear_attn" && tensor.module == "in_proj_qkv")
            sums.mixed = tensor.elements();
        else if (tensor.block == "linear_attn" && (tensor.module == "in_proj_a" || tensor.module == "in_proj_b"))
            sums.gates = add(sums.gates, tensor.elements());
    if (sums.mixed > 0)
        m_linear = sums;
}

bool Counter::count() {
    if (m_counting.family.special == WeightSpecial::Bert) {
        TensorList list;
        addBertModel(list, m_counting);
        m_joiner.add(-1, sumTensors(list.items(), m_plan, Trunk::Outside, -1));
        return true;
    }
    if (m_counting.hidden <= 0)
        m_fields.missing("hidden_size");
    m_counting.experts = readExperts(m_counting);
    const std::vector<LayerForm> forms = layerForms(m_counting);
    if (!addLayers(forms))
        return false;
    noteRows(forms);
    addDraft(forms);
    addOutside();
    addTowers();
    return true;
}

WeightSpec Counter::take() {
    WeightSpec spec;
    spec.parts = m_joiner.take();
    for (const WeightPart &part : spec.parts) {
        spec.allElements = add(spec.allElements, part.elements);
        spec.stored += part.stored;
        if (part.kind != WeightPartKind::Draft && part.kind != WeightPartKind::Vision)
            spec.parameters = add(spec.parameters, part.elements);
    }
    spec.activeParameters = sub(spec.parameters, m_inactive);
    spec.family = m_counting.family.modelType;
    spec.gated = m_counting.family.gated;
    spec.experts = m_counting.experts.count;
    spec.expertWidth = m_counting.experts.width;
    spec.rows = m_rows;
    spec.linear = m_linear;
    spec.draft = m_draft;
    spec.scheme = m_plan.scheme;
    spec.source = m_plan.known ? WeightSource::CountedFromConfig : WeightSource::Unknown;
    return spec;
}

WeightSpec unknown(const StoragePlan &plan, Notes &notes, std::string where, const std::string &why) {
    notes.push_back(infoNote("weights-unknown", std::move(where), "weights cannot be counted: " + why));
    WeightSpec spec;
    spec.scheme = plan.scheme;
    return spec;
}

WeightSpec counted(std::span<const Json *const> chain, const ModelSpec &spec, Notes &notes) {
    const Json &root = *chain.front();
    const ClassDefaults *defaults = classDefaults(spec.modelType);
    WeightFields fields(*chain.back(), defaults ? defaults->values : nullptr, chain.size() > 1);
    const StoragePlan plan = readStorage(chain, spec.dtype, notes);
    static constexpr WeightFamily usual{};
    const WeightFamily *family = familyOf(spec);
    if (!family && !looksUsual(spec, fields))
        return unknown(plan, notes, "model_type", "the layers of \"" + spec.modelType + "\" are not known here");
    if (!family)
        family = &usual;

    Counter counter(chain, spec, *family, fields, plan);
    const bool known = counter.count();
    if (!fields.missing().empty())
        return unknown(plan, notes, fields.missing(), fields.missing() + " is missing");
    if (!known)
        return unknown(plan, notes, "model_type", "\"" + spec.modelType + "\" has a block whose weights are not known here");
    WeightSpec weights = counter.take();
    if (weights.parameters == outOfRangeValue || weights.allElements == outOfRangeValue || !weights.stored.inRange())
        return unknown(plan, notes, "", "their number is out of range");
    weights.checked = family->checked && counter.towersKnown();
    if (!counter.towersKnown())
        notes.push_back(warningNote("tower-not-counted", "model_type",
                                    "the weights of the tower that reads pictures or sound are not counted: \"" + typeOf(root) +
                                        "\" has one of a kind that is not known here"));
    else if (!weights.checked)
        notes.push_back(infoNote("weights-unchecked", "model_type",
                                 "the weights of \"" + spec.modelType + "\" are counted, not checked against a published checkpoint"));
    return weights;
}

} // namespace

WeightSpec countWeights(std::span<const Json *const> chain, const ModelSpec &spec, Notes &notes) {
    WeightSpec weights = counted(chain, spec, notes);
    weights.queryGroup = queryGroup(spec, weights.linear.mixed > 0);
    return weights;
}

} // namespace kv
