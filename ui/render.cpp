// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render.h"

#include "core/plan/evaluate.h"
#include "core/report/inwords.h"
#include "ui/application.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/controls/card.h"
#include "ui/dashboard.h"
#include "ui/document.h"
#include "ui/growthsweep.h"
#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/maps/fitmapview.h"
#include "ui/picture.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/viewexport.h"
#include "ui/views.h"
#include "ui/words.h"

#include <QFontDatabase>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace kv {

namespace {

constexpr std::string_view secondMap = "settingsMap"; ///< a page of the fit map

/// One of the two charts that are no page of ui/views.h, alone.
std::unique_ptr<QWidget> chartPage(const Scenario &scenario, const Plan &plan, const RenderOptions &options) {
    const ChartStyle style = ChartStyle::fromPalette(QApplication::palette(), QApplication::font());
    if (options.view == "gpus") {
        auto chart = std::make_shared<GpuChart>();
        chart->show(plan, options.unit, style);
        return std::make_unique<PicturePage>([chart](QPainter &painter, const QRectF &target, const ChartStyle &look) { chart->paintTo(painter, target, look); });
    }
    auto chart = std::make_shared<GrowthChart>();
    chart->show(growthSweep(scenario, plan), plan, options.unit, style);
    return std::make_unique<PicturePage>([chart](QPainter &painter, const QRectF &target, const ChartStyle &look) { chart->paintTo(painter, target, look); });
}

/// A page of the window alone: as it paints itself for pictures, or the widget on a sheet; nothing where the scenario gives it nothing to show.
std::unique_ptr<QWidget> viewPage(const ScenarioDocument &document, const Plan &plan, const RenderOptions &options) {
    const std::string_view id = options.view == secondMap ? std::string_view("fitMap") : options.view;
    const auto entry = std::ranges::find(viewEntries(), id, &ViewEntry::id);
    std::unique_ptr<View> view(entry->make());
    if (auto *maps = qobject_cast<FitMapView *>(view.get()); maps && options.view == secondMap)
        maps->setMap(FitMapView::Map::Settings);
    const Scenario &scenario = document.scenarios[document.current];
    if (!view->isWorthShowing(scenario, plan))
        return nullptr;
    const ChartStyle style = ChartStyle::fromPalette(QApplication::palette(), QApplication::font());
    view->present({document, scenario, plan, options.unit, style, nullptr});
    view->settle();
    if (view->picture())
        return std::make_unique<PicturePage>([kept = std::shared_ptr<View>(std::move(view))](QPainter &painter, const QRectF &target, const ChartStyle &look) {
            kept->picture()(painter, target, look);
        });
    auto sheet = std::make_unique<Card>();
    auto *layout = new QVBoxLayout(sheet.get());
    layout->setContentsMargins(em(1), em(0.8), em(1), em(0.8));
    layout->addWidget(view.release());
    return sheet;
}

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
    if (!message.contains(QLatin1String("propagateSizeHints")))
        std::fprintf(stderr, "%s\n", qUtf8Printable(message));
}

} // namespace

std::vector<std::string> renderViews() {
    std::vector<std::string> ids{"all", "gpus", "growth"};
    for (const ViewEntry &entry : viewEntries())
        ids.emplace_back(entry.id);
    ids.emplace_back(secondMap);
    return ids;
}

std::optional<Note> runRender(int argc, char **argv, const Scenario &scenario, const RenderOptions &options) {
    const Plan plan = evaluate(scenario);
    if (!plan.ok())
        return plan.refusal;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qunsetenv("QT_SCALE_FACTOR");
    qInstallMessageHandler(quiet);
    char *alone[]{argc > 0 ? argv[0] : nullptr, nullptr};
    int one = 1; // the options are the program's, not Qt's
    Application application(one, alone);
    speak(words(options.language));
    QApplication::setStyle(new Style);
    takeFont();
    ThemeKeeper theme;
    theme.setScheme(options.dark ? Scheme::Dark : Scheme::Light);

    ScenarioDocument kept{{scenario}, 0, {}};
    kept.scenarios.insert(kept.scenarios.end(), options.beside.begin(), options.beside.end());
    Document document(kept);
    PictureNotes notes;
    for (const std::string &item : captionOf(scenario, plan, utf8(pictureDate())))
        notes.caption += translated(item);
    notes.document = QByteArray::fromStdString(writeDocument(kept, {}));
    std::unique_ptr<QWidget> view;
    if (options.view == "all") {
        auto dashboard = std::make_unique<Dashboard>(&document);
        dashboard->setUnit(options.unit);
        view = std::move(dashboard);
    } else if (options.view == "gpus" || options.view == "growth") {
        view = chartPage(scenario, plan, options);
    } else {
        view = viewPage(kept, plan, options);
    }
    if (!view)
        return errorNote("usage", "--view", "--view " + options.view + ": this scenario has nothing to show there");
    view->setAttribute(Qt::WA_DontShowOnScreen);
    view->resize(options.width, std::max(1, options.height - captionHeight(notes.caption, options.width)));
    view->show();
    document.flush();
    QApplication::processEvents();
    const QString fault = writePicture(*view, words(options.output), options.scale, notes);
    view.reset();
    if (!fault.isEmpty())
        return errorNote("cannot-write", "-o", utf8(fault));
    return std::nullopt;
}

} // namespace kv
