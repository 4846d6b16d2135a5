// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubchoice.h"

#include "core/files/checkpoint.h"
#include "core/files/gguf.h"
#include "core/files/modelfolder.h"
#include "core/files/safetensorsindex.h"
#include "core/files/shardset.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubChoice)
};

using Names = std::vector<std::string>;

bool holds(const Names &names, std::string_view name) { return std::ranges::binary_search(names, name); }

bool isWeightsName(const std::string &name) { return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json"); }

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

std::string folderOf(const std::string &name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos ? std::string() : name.substr(0, slash + 1);
}

Note noModel(const Names &names, const HubName &asked) {
    const QString repository = asked.repository;
    QString why = Said::tr("%1 holds no config.json and no GGUF file, so that nothing says how its attention is built.").arg(repository);
    if (holds(names, "adapter_config.json"))
        why = Said::tr("%1 is an adapter to another model (it has an adapter_config.json and no config.json): name that model.").arg(repository);
    else if (holds(names, "model_index.json"))
        why = Said::tr("%1 is a pipeline of the diffusers library, which keeps no KV cache.").arg(repository);
    return errorNote("hub-no-model", utf8(repository), utf8(why));
}

class Chooser {
public:
    Chooser(Names names, const HubName &asked) : m_asked(asked), m_file(utf8(asked.file)) {
        std::erase_if(names, [](const std::string &name) { return !staysInside(name); });
        std::ranges::sort(names);
        m_names = std::move(names);
        std::ranges::copy_if(m_names, std::back_inserter(m_top), [](const std::string &name) { return name.find('/') == std::string::npos; });
    }

    HubChoice choose() {
        const std::string config = holds(m_top, "config.json") ? "config.json" : holds(m_top, "params.json") ? "params.json" : "";
        Names ggufs = ggufsOf(m_names);
        if (!m_asked.variant.isEmpty() || m_file.ends_with(".gguf"))
            return ofGgufs(asked(std::move(ggufs)), {});
        if (!m_file.empty()) {
            // The address of a folder with GGUF files in it, or of a file of the checkpoint.
            Names inside = ggufs;
            std::erase_if(inside, [this](const std::string &name) { return !name.starts_with(m_file + "/"); });
            if (!inside.empty())
                return ofGgufs(std::move(inside), {});
            if (!config.empty() && holds(m_names, m_file))
                return ofCheckpoint(config);
            if (!holds(m_names, m_file) && !isFolder(m_file))
                return refused(Said::tr("%1 has no file %2 at “%3”.").arg(m_asked.repository, m_asked.file, m_asked.wholeRevision()));
        }
        if (!config.empty() && (ggufs.empty() || std::ranges::any_of(m_top, isWeightsName)))
            return ofCheckpoint(config);
        return ofGgufs(std::move(ggufs), config);
    }

private:
    bool isFolder(const std::string &name) const {
        return std::ranges::any_of(m_names, [&name](const std::string &file) { return file.starts_with(name + "/"); });
    }

    HubChoice refused(const QString &sentence) const {
        HubChoice choice;
        choice.notes = {errorNote("hub-not-found", utf8(m_asked.repository), utf8(sentence))};
        return choice;
    }

    Names asked(Names ggufs) const {
        if (!m_file.empty()) {
            // Whichever part of a split model is named, its first part stands for it.
            const SplitName split = splitName(m_file);
            const std::string first = split.count > 1 ? splitPart(split, 1) : m_file;
            return holds(m_names, first) ? Names{first} : Names{};
        }
        const std::string variant = upper(utf8(m_asked.variant));
        std::erase_if(ggufs, [&variant](const std::string &name) { return upper(name).find(variant) == std::string::npos; });
        return ggufs;
    }

    HubChoice ofCheckpoint(const std::string &config) const {
        HubChoice choice;
        choice.config = config;
        choice.index = findIndex(m_top);
        choice.all = m_names;
        if (const ShardSet set = findShards(m_top, m_file.ends_with(".safetensors") ? m_file : std::string()); choice.index.empty() && set.missing.empty())
            choice.shards = set.files;
        choice.whole = {config};
        for (const std::string &other : {std::string("hf_quant_config.json"), choice.index})
            if (!other.empty() && holds(m_top, other))
                choice.whole.push_back(other);
        return choice;
    }

    HubChoice ofGgufs(Names ggufs, const std::string &config) const {
        HubChoice choice;
        if (ggufs.size() == 1) {
            choice.gguf = ggufs.front();
        } else if (ggufs.size() > 1) {
            choice.several = std::move(ggufs);
            if (!config.empty())
                choice.several.push_back(config);
        } else if (!m_file.empty() || !m_asked.variant.isEmpty()) {
            const QString what = m_file.empty() ? m_asked.variant : m_asked.file;
            return refused(Said::tr("%1 has no GGUF file “%2” at “%3”.").arg(m_asked.repository, what, m_asked.wholeRevision()));
        } else {
            choice.notes = {noModel(m_top, m_asked)};
        }
        return choice;
    }

    const HubName &m_asked;
    std::string m_file;
    Names m_names, m_top;
};

} // namespace

std::vector<std::string> ggufsOf(const std::vector<std::string> &names) {
    std::map<std::string, Names> folders;
    for (const std::string &name : names)
        folders[folderOf(name)].push_back(name.substr(folderOf(name).size()));
    Names found;
    for (auto &[folder, inside] : folders) {
        std::ranges::sort(inside);
        for (const std::string &model : ggufModels(inside))
            found.push_back(folder + model);
    }
    return found;
}

HubChoice chooseFiles(std::vector<std::string> names, const HubName &asked) { return Chooser(std::move(names), asked).choose(); }

} // namespace kv
