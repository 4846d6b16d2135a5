// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a MainWindow: its menus' side of ui/exporter.h.
#include "ui/mainwindow.h"

#include "core/report/extras.h"
#include "core/report/latex.h"
#include "core/report/markdown.h"
#include "ui/actions.h"
#include "ui/dashboard.h"
#include "ui/exporter.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/reportfile.h"

namespace kv {

void MainWindow::connectExports() {
    const Actions &a = *m_actions;
    Settings *settings = m_program->settings();
    connect(m_exporter, &Exporter::done, this, &MainWindow::hint);
    connect(m_exporter, &Exporter::failed, this, [this](const QString &sentence) { m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, sentence, {}}); });
    connect(a.copyImage, &QAction::triggered, this, [this] { m_exporter->copyPicture(shownDocument(), paperOrder(QStringLiteral("all"))); });
    connect(a.exportImage, &QAction::triggered, this, [this] { m_exporter->savePicture(shownDocument(), paperOrder(QStringLiteral("all")), fileStem()); });
    connect(a.print, &QAction::triggered, this, [this] { m_exporter->print(shownDocument(), paperOrder(QStringLiteral("all"))); });
    connect(a.exportReport, &QAction::triggered, this, [this] { exportReport(tr("Export Report"), tr("Reports (*.html *.md *.tex)"), QStringLiteral("html")); });
    connect(a.exportData, &QAction::triggered, this, [this] { exportReport(tr("Export Data"), tr("Data (*.csv *.json)"), QStringLiteral("csv")); });
    const auto copy = [this](auto make) {
        return [this, make] {
            if (m_document.goodPlan().ok())
                m_exporter->copyText({[make, scenario = m_document.goodScenario(), plan = m_document.goodPlan(), unit = m_dashboard->unit()] { return make(scenario, plan, unit); }, true});
        };
    };
    connect(a.copyLatex, &QAction::triggered, this, copy([](const Scenario &scenario, const Plan &plan, SizeUnit unit) { return planLatex(scenario, plan, unit); }));
    connect(a.copyReport, &QAction::triggered, this, copy([](const Scenario &scenario, const Plan &plan, SizeUnit unit) {
                PlanExtras extras;
                extras.inFlight = inFlight(scenario, plan);
                extras.floor = decodeFloor(scenario, plan);
                return planMarkdown(scenario, plan, unit, &extras);
            }));
    for (QAction *size : a.pictureSizes->actions())
        connect(size, &QAction::triggered, this, [settings, size] { settings->setPictureScale(size->data().toInt()); });
    connect(a.darkPictures, &QAction::triggered, this, [settings](bool dark) { settings->setDarkPictures(dark); });
    // Another window may have changed it meanwhile.
    connect(a.pictureMenu, &QMenu::aboutToShow, this, [this, settings] { m_actions->showPictures(settings->pictureScale(), settings->darkPictures()); });
    m_actions->showPictures(settings->pictureScale(), settings->darkPictures());
}

/// The document as the window shows it: what was refused last is not what a picture is of.
ScenarioDocument MainWindow::shownDocument() {
    ScenarioDocument document = m_document.value();
    document.scenarios[document.current] = m_document.goodScenario();
    return document;
}

PaperOrder MainWindow::paperOrder(const QString &page) {
    PaperOrder order;
    order.page = page;
    order.unit = m_dashboard->unit();
    order.dark = m_program->settings()->darkPictures();
    order.like = m_dashboard;
    return order;
}

QString MainWindow::fileStem() const { return documentName().section(QLatin1Char('.'), 0, 0); }

void MainWindow::exportReport(const QString &title, const QString &filter, const QString &suffix) {
    if (!m_document.goodPlan().ok())
        return hint(tr("There is nothing to show of this until the settings agree."));
    const ScenarioDocument document = shownDocument();
    const SizeUnit unit = m_dashboard->unit();
    const auto figures = std::make_shared<ReportFigures>();
    const auto draw = [figures, document, unit](const QString &form) {
        if (form == QLatin1String("html")) // nothing else has charts
            *figures = reportFigures(document, unit);
    };
    m_exporter->saveFile([document, unit, plan = m_document.goodPlan(), figures](const QString &form) {
            return reportFile(form, document.scenarios[document.current], plan, unit, *figures);
        }, title, fileStem(), filter, suffix, draw);
}

void MainWindow::leave(const ViewExports &exports, PageUse use) {
    const QString stem = exports.fileStem;
    switch (use) {
    case PageUse::CopyMarkdown:
        return m_exporter->copyText(exports.markdown);
    case PageUse::CopyCsv:
        return m_exporter->copyText(exports.csv);
    case PageUse::CopyLatex:
        return m_exporter->copyText(exports.latex);
    case PageUse::CopyImage:
        return m_exporter->copyPicture(shownDocument(), paperOrder(exports.page));
    case PageUse::SaveMarkdown:
        return m_exporter->saveText(exports.markdown, tr("Save as Markdown"), stem, tr("Markdown (*.md)"), QStringLiteral("md"));
    case PageUse::SaveCsv:
        return m_exporter->saveText(exports.csv, tr("Save as CSV"), stem, tr("CSV (*.csv)"), QStringLiteral("csv"));
    case PageUse::SaveImage:
        return m_exporter->savePicture(shownDocument(), paperOrder(exports.page), stem);
    case PageUse::Print:
        return m_exporter->print(shownDocument(), paperOrder(exports.page));
    }
}

} // namespace kv
