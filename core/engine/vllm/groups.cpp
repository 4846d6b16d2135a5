// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/groups.h"

#include "core/base/quantity.h"
#include "core/engine/vllm/packed.h"

#include <algorithm>

namespace kv::vllm {

namespace {

/// Whether the specs are one type that needs equally many blocks (UniformTypeKVCacheSpecs.is_uniform_type).
bool oneType(const std::vector<Spec> &specs) {
    const Spec &first = specs.front();
    return std::ranges::all_of(specs, [&](const Spec &spec) {
        if (spec.blockSize != first.blockSize)
            return false;
        return keepsEveryToken(first.kind) ? keepsEveryToken(spec.kind)
                                           : spec.kind == first.kind && spec.limit == first.limit;
    });
}

bool has(const std::vector<Spec> &specs, SpecKind kind) {
    return std::ranges::any_of(specs, [&](const Spec &spec) { return spec.kind == kind; });
}

/// Drops specs that no layer uses and joins those that became equal.
void tidy(SpecList &list) {
    std::vector<Spec> kept;
    for (Registered &layer : list.layers) {
        const Spec &spec = list.specs[layer.spec];
        auto found = std::ranges::find(kept, spec);
        if (found == kept.end())
            found = kept.insert(kept.end(), spec);
        layer.spec = static_cast<std::uint16_t>(found - kept.begin());
    }
    list.specs = std::move(kept);
}

// unify_hybrid_kv_cache_specs: only where full attention stands beside windows or chunks.
std::optional<Note> switchManagerOff(SpecList &list, bool asked, Groups &out) {
    if (oneType(list.specs))
        return std::nullopt;
    const bool full = std::ranges::any_of(list.specs, [](const Spec &spec) { return keepsEveryToken(spec.kind); });
    const auto local = [](const Spec &spec) { return spec.kind == SpecKind::Window || spec.kind == SpecKind::Chunked; };
    if (full && std::ranges::any_of(list.specs, local)) {
        for (Spec &spec : list.specs)
            if (local(spec)) {
                spec.kind = SpecKind::Full;
                spec.limit = 0;
            }
        tidy(list);
        out.managerOff = true;
    }
    if (!asked || oneType(list.specs))
        return std::nullopt;
    constexpr const char *where = "engine.options.disable_hybrid_kv_cache_manager";
    return errorNote(
        "manager-needed", where,
        std::string(where) +
            ": vLLM does not start this model without the hybrid manager (its layers need unlike numbers of blocks: "
            "states, cross-attention or several windows); leave it on (false)");
}

void oneGroup(const SpecList &list, Groups &out) {
    const Spec &first = list.specs.front();
    Group group{.kind = first.kind,
                .blockSize = first.blockSize,
                .limit = first.limit,
                .layers = static_cast<std::int64_t>(list.layers.size())};
    group.onStage.assign(static_cast<std::size_t>(list.stages), 0);
    group.pages = group.onStage;
    for (const Registered &layer : list.layers) {
        ++group.onStage[layer.stage];
        group.pages[layer.stage] = checked::add(group.pages[layer.stage], list.specs[layer.spec].page);
    }
    const bool alike = std::ranges::all_of(list.specs, [&](const Spec &spec) { return spec.page == first.page; });
    out.layout = list.specs.size() == 1 ? Layout::Equal : Layout::Summed;
    out.page = alike ? first.page : 0;
    out.blockBytes = group.pages;
    out.list.push_back(std::move(group));
}

/// Makes all pages as large as the largest (unify_kv_cache_spec_page_size).
std::optional<Note> unifyPages(SpecList &list, const Settings &settings, Groups &out) {
    const std::int64_t largest = std::ranges::max_element(list.specs, {}, &Spec::page)->page;
    for (Spec &spec : list.specs) {
        if (spec.page == largest)
            continue;
        if (spec.kind == SpecKind::State) {
            spec.page = largest;
        } else if (spec.page > 0 && largest % spec.page == 0) {
            spec.blockSize = checked::mul(spec.blockSize, largest / spec.page);
            spec.page = largest;
        } else if (settings.rules().packedGroups) {
            spec.page = largest;
            out.padded = true;
        } else {
            return errorNote("pages-do-not-divide", "engine.options.block_size",
                             "The layers of this model have pages of " + writeNumber(spec.page) + " and " +
                                 writeNumber(largest) + " bytes, which do not divide: vLLM " +
                                 settings.release.written +
                                 " does not start it with these settings; try another tensor-parallel degree, another "
                                 "KV type, or version 0.28");
        }
    }
    return std::nullopt;
}

/// _get_kv_cache_groups_uniform_page_size, on buckets in the order of their first layer.
void dealBuckets(const SpecList &list, Groups &out) {
    std::vector<std::int64_t> sizes(list.specs.size(), 0);
    for (const Registered &layer : list.layers)
        ++sizes[layer.spec];
    const auto [least, most] = std::ranges::minmax(sizes);
    const std::int64_t groupSize = 2 * most < 3 * least ? most : least;
    out.layout = Layout::Equal;
    out.page = list.specs.front().page;
    std::vector<std::size_t> firstGroup(list.specs.size());
    for (std::size_t s = 0; s < list.specs.size(); ++s) {
        const Spec &spec = list.specs[s];
        firstGroup[s] = out.list.size();
        Group group{.kind = spec.kind, .blockSize = spec.blockSize, .limit = spec.limit};
        group.onStage.assign(static_cast<std::size_t>(list.stages), 0);
        out.list.insert(out.list.end(), static_cast<std::size_t>(checked::ceilDiv(sizes[s], groupSize)), group);
    }
    std::vector<std::size_t> dealt(list.specs.size(), 0);
    for (const Registered &layer : list.layers) {
        const auto groups = static_cast<std::size_t>(checked::ceilDiv(sizes[layer.spec], groupSize));
        Group &group = out.list[firstGroup[layer.spec] + dealt[layer.spec]++ % groups];
        ++group.layers;
        ++group.onStage[layer.stage];
    }
    out.blockBytes.assign(static_cast<std::size_t>(list.stages), 0);
    for (std::size_t stage = 0; stage < out.blockBytes.size(); ++stage)
        for (const Group &group : out.list)
            out.blockBytes[stage] = std::max(out.blockBytes[stage], checked::mul(out.page, group.onStage[stage]));
}

/// 0.28: a latent model whose plain windows do not fit its pages counts them as full attention.
bool promoteWindows(SpecList &list) {
    if (!has(list.specs, SpecKind::Latent) || !has(list.specs, SpecKind::Window))
        return false;
    const std::int64_t largest = std::ranges::max_element(list.specs, {}, &Spec::page)->page;
    if (std::ranges::all_of(list.specs, [&](const Spec &spec) { return largest % spec.page == 0; }))
        return false;
    for (Spec &spec : list.specs)
        if (spec.kind == SpecKind::Window) {
            spec.kind = SpecKind::Full;
            spec.limit = 0;
        }
    tidy(list);
    return true;
}

} // namespace

std::int64_t Groups::fullestBlock() const {
    const auto fullest = std::ranges::max_element(blockBytes);
    return fullest == blockBytes.end() ? 0 : *fullest;
}

std::optional<Note> formGroups(SpecList specs, const Settings &settings, const ModelTraits &traits, Groups &out) {
    out.blockBytes.assign(static_cast<std::size_t>(specs.stages), 0);
    if (specs.layers.empty())
        return std::nullopt;
    tidy(specs); // also brings the buckets into the order of their first layer
    // Chunked layers switch the manager off by themselves, for the latency of decoding (config/vllm.py).
    if (!settings.hybridManager || traits.chunks || !settings.rules().hybridGroups)
        if (std::optional<Note> refusal = switchManagerOff(specs, !settings.hybridManager, out))
            return refusal;
    if (settings.rules().packedGroups && promoteWindows(specs))
        out.managerOff = true;
    if (oneType(specs.specs)) {
        oneGroup(specs, out);
        return std::nullopt;
    }
    if (has(specs.specs, SpecKind::LatentWindow))
        return packGroups(specs, settings, out);
    if (std::optional<Note> refusal = unifyPages(specs, settings, out))
        return refusal;
    tidy(specs);
    dealBuckets(specs, out);
    return std::nullopt;
}

} // namespace kv::vllm
