// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/packed.h"

#include <algorithm>
#include <map>

namespace kv::vllm {

namespace {

/// The layers of one group, by page size, each in registration order.
struct Bucket {
    Spec first;
    std::map<std::int64_t, std::vector<const Registered *>> byPage;

    std::int64_t tuples() const {
        std::size_t most = 0;
        for (const auto &[page, layers] : byPage)
            most = std::max(most, layers.size());
        return static_cast<std::int64_t>(most);
    }
};

std::vector<Bucket> bucketsOf(const SpecList &list) {
    std::vector<Bucket> buckets(1); // the entries stand first, whatever comes first in the model
    for (const Registered &layer : list.layers) {
        const Spec &spec = list.specs[layer.spec];
        std::size_t at = 0;
        if (spec.kind == SpecKind::LatentWindow) {
            const auto same = [&](const Bucket &bucket) {
                return bucket.first.blockSize == spec.blockSize && bucket.first.limit == spec.limit;
            };
            at = static_cast<std::size_t>(std::find_if(buckets.begin() + 1, buckets.end(), same) - buckets.begin());
            if (at == buckets.size())
                buckets.push_back({spec, {}});
        } else if (buckets[0].byPage.empty()) {
            buckets[0].first = spec;
        }
        buckets[at].byPage[spec.page].push_back(&layer);
    }
    return buckets;
}

struct Slot {
    std::int64_t page;
    const Registered *layer;
};

Group groupOf(const Bucket &bucket, const std::vector<Slot> &slots, std::size_t stages) {
    Group group{.kind = bucket.first.kind,
                .blockSize = bucket.first.blockSize,
                .limit = bucket.first.limit,
                .layers = static_cast<std::int64_t>(slots.size())};
    group.onStage.assign(stages, 0);
    group.pages.assign(stages, 0);
    for (const Slot &slot : slots) {
        ++group.onStage[slot.layer->stage];
        group.pages[slot.layer->stage] = checked::add(group.pages[slot.layer->stage], slot.page);
    }
    return group;
}

/// The i-th of `ways` deals of a bucket's tuples.
std::vector<Slot> deal(const Bucket &bucket, std::int64_t i, std::int64_t ways,
                       const std::map<std::int64_t, std::int64_t> &paddedTo) {
    std::vector<Slot> slots;
    for (const auto &[page, layers] : bucket.byPage)
        for (auto at = static_cast<std::size_t>(i); at < layers.size(); at += static_cast<std::size_t>(ways))
            slots.push_back({paddedTo.empty() ? page : paddedTo.at(page), layers[at]});
    return slots;
}

/// Most tuples of any group on a stage: layers of one page size that the stage holds.
std::int64_t tuplesOnStage(const std::vector<std::vector<Slot>> &groups, std::size_t stage) {
    std::int64_t most = 0;
    for (const std::vector<Slot> &slots : groups) {
        std::map<std::int64_t, std::int64_t> counts;
        for (const Slot &slot : slots)
            if (slot.layer->stage == stage)
                most = std::max(most, ++counts[slot.page]);
    }
    return most;
}

std::int64_t blockOnStage(const std::vector<std::vector<Slot>> &groups, const Groups &out, std::size_t stage,
                          bool packed) {
    std::int64_t bytes = 0;
    if (packed) {
        for (const Group &group : out.list)
            bytes = std::max(bytes, group.pages[stage]);
        return bytes;
    }
    std::map<std::int64_t, bool> sizes;
    for (const Slot &slot : groups.front())
        if (slot.layer->stage == stage)
            sizes[slot.page] = true;
    for (const auto &[page, there] : sizes)
        bytes = checked::add(bytes, page);
    return checked::mul(bytes, tuplesOnStage(groups, stage));
}

} // namespace

std::int64_t leastPadding(const std::vector<std::int64_t> &values, std::int64_t least) {
    std::int64_t best = least, bestPadding = -1;
    for (std::int64_t size = std::max<std::int64_t>(1, least); size <= *std::ranges::max_element(values); ++size) {
        std::int64_t padding = 0;
        for (const std::int64_t value : values)
            padding += (size - value % size) % size;
        if (bestPadding < 0 || padding <= bestPadding) {
            best = size;
            bestPadding = padding;
        }
    }
    return best;
}

std::optional<Note> packGroups(const SpecList &specs, const Settings &settings, Groups &out) {
    const std::vector<Bucket> buckets = bucketsOf(specs);
    const auto refuse = [&](const char *what) {
        return errorNote("pages-do-not-divide", "model",
                         std::string("vLLM ") + settings.release.written + " does not start this model: " + what);
    };
    if (buckets[0].byPage.empty())
        return refuse("its windows of latents stand beside no compressed entries of one block size");
    std::vector<std::int64_t> tuples;
    tuples.reserve(buckets.size());
    for (const Bucket &bucket : buckets)
        tuples.push_back(bucket.tuples());
    const std::int64_t size = leastPadding(tuples, tuples.front());
    const bool packed = settings.rules().packedGroups;
    std::vector<std::vector<Slot>> groups;
    for (const Bucket &bucket : buckets) {
        std::map<std::int64_t, std::int64_t> paddedTo;
        if (!packed && &bucket != &buckets.front()) {
            for (const auto &[page, layers] : bucket.byPage) {
                const auto larger = buckets.front().byPage.lower_bound(page);
                if (larger == buckets.front().byPage.end())
                    return refuse("a compressor's state is larger than any page of the entries");
                paddedTo[page] = larger->first;
            }
        }
        const std::int64_t ways = &bucket == &buckets.front() ? 1 : checked::ceilDiv(bucket.tuples(), size);
        for (std::int64_t i = 0; i < ways; ++i) {
            groups.push_back(deal(bucket, i, ways, paddedTo));
            out.list.push_back(groupOf(bucket, groups.back(), static_cast<std::size_t>(specs.stages)));
        }
    }
    out.layout = Layout::Packed;
    for (std::size_t stage = 0; stage < out.blockBytes.size(); ++stage)
        out.blockBytes[stage] = blockOnStage(groups, out, stage, packed);
    return std::nullopt;
}

} // namespace kv::vllm
