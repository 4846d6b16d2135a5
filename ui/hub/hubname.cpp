// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubname.h"

#include "core/files/safetensorsindex.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubName)
};

constexpr qsizetype longestText = 2000, longestName = 96, longestRevision = 255;

bool isOneOf(const QString &word, std::initializer_list<const char *> words) {
    return std::any_of(words.begin(), words.end(), [&word](const char *one) { return word == QLatin1String(one); });
}

bool isHubHost(const QUrl &url, const QUrl &endpoint) {
    const QString host = url.host().toLower();
    return isOneOf(host, {"huggingface.co", "www.huggingface.co", "hf.co"}) || (host == endpoint.host().toLower() && url.port(-1) == endpoint.port(-1));
}

/// What a repository's page has behind its name: …/tree/main, …/blob/main/config.json.
bool isPart(const QString &segment) { return isOneOf(segment, {"tree", "blob", "resolve", "raw", "blame", "commit", "commits", "edit"}); }

class NameReader {
public:
    NameReader(const QString &text, const QUrl &endpoint) : m_text(text.trimmed()), m_endpoint(endpoint) {}

    Parsed<HubName> read() {
        if (m_text.isEmpty())
            return refuse(Said::tr("Name a model as the Hub does: maker/name, for example Qwen/Qwen3-32B."));
        if (m_text.size() > longestText)
            return refuse(Said::tr("This is too long for a model’s name or address."));
        // What may be a secret is not repeated.
        if (m_text.startsWith(QLatin1String("hf_")) && !m_text.contains(QLatin1Char('/')))
            return refuse(Said::tr("This looks like an access token, not like a model. A token belongs into the variable HF_TOKEN."));
        if (m_text.startsWith(QLatin1Char('/')) || m_text.startsWith(QLatin1Char('~')) || m_text.startsWith(QLatin1Char('.')) || m_text.contains(QLatin1Char('\\')))
            return refuse(Said::tr("This is a path on this machine; “Open…” opens it. A model on the Hub is called maker/name."));
        const qsizetype scheme = m_text.indexOf(QLatin1String("://"));
        if (m_text.startsWith(QLatin1String("hf://")))
            return readPlain(m_text.mid(5));
        if (scheme > 0)
            return readUrl(QUrl(m_text, QUrl::StrictMode));
        const QString first = m_text.section(QLatin1Char('/'), 0, 0);
        if (const QUrl url(QStringLiteral("https://") + m_text, QUrl::StrictMode); m_text.contains(QLatin1Char('/')) && first.contains(QLatin1Char('.')) && isHubHost(url, m_endpoint))
            return readUrl(url);
        return readPlain(m_text);
    }

private:
    static Parsed<HubName> refuse(const QString &sentence) { return {std::nullopt, {errorNote("hub-name", {}, utf8(sentence))}}; }
    static QString shown(const QString &text) { return text.size() > 80 ? text.left(79) + QChar(0x2026) : text; }

    Parsed<HubName> readUrl(const QUrl &url) {
        if (!url.isValid() || url.host().isEmpty())
            return refuse(Said::tr("This is no valid address. A model’s address is like https://huggingface.co/Qwen/Qwen3-32B."));
        if (!isOneOf(url.scheme().toLower(), {"http", "https"}))
            return refuse(Said::tr("An address on the Hub begins with https:// or hf://, not with %1://.").arg(shown(url.scheme())));
        if (!url.userInfo().isEmpty())
            return refuse(Said::tr("An address with a name or a password in it is not taken; a token belongs into the variable HF_TOKEN."));
        if (!isHubHost(url, m_endpoint))
            return refuse(Said::tr("%1 is not the Hub that is asked, which is %2. The variable HF_ENDPOINT names another one.").arg(shown(url.host()), m_endpoint.host()));
        QString path = url.path(QUrl::FullyEncoded);
        const QString prefix = m_endpoint.path(QUrl::FullyEncoded);
        if (prefix.size() > 1 && url.host() == m_endpoint.host() && path.startsWith(prefix + QLatin1Char('/')))
            path = path.mid(prefix.size());
        QStringList segments;
        for (const QString &part : path.split(QLatin1Char('/'), Qt::SkipEmptyParts))
            segments += QUrl::fromPercentEncoding(part.toLatin1());
        return readSegments(segments);
    }

    Parsed<HubName> readSegments(QStringList segments) {
        if (segments.isEmpty())
            return refuse(Said::tr("This address names no model; a model’s address is like https://huggingface.co/Qwen/Qwen3-32B."));
        if (const QString other = otherThing(segments.first()); !other.isEmpty())
            return refuse(other);
        HubName name;
        name.repository = segments.takeFirst();
        if (!segments.isEmpty() && !isPart(segments.first()))
            name.repository += QLatin1Char('/') + segments.takeFirst();
        if (const qsizetype colon = name.repository.indexOf(QLatin1Char(':')); colon >= 0) { // hf.co/maker/name:Q4_K_M, as Ollama has it
            name.variant = name.repository.mid(colon + 1);
            name.repository.truncate(colon);
        }
        if (segments.size() >= 2 && isPart(segments.first())) {
            segments.removeFirst();
            takeRevision(segments, name);
        }
        return checked(name);
    }

    /// The revision in front, the file behind it; "refs/pr/1" is one revision.
    static void takeRevision(QStringList segments, HubName &name) {
        const qsizetype parts = segments.first() == QLatin1String("refs") && segments.size() >= 3 ? 3 : 1;
        name.revision = segments.mid(0, parts).join(QLatin1Char('/'));
        name.file = segments.mid(parts).join(QLatin1Char('/'));
    }

    Parsed<HubName> readPlain(const QString &text) {
        HubName name;
        const qsizetype at = text.indexOf(QLatin1Char('@'));
        QStringList segments = text.left(at < 0 ? text.size() : at).split(QLatin1Char('/'));
        if (const QString other = otherThing(segments.first()); !other.isEmpty() && segments.size() > 1)
            return refuse(other);
        if (at >= 0 && at + 1 == text.size())
            return refuse(Said::tr("Behind the @ a branch, a tag or a commit is missing."));
        name.repository = segments.mid(0, 2).join(QLatin1Char('/'));
        name.file = segments.mid(2).join(QLatin1Char('/'));
        if (at >= 0) {
            QStringList behind;
            for (const QString &part : text.mid(at + 1).split(QLatin1Char('/'))) // an encoded slash is one of the name
                behind += QUrl::fromPercentEncoding(part.toUtf8());
            takeRevision(behind, name);
        }
        if (const qsizetype colon = name.repository.indexOf(QLatin1Char(':')); colon >= 0) {
            name.variant = name.repository.mid(colon + 1);
            name.repository.truncate(colon);
        }
        return checked(name);
    }

    static QString otherThing(const QString &first) {
        if (first == QLatin1String("datasets"))
            return Said::tr("This is a data set, not a model.");
        if (first == QLatin1String("spaces"))
            return Said::tr("This is a Space, not a model.");
        if (isOneOf(first, {"collections", "papers", "docs", "models", "api", "blog", "settings", "organizations", "posts"}))
            return Said::tr("This address leads to “%1”, not to a model; a model’s address is like https://huggingface.co/Qwen/Qwen3-32B.").arg(first);
        return {};
    }

    static Parsed<HubName> checked(HubName name) {
        static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.-]*[A-Za-z0-9_]$|^[A-Za-z0-9_]$"));
        static const QRegularExpression revision(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_./+-]*$"));
        static const QRegularExpression variant(QStringLiteral("^[A-Za-z0-9_.-]{1,64}$"));
        const QString &repository = name.repository;
        const QStringList parts = repository.split(QLatin1Char('/'));
        const bool fine = repository.size() <= longestName && !repository.contains(QLatin1String("--")) && !repository.contains(QLatin1String("..")) &&
                          !repository.endsWith(QLatin1String(".git")) &&
                          std::all_of(parts.begin(), parts.end(), [](const QString &part) { return plain.match(part).hasMatch(); });
        if (!fine)
            return refuse(Said::tr("“%1” is no name of a model: expected maker/name in letters, digits, “-”, “_” and “.”, for example Qwen/Qwen3-32B.").arg(shown(repository)));
        if (!name.revision.isEmpty() && (name.revision.size() > longestRevision || name.revision.contains(QLatin1String("..")) || !revision.match(name.revision).hasMatch()))
            return refuse(Said::tr("“%1” is no name of a branch, a tag or a commit.").arg(shown(name.revision)));
        if (!name.file.isEmpty() && !staysInside(utf8(name.file)))
            return refuse(Said::tr("“%1” is no file of a repository.").arg(shown(name.file)));
        if (!name.variant.isEmpty() && !variant.match(name.variant).hasMatch())
            return refuse(Said::tr("“%1” is no name of a quantisation, such as Q4_K_M.").arg(shown(name.variant)));
        if (name.variant == QLatin1String("latest"))
            name.variant.clear();
        return {std::move(name), {}};
    }

    QString m_text;
    QUrl m_endpoint;
};

} // namespace

Parsed<HubName> readHubName(const QString &text, const QUrl &endpoint) { return NameReader(text, endpoint).read(); }

QString textOf(const HubName &name) {
    QString text = name.repository;
    if (!name.variant.isEmpty())
        text += QLatin1Char(':') + name.variant;
    if (!name.revision.isEmpty()) {
        const QStringList parts = name.revision.split(QLatin1Char('/'));
        const bool readWhole = parts.size() == 3 && parts.first() == QLatin1String("refs"); // as it stands
        text += QLatin1Char('@') + parts.join(readWhole ? QStringLiteral("/") : QStringLiteral("%2F"));
    }
    return name.file.isEmpty() ? text : text + QLatin1Char('/') + name.file;
}

bool isHubAddress(const QString &text, const QUrl &endpoint) {
    const QString trimmed = text.trimmed();
    if (trimmed.size() > longestText || trimmed.contains(QRegularExpression(QStringLiteral("\\s"))))
        return false;
    if (trimmed.startsWith(QLatin1String("hf://")))
        return true;
    const bool whole = trimmed.startsWith(QLatin1String("https://")) || trimmed.startsWith(QLatin1String("http://"));
    if (!whole && !trimmed.startsWith(QLatin1String("hf.co/")) && !trimmed.startsWith(QLatin1String("huggingface.co/")))
        return false;
    return isHubHost(QUrl(whole ? trimmed : QStringLiteral("https://") + trimmed), endpoint);
}

} // namespace kv
