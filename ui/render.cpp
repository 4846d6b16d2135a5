// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render.h"

#include "core/base/plaintext.h"
#include "core/plan/evaluate.h"
#include "ui/application.h"
#include "ui/language/language.h"
#include "ui/paper.h"
#include "ui/reportfile.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QHashFunctions>

#include <algorithm>

namespace kv {

namespace {

/// A face by its name: a picture must look alike on every machine that has it, and SVG names it.
void takeFont() {
    QFont font = QApplication::font();
    for (const QLatin1String family : {QLatin1String("Inter"), QLatin1String("DejaVu Sans"), QLatin1String("Noto Sans")})
        if (QFontDatabase::hasFamily(family)) {
            font.setFamily(family);
            font.setPointSizeF(family == QLatin1String("Inter") ? 10 : 9);
            break;
        }
    QApplication::setFont(font);
}

void quiet(QtMsgType, const QMessageLogContext &, const QString &message) {
    // The offscreen platform says on every show what it cannot do; a picture needs none of it.
    if (!message.contains(QLatin1String("propagateSizeHints")) && !message.contains(QLatin1String("XDG_RUNTIME_DIR")))
        std::fprintf(stderr, "%s\n", qUtf8Printable(message));
}

/// Pages have names of code, "fitMap"; on the command line they are written as its other words are, "fit-map".
std::string viewWord(const std::string &page) {
    std::string word;
    for (const char c : page)
        word += c >= 'A' && c <= 'Z' ? std::string{'-', static_cast<char>(c - 'A' + 'a')} : std::string{c};
    return word;
}

QString pageOf(const std::string &view) {
    const std::vector<std::string> pages = paperPages();
    const auto found = std::ranges::find(pages, view, viewWord);
    return words(found == pages.end() ? view : *found);
}

PaperOrder orderOf(const RenderOptions &options) {
    PaperOrder order;
    order.page = pageOf(options.view);
    order.unit = options.unit;
    order.dark = options.dark;
    if (options.size)
        order.size = QSize(options.size->first, options.size->second);
    order.lesson = options.lesson;
    order.guess = options.guess;
    return order;
}

Note nothingThere(const RenderOptions &options) { return errorNote("usage", "--view", "--view " + options.view + ": this scenario has nothing to show there"); }

Note tooSmall(std::pair<int, int> asked, const QSize &whole) {
    const auto size = [](int width, int height) { return std::to_string(width) + "x" + std::to_string(height); };
    return errorNote("usage", "--size", "--size: " + size(asked.first, asked.second) + " would cut this picture, which takes " + size(whole.width(), whole.height()) +
                                            " or more; give that, or leave --size out");
}

/// The bytes of the file, or why there are none.
Parsed<QByteArray> made(const ScenarioDocument &document, const Plan &plan, const RenderOptions &options) {
    const QString path = words(options.output), suffix = QFileInfo(path).suffix().toLower();
    const auto refused = [](Note note) { return Parsed<QByteArray>{std::nullopt, {std::move(note)}}; };
    const std::optional<PictureForm> form = pictureForm(path);
    if (!form && options.view == "all" && isReportSuffix(suffix))
        return {reportFile(suffix, document.scenarios.front(), plan, options.unit, suffix == QLatin1String("html") ? reportFigures(document, options.unit) : ReportFigures{}), {}};
    if (!form && suffix.isEmpty())
        return refused(errorNote("usage", "-o", "-o: expected the name of a file with its ending, such as plan.png, found \"" + oneLine(options.output, 80) + "\"" +
                                                    (options.output == "-" ? "; standard output takes no picture" : "")));
    const bool csv = suffix == QLatin1String("csv");
    if (!form && !csv && suffix != QLatin1String("md"))
        return refused(errorNote("usage", "-o", "-o: " + options.output + ": expected .png, .svg or .pdf, or .csv or .md for its numbers" +
                                                    (options.view == "all" ? ", or .html, .tex or .json for the plan's report" : "") + "; found \"." + utf8(suffix) + "\""));
    Paper paper(document, orderOf(options));
    if (!paper.isWorthShowing())
        return refused(nothingThere(options));
    if (form && options.size)
        if (const QSize whole = paper.wholeSize(); whole != QSize(options.size->first, options.size->second))
            return refused(tooSmall(*options.size, whole));
    if (form) {
        QByteArray bytes = bytesOf(paper.record(), *form, options.scale);
        return bytes.isEmpty() ? refused(errorNote("cannot-write", "-o", "-o: there is not enough memory to paint this picture; a smaller --size or --scale takes less"))
                               : Parsed<QByteArray>{std::move(bytes), {}};
    }
    const std::string numbers = csv ? paper.csv() : paper.markdown();
    return numbers.empty() ? refused(nothingThere(options)) : Parsed<QByteArray>{QByteArray::fromStdString(numbers), {}};
}

} // namespace

std::vector<std::string> renderViews() {
    std::vector<std::string> words = paperPages();
    std::ranges::transform(words, words.begin(), viewWord);
    return words;
}

std::optional<Note> runRender(int argc, char **argv, const Scenario &scenario, const RenderOptions &options) {
    const Plan plan = evaluate(scenario);
    if (!plan.ok())
        return plan.refusal;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Which faces stand in for letters that the font lacks goes by the locale: by the picture's language, not by the machine's.
    qputenv("LC_ALL", options.language.empty() ? QByteArray("C.UTF-8") : QByteArray::fromStdString(options.language) + ".UTF-8");
    qunsetenv("QT_SCALE_FACTOR");
    qInstallMessageHandler(quiet);
    char *alone[]{argc > 0 ? argv[0] : nullptr, nullptr};
    int one = 1; // the options are the program's, not Qt's
    QHashSeed::setDeterministicGlobalSeed(); // by whose order a PDF has its fonts
    Application application(one, alone);
    speak(words(options.language));
    QApplication::setStyle(new Style);
    takeFont();
    ThemeKeeper theme;
    theme.setScheme(options.dark ? Scheme::Dark : Scheme::Light);

    ScenarioDocument document{options.beside, std::min(options.place, options.beside.size()), {}};
    document.scenarios.insert(document.scenarios.begin() + static_cast<std::ptrdiff_t>(document.current), scenario);
    Parsed<QByteArray> bytes = made(document, plan, options);
    if (!bytes)
        return bytes.notes.front();
    if (const QString fault = writeFile(words(options.output), *bytes); !fault.isEmpty())
        return errorNote("cannot-write", "-o", utf8(fault));
    return std::nullopt;
}

} // namespace kv
