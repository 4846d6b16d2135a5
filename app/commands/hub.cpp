// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/report/refusal.h"
#include "ui/hub/hubfetch.h"

#include <QCoreApplication>

#include <cstdio>

namespace kv {

namespace {

std::string listed(const QStringList &names) {
    std::string text;
    for (const QString &name : names)
        text += (text.empty() ? "" : ", ") + name.toStdString();
    return text;
}

std::string asJson(const HubFetched &fetched) {
    std::string text;
    JsonWriter out(text, true);
    out.beginObject();
    out.member("ok", true);
    out.member("repository", fetched.name.repository.toStdString());
    out.member("commit", fetched.commit.toStdString());
    out.member("path", fetched.folder.toStdString());
    out.endObject();
    return text + "\n";
}

} // namespace

int runHub(const CommandLine &line) {
    int argc = 1;
    char name[] = "kvplanner";
    char *argv[] = {name, nullptr};
    const QCoreApplication application(argc, argv); // the network needs one; nothing of it is shown
    const HubSettings settings = hubSettings(systemEnvironment());
    const Parsed<HubName> asked = readHubName(QString::fromStdString(line.file), settings.endpoint);
    if (!asked)
        return refuse(asked.notes.front(), line.form);
    const HubFetched fetched = fetchFromHub(*asked, settings, {});
    if (const Note *error = firstError(fetched.notes))
        return refuse(*error, line.form);
    if (!fetched.several.empty()) {
        const std::string repository = fetched.name.repository.toStdString();
        return refuse(errorNote("several-models", repository, repository + " holds several models; name one behind a slash: " + listed(fetched.several)), line.form);
    }
    for (const Note &note : fetched.notes)
        std::fprintf(stderr, "kvplanner: %s\n", note.text.c_str());
    print(line.form == Form::Json ? asJson(fetched) : fetched.folder.toStdString() + "\n");
    return ExitStatus::Made;
}

} // namespace kv
