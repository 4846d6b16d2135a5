// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/draftmodel.h"

#include "core/base/plaintext.h"
#include "core/engine/rankweights.h"
#include "core/files/modelsource.h"
#include "core/model/catalogue.h"

#include <chrono>
#include <map>
#include <mutex>

namespace kv {

namespace {

constexpr const char *place = "engine.options.draft_model";

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds faultHolds{2};

struct Known {
    Parsed<std::shared_ptr<const ModelSpec>> model; ///< a spec never changes
    Clock::time_point read;
};

thread_local bool elsewhere = false;

Parsed<std::shared_ptr<const ModelSpec>> read(const std::string &name) {
    Parsed<std::shared_ptr<const ModelSpec>> model = findPreset(name) ? presetModel(name) : loadModel(name);
    if (model)
        return {*model.value, {}};
    const Note *fault = firstError(model.notes);
    return {std::nullopt, {errorNote("no-model", place, std::string(place) + ": \"" + oneLine(name, 120) + "\" is no preset, and no model could be read there" +
                                                            (fault ? " (" + fault->text + ")" : std::string()))}};
}

} // namespace

Parsed<std::shared_ptr<const ModelSpec>> draftModel(const std::string &name) {
    static std::mutex mutex;
    static std::map<std::string, Known> known;
    const auto find = [&name]() -> const Known * {
        const auto found = known.find(name);
        return found != known.end() && (found->second.model || Clock::now() - found->second.read < faultHolds) ? &found->second : nullptr;
    };
    {
        const std::lock_guard lock(mutex);
        if (const Known *there = find())
            return there->model;
    }
    if (elsewhere && !findPreset(name))
        return {std::nullopt, {errorNote("draft-being-read", place, std::string(place) + ": the draft model \"" + oneLine(name, 120) + "\" is being read")}};
    Parsed<std::shared_ptr<const ModelSpec>> model = read(name); // long on a slow disk: nobody waits at the lock for it
    const std::lock_guard lock(mutex);
    constexpr std::size_t most = 64;
    if (known.size() >= most)
        known.clear();
    known.insert_or_assign(name, Known{model, Clock::now()});
    return model;
}

void readDraftModelsElsewhere() { elsewhere = true; }

Deployment draftDeployment(const Deployment &served, CacheTypes types) {
    Deployment draft = served;
    draft.model = served.draft.get();
    draft.draft.reset();
    draft.weights = served.draftWeights;
    draft.types = types;
    draft.pp = 1;
    return draft;
}

Bytes draftWeightsPerGpu(const Deployment &served) {
    if (!served.draft)
        return Bytes(0);
    const Deployment draft = draftDeployment(served, served.types);
    return rankWeights(draft, {draft.model->layerCount()}).front().all;
}

} // namespace kv
