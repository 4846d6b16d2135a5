// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reportfile.h"

#include "core/launch/launch.h"
#include "core/report/csv.h"
#include "core/report/extras.h"
#include "core/report/html.h"
#include "core/report/latex.h"
#include "core/report/markdown.h"
#include "core/report/planjson.h"
#include "ui/language/language.h"
#include "ui/paper.h"
#include "ui/words.h"

#include <QCoreApplication>

namespace kv {

bool isReportSuffix(const QString &suffix) {
    static const QStringList all{QStringLiteral("md"), QStringLiteral("html"), QStringLiteral("csv"), QStringLiteral("json"), QStringLiteral("tex")};
    return all.contains(suffix);
}

ReportFigures reportFigures(const ScenarioDocument &document, SizeUnit unit) {
    const AsInFiles english(AsInFiles::Words::English); // as the report around them
    ReportFigures figures;
    for (const auto &[page, title] : {std::pair(QStringLiteral("gpus"), QCoreApplication::translate("kv::Report", "Memory of each GPU")),
                                      std::pair(QStringLiteral("growth"), QCoreApplication::translate("kv::Report", "Growth with context"))}) {
        PaperOrder order;
        order.page = page;
        order.unit = unit;
        order.size = QSize(900, page == QLatin1String("gpus") ? 400 : 480);
        Paper paper(document, order);
        if (paper.isWorthShowing())
            figures.emplace_back(title, paper.record());
    }
    return figures;
}

QByteArray reportFile(const QString &suffix, const Scenario &scenario, const Plan &plan, SizeUnit unit, const ReportFigures &figures) {
    const AsInFiles english(AsInFiles::Words::English);
    PlanExtras extras;
    extras.inFlight = inFlight(scenario, plan);
    extras.floor = decodeFloor(scenario, plan);
    std::string text;
    if (suffix == QLatin1String("md")) {
        text = planMarkdown(scenario, plan, unit, &extras);
    } else if (suffix == QLatin1String("html")) {
        std::vector<HtmlFigure> drawn;
        for (const auto &[title, recording] : figures)
            drawn.push_back({utf8(title), bytesOf(recording, PictureForm::Svg, 1).toStdString()});
        text = planHtml(scenario, plan, unit, &extras, drawn, utf8(pictureDate()));
    } else if (suffix == QLatin1String("csv")) {
        text = planCsv(scenario, plan);
    } else if (suffix == QLatin1String("tex")) {
        text = planLatex(scenario, plan, unit);
    } else {
        const LaunchCommand launch = launchCommand(scenario);
        appendPlanJson(text, scenario, plan, nullptr, true, &launch, &extras);
        text += "\n";
    }
    return QByteArray::fromStdString(text);
}

} // namespace kv
