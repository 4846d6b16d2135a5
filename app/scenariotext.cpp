// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scenariotext.h"

#include "core/base/plaintext.h"
#include "core/base/smallfile.h"
#include "core/scenario/scenariofile.h"
#ifdef KV_HAS_UI
#include "ui/picture.h"
#endif

#include <string_view>

namespace kv {

namespace {

bool isPicture(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n") || bytes.starts_with("%PDF-"); }

Parsed<std::string> insidePicture([[maybe_unused]] const std::string &bytes, const std::string &path) {
    std::string why = "is a picture, and this build, which has no window, does not look into pictures; give the .kvplan file";
#ifdef KV_HAS_UI
    if (const QByteArray text = pictureDocument(QByteArray::fromStdString(bytes)); !text.isEmpty())
        return {text.toStdString(), {}};
    why = "is a picture without a plan: pictures made by KV Planner carry theirs, as long as no other program has written them anew";
#endif
    return {std::nullopt, {errorNote("no-plan-inside", oneLine(path), oneLine(path) + " " + why)}};
}

} // namespace

Parsed<std::string> readScenarioText(const std::string &path) {
    Parsed<std::string> text = readSmallFile(path, maxScenarioBytes);
    return text && isPicture(*text) ? insidePicture(*text, path) : text;
}

} // namespace kv
