// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/draftmodel.h"

#include "core/base/plaintext.h"
#include "core/engine/rankweights.h"
#include "core/files/modelsource.h"
#include "core/model/catalogue.h"

#include <map>
#include <mutex>

namespace kv {

namespace {

constexpr const char *place = "engine.options.draft_model";

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
    static std::map<std::string, std::shared_ptr<const ModelSpec>> known; // a spec never changes; what could not be read is tried again
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(name); found != known.end())
        return {found->second, {}};
    Parsed<std::shared_ptr<const ModelSpec>> model = read(name);
    constexpr std::size_t most = 64;
    if (model && known.size() < most)
        known.emplace(name, *model.value);
    return model;
}

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
    return rankWeights(draft, {draft.model->layerCount()}).front();
}

} // namespace kv
