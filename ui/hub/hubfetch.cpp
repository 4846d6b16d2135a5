// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubfetch.h"

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/files/modelsource.h"
#include "core/files/safetensorsindex.h"
#include "core/files/shardset.h"
#include "ui/hub/hubchoice.h"
#include "ui/hub/hubheaders.h"
#include "ui/hub/hubkeep.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubFetch)
};

constexpr qint64 mostListBytes = 32 * mebibyte; // what the Hub says of a repository of tens of thousands of files
constexpr qint64 mostIndexBytes = 100'000'000;      // as core reads of an index
constexpr std::size_t mostShards = 200;
const QString checkpointName = QStringLiteral("model");

HubFault cancelled() {
    HubFault fault;
    fault.kind = HubFault::Kind::Cancelled;
    return fault;
}

class Fetch {
public:
    Fetch(const HubName &name, const HubSettings &settings, const HubWatch &watch) : m_settings(settings), m_watch(watch), m_asked(name.repository) { m_out.name = name; }

    HubFetched run() {
        readTokenFile(m_settings);
        m_out.notes = m_settings.notes;
        if (hasError(m_out.notes))
            return std::move(m_out);
        if (!m_settings.offlineBy.isEmpty())
            offline();
        else
            online();
        return std::move(m_out);
    }

private:
    bool refuse(const char *code, const QString &sentence) {
        m_out.notes.push_back({Severity::Error, code, utf8(m_out.name.repository), utf8(sentence)});
        return false;
    }
    bool refuse(const HubFault &fault) {
        m_out.notes.push_back(noteOf(fault, m_out.name, m_settings));
        return false;
    }
    void warn(const char *code, const QString &sentence) { m_out.notes.push_back({Severity::Warning, code, utf8(m_out.name.repository), utf8(sentence)}); }

    void offline() {
        if (fromKept())
            return;
        const HubName &name = m_out.name;
        m_out.folder = inHubCache(m_settings, name.repository, name.revision);
        if (m_out.folder.isEmpty())
            refuse("hub-offline", Said::tr("%1 is not on this machine, and %2 forbids the network: unset it to fetch the model.").arg(name.repository, m_settings.offlineBy));
    }

    /// What an earlier fetch of the same name left here.
    bool fromKept() {
        HubName name = m_out.name;
        HubKeep keep(m_settings, name.repository);
        QString commit = keep.commitOf(name.wholeRevision());
        if (const QString now = keep.renamed(); commit.isEmpty() && !now.isEmpty()) {
            name.repository = now;
            keep = HubKeep(m_settings, now);
            commit = keep.commitOf(name.wholeRevision());
        }
        if (commit.isEmpty())
            return false;
        std::vector<std::string> models;
        for (const QString &model : keep.modelsOf(commit))
            models.push_back(model == checkpointName ? "config.json" : utf8(model));
        // Of a checkpoint not every file is kept; whether this one is there was seen when it was fetched.
        if (std::ranges::count(models, "config.json") > 0 && !name.file.isEmpty() && !name.file.endsWith(QLatin1String(".gguf")))
            models.push_back(utf8(name.file));
        HubChoice choice = chooseFiles(models, name);
        const QString model = choice.gguf.empty() ? checkpointName : words(choice.gguf);
        if (!choice.notes.empty() || (choice.several.empty() && !keep.holds(commit, model)))
            return false;
        if (name.repository != m_asked)
            sayRenamed(name.repository);
        if (!choice.several.empty())
            return offer(choice.several);
        m_out.commit = commit;
        m_out.folder = keep.folderOf(commit, model);
        return true;
    }

    bool offer(const std::vector<std::string> &several) {
        for (const std::string &file : several)
            m_out.several += words(file);
        return true;
    }

    void online() {
        HubTransport transport(m_settings, m_watch);
        std::vector<std::string> files;
        HubFault fault;
        if (!list(transport, files, fault)) {
            // Whoever is cut off from the network may still have it here.
            if (fault.isUnreachable() && fromKept())
                warn("hub-kept", Said::tr("%1 The model is shown as it was fetched earlier.").arg(words(noteOf(fault, m_out.name, m_settings).text)));
            else if (fault)
                refuse(fault);
            return;
        }
        HubChoice choice = chooseFiles(std::move(files), m_out.name);
        m_out.notes.insert(m_out.notes.end(), choice.notes.begin(), choice.notes.end());
        if (hasError(choice.notes))
            return;
        if (!choice.several.empty())
            offer(choice.several);
        else
            fetch(transport, choice);
    }

    /// The files, the commit and the present name.
    bool list(HubTransport &transport, std::vector<std::string> &files, HubFault &fault) {
        const HubName &name = m_out.name;
        const QUrl url = m_settings.urlOf(QStringList{QStringLiteral("api"), QStringLiteral("models")} + name.repository.split(QLatin1Char('/')) +
                                          QStringList{QStringLiteral("revision"), name.wholeRevision()});
        const HubAnswer answer = transport.get({url, {}, 0, -1, mostListBytes});
        fault = answer.fault;
        if (fault)
            return false;
        fault.host = m_settings.endpoint.host();
        const Parsed<Json> root = parseJson(std::string_view(answer.body.constData(), static_cast<std::size_t>(answer.body.size())), utf8(name.repository));
        const Json *siblings = root && root->isObject() ? root->find("siblings") : nullptr;
        const Json *sha = root && root->isObject() ? root->find("sha") : nullptr;
        m_out.commit = sha && sha->isString() ? words(sha->text()) : QString::fromLatin1(answer.commit);
        if (!siblings || !siblings->isArray() || m_out.commit.isEmpty()) {
            fault.kind = HubFault::Kind::BadAnswer;
            fault.detail = Said::tr("a list of its files in JSON was expected. Is this a Hub, or the page of a network that asks to log in?");
            return false;
        }
        for (const Json &sibling : siblings->items())
            if (const Json *file = sibling.isObject() ? sibling.find("rfilename") : nullptr; file && file->isString())
                files.push_back(file->text());
        fault = {};
        takeNewName(*root);
        return true;
    }

    void takeNewName(const Json &root) {
        const Json *id = root.find("id");
        if (!id || !id->isString() || words(id->text()).compare(m_out.name.repository, Qt::CaseInsensitive) == 0)
            return;
        const Parsed<HubName> now = readHubName(words(id->text()), m_settings.endpoint);
        if (!now || now->repository != words(id->text()))
            return;
        sayRenamed(now->repository);
    }

    /// The first models lost their short names: gpt2 is openai-community/gpt2.
    void sayRenamed(const QString &now) {
        warn("hub-renamed", Said::tr("%1 is called %2 now.").arg(m_out.name.repository, now));
        m_out.name.repository = now;
    }

    void fetch(HubTransport &transport, const HubChoice &choice) {
        const HubName &name = m_out.name;
        const HubKeep keep(m_settings, name.repository);
        const QString model = choice.gguf.empty() ? checkpointName : words(choice.gguf);
        if (keep.holds(m_out.commit, model))
            return take(keep, model);
        const std::unique_ptr<QTemporaryDir> staged = keep.stage();
        if (!staged) {
            refuse("cannot-write", Said::tr("%1 cannot be written to, where fetched models are kept.").arg(m_settings.keepFolder));
            return;
        }
        HubHeaders headers(transport, m_settings, name, m_out.commit, staged->path());
        const bool fetched = choice.gguf.empty() ? fetchCheckpoint(transport, headers, choice, staged->path()) : headers.fetchGguf(choice.gguf);
        m_out.notes.insert(m_out.notes.end(), headers.notes.begin(), headers.notes.end());
        if (!fetched) {
            if (headers.fault)
                refuse(headers.fault);
            return;
        }
        headers.record.endpoint = utf8(m_settings.endpoint.toString());
        headers.record.repository = utf8(name.repository);
        headers.record.revision = utf8(name.wholeRevision());
        headers.record.commit = utf8(m_out.commit);
        const bool kept = headers.write(std::string(hubRecordName), QByteArray::fromStdString(writeHubRecord(headers.record))) && m_watch.goOn() &&
                          keep.keep(*staged, m_out.commit, model, name.wholeRevision());
        if (kept)
            take(keep, model);
        else if (!m_watch.goOn())
            refuse(cancelled());
        else
            refuse("cannot-write", Said::tr("%1 cannot be written to, where fetched models are kept.").arg(m_settings.keepFolder));
    }

    void take(const HubKeep &keep, const QString &model) {
        m_out.folder = keep.folderOf(m_out.commit, model);
        if (m_out.name.repository != m_asked) // without a network nobody says what it is called now
            HubKeep(m_settings, m_asked).keepRenamed(m_out.name.repository);
    }

    bool fetchCheckpoint(HubTransport &transport, HubHeaders &headers, const HubChoice &choice, const QString &folder) {
        transport.expect(static_cast<int>(choice.whole.size() + (choice.index.empty() ? choice.shards.size() : 0)));
        for (const std::string &file : choice.whole) {
            QByteArray bytes;
            if (!headers.fetchWhole(file, file == choice.index ? mostIndexBytes : maxConfigBytes, bytes))
                return false;
            if (!isObject(file, bytes, headers.fault))
                return false;
        }
        std::vector<std::string> shards = choice.shards;
        if (!choice.index.empty()) {
            const Parsed<SafetensorsIndex> index = readSafetensorsIndex(utf8(folder) + "/" + choice.index);
            if (!index) {
                headers.takeNotes(index.notes);
                return false;
            }
            shards.clear();
            for (const std::string &shard : index->shards) // one that is missing there is missing here
                if (std::ranges::binary_search(choice.all, shard))
                    shards.push_back(shard);
        }
        if (shards.size() > mostShards) // the size that the index says, and no request for each of hundreds
            return true;
        transport.expect(static_cast<int>(choice.whole.size() + shards.size()));
        return headers.fetchSafetensors(shards);
    }

    bool isObject(const std::string &file, const QByteArray &bytes, HubFault &fault) const {
        const Parsed<Json> root = parseJson(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), file);
        if (root && root->isObject())
            return true;
        fault.kind = HubFault::Kind::BadAnswer;
        fault.host = m_settings.endpoint.host();
        fault.what = words(file);
        const bool page = bytes.trimmed().startsWith('<');
        const Note *error = firstError(root.notes);
        fault.detail = page ? Said::tr("a web page, where JSON was expected.") : error ? words(error->text) + QLatin1Char('.') : Said::tr("no JSON object.");
        return false;
    }

    HubSettings m_settings; ///< with the token, wherever it is kept
    const HubWatch &m_watch;
    const QString m_asked; ///< the repository's name as it was asked for
    HubFetched m_out;
};

} // namespace

HubFetched fetchFromHub(const HubName &name, const HubSettings &settings, const HubWatch &watch) { return Fetch(name, settings, watch).run(); }

} // namespace kv
