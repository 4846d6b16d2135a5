// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render.h"

#include "core/plan/evaluate.h"
#include "core/report/inwords.h"
#include "ui/application.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/dashboard.h"
#include "ui/document.h"
#include "ui/growthsweep.h"
#include "ui/picture.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFontDatabase>
#include <QPainter>

#include <algorithm>
#include <memory>

namespace kv {

namespace {

/// A chart alone, painted at the size asked for.
class ChartPicture : public QWidget {
public:
    ChartPicture(const Scenario &scenario, const Plan &plan, const RenderOptions &options) : m_gpus(options.view == RenderOptions::View::Gpus) {
        const ChartStyle style = ChartStyle::fromPalette(QApplication::palette(), QApplication::font());
        m_style = style;
        m_gpuChart.show(plan, options.unit, style);
        if (!m_gpus)
            m_growthChart.show(growthSweep(scenario, plan), plan, options.unit, style);
        m_growthChart.setTitle(QCoreApplication::translate("kv::Render", "Growth with context"));
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), colorsOf(palette()).card);
        const QRectF target = QRectF(rect()).adjusted(em(1), em(0.8), -em(1), -em(0.8));
        if (m_gpus)
            m_gpuChart.paintTo(painter, target, m_style);
        else
            m_growthChart.paintTo(painter, target, m_style);
    }

private:
    bool m_gpus;
    GpuChart m_gpuChart;
    GrowthChart m_growthChart;
    ChartStyle m_style;
};

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
    QApplication::setStyle(new Style);
    takeFont();
    ThemeKeeper theme;
    theme.setScheme(options.dark ? Scheme::Dark : Scheme::Light);

    const ScenarioDocument kept{{scenario}, 0, {}};
    Document document(kept);
    PictureNotes notes;
    for (const std::string &item : captionOf(scenario, plan, utf8(pictureDate())))
        notes.caption += words(item);
    notes.document = QByteArray::fromStdString(writeDocument(kept, {}));
    std::unique_ptr<QWidget> view;
    if (options.view == RenderOptions::View::All) {
        auto dashboard = std::make_unique<Dashboard>(&document);
        dashboard->setUnit(options.unit);
        view = std::move(dashboard);
    } else {
        view = std::make_unique<ChartPicture>(scenario, plan, options);
    }
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
