// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/checkpoint.h"

#include "core/base/quantity.h"
#include "core/files/folder.h"
#include "core/files/headerweights.h"
#include "core/files/hubrecord.h"
#include "core/files/hubrepository.h"
#include "core/files/safetensors.h"
#include "core/files/safetensorsindex.h"
#include "core/files/shardset.h"
#include "core/files/shown.h"

#include <algorithm>

namespace kv {

namespace {

constexpr std::size_t mostTensors = 4'000'000; // over all files of a model

class Checkpoint {
public:
    Checkpoint(const std::string &folder, const ModelSpec &spec, const std::string &only)
        : m_folder(folder), m_spec(spec), m_only(only), m_names(folderNames(folder)), m_sums(spec) {}

    FoundWeights read() {
        if (const std::string index = findIndex(m_names); !index.empty())
            byIndex(index);
        else
            byName();
        return std::move(m_found);
    }

private:
    void refuse(std::string code, const std::string &where, const std::string &text) {
        m_found.notes.push_back(errorNote(std::move(code), where, text));
    }
    void warn(std::string code, const std::string &text) {
        m_found.notes.push_back(warningNote(std::move(code), m_folder, text));
    }

    bool isThere(const std::string &shard) const {
        if (shard.find('/') != std::string::npos)
            return entryKind(m_folder + "/" + shard) != EntryKind::Missing;
        return std::ranges::binary_search(m_names, shard);
    }

    void byIndex(const std::string &name) {
        const std::string path = m_folder + "/" + name;
        Parsed<SafetensorsIndex> index = readSafetensorsIndex(path);
        m_found.notes = std::move(index.notes);
        if (!index)
            return;
        std::string first;
        std::size_t missing = 0;
        for (const std::string &shard : index->shards)
            if (!isThere(shard) && missing++ == 0)
                first = shown(shard);
        if (missing > 0)
            return byTotal(path, *index, first, missing);
        if (!readAll(index->shards))
            return;
        if (index->total && *index->total != m_sums.stored())
            warn("contradiction", name + ": its total_size says " + writeNumber(index->total->value) +
                                      " bytes, its files hold " + writeNumber(m_sums.stored().value) +
                                      "; they differ, and what the files hold is counted");
        m_found.weights = m_sums.weights();
    }

    /// Shards are missing: the index alone says how much they hold.
    void byTotal(const std::string &path, const SafetensorsIndex &index, const std::string &first,
                 std::size_t missing) {
        const std::size_t all = index.shards.size();
        const std::string which =
            missing == 1 ? first + " is missing"
                         : first + " and " + writeNumber(static_cast<std::int64_t>(missing - 1)) + " more are missing";
        const std::string files = writeNumber(static_cast<std::int64_t>(all)) + (all == 1 ? " file" : " files");
        if (!index.total)
            return refuse("missing-shards", path,
                          shown(baseName(path)) + ": of the " + files + " of the model, " + which +
                              ", and there is no total_size to go by");
        // An element takes between a bit and 8 bytes, whatever the type.
        const std::int64_t elements = m_spec.weights.allElements, total = index.total->value;
        if (elements > 0 && (total < elements / 8 || total > checked::mul(elements, 8)))
            return warn("contradiction", shown(baseName(path)) + ": of the " + files + " of the model, " + which + ", and its total_size of " + writeNumber(total) + " bytes cannot be that of " +
                                             writeNumber(elements) + " parameters; the weights are counted from the config");
        warn("missing-shards",
             "Of the " + files + " of the model, " + which + "; the size of the weights is the total_size of the index");
        m_found.weights = weightsOfTotal(m_spec.weights, *index.total);
    }

    void byName() {
        const ShardSet set = findShards(m_names, m_only);
        if (!set.missing.empty()) {
            const auto missing = static_cast<std::int64_t>(set.missing.size());
            warn("missing-shards",
                 "Of the files of the model, " + shown(set.missing.front()) +
                     (missing > 1 ? " and " + writeNumber(missing - 1) + " more are missing" : " is missing") +
                     "; the size of the weights is not taken from the others");
            return;
        }
        if (set.files.empty())
            return notePickles();
        if (!set.remark.empty())
            warn("several-files", shown(baseName(m_folder), 200) + ": " + set.remark);
        if (readAll(set.files))
            m_found.weights = m_sums.weights();
    }

    void notePickles() {
        if (const auto pickle = std::ranges::find_if(m_names, isPickleName); pickle != m_names.end())
            m_found.notes.push_back(infoNote(
                "pickle", m_folder,
                "The weights lie in pickle files (" + shown(*pickle) +
                    "), which are never opened: reading one can run code. Their size is counted from the config"));
    }

    bool readAll(const std::vector<std::string> &files) {
        const std::optional<HubRecord> fetched = readHubRecord(m_folder);
        std::size_t tensors = 0;
        bool warned = false;
        for (const std::string &name : files) {
            const std::string path = m_folder + "/" + name;
            Notes notes = checkHubLink(path);
            Parsed<SafetensorsFile> file;
            if (notes.empty()) {
                file = readSafetensors(path, fetched ? fetched->lengthOf(name) : std::nullopt);
                notes = std::move(file.notes);
            }
            if (!file || !warned) // the first of thousands of incomplete files is enough
                m_found.notes.insert(m_found.notes.end(), notes.begin(), notes.end());
            warned = warned || !notes.empty();
            if (!file)
                return false;
            tensors += file->tensors.size();
            if (tensors > mostTensors) {
                refuse("out-of-range", path,
                       "The files of the model list more than " + writeNumber(mostTensors) + " tensors");
                return false;
            }
            m_sums.add(*file);
        }
        if (m_sums.stored().inRange())
            return true;
        refuse("out-of-range", m_folder, "The sizes of the tensors are out of range: their sum overflows 64 bits");
        return false;
    }

    const std::string &m_folder;
    const ModelSpec &m_spec;
    const std::string &m_only;
    std::vector<std::string> m_names; ///< sorted
    HeaderWeights m_sums;
    FoundWeights m_found;
};

} // namespace

FoundWeights folderWeights(const std::string &folder, const ModelSpec &spec, const std::string &only) {
    return Checkpoint(folder, spec, only).read();
}

bool isPickleName(std::string_view name) {
    for (const std::string_view ending : {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle"})
        if (name.ends_with(ending))
            return true;
    return false;
}

} // namespace kv
