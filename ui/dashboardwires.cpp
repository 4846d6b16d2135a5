// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a Dashboard ask of it and of the document.
#include "ui/dashboard.h"

#include "ui/controls/tabcard.h"
#include "ui/drafts.h"
#include "ui/flightfinder.h"
#include "ui/nearestfinder.h"
#include "ui/panels/explainpanel.h"
#include "ui/panels/layerstrip.h"
#include "ui/panels/logpanel.h"
#include "ui/panels/messagestrip.h"
#include "ui/scenariocolumn.h"
#include "ui/scenariotabs.h"
#include "ui/view.h"
#include "ui/views.h"

namespace kv {

void Dashboard::connectAll() {
    connect(m_column, &ScenarioColumn::edited, m_document, &Document::edit);
    connect(m_column, &ScenarioColumn::cardChanged, this, &Dashboard::cardChanged);
    connect(m_column, &ScenarioColumn::openAsked, this, &Dashboard::openAsked);
    connect(m_column, &ScenarioColumn::hubAsked, this, &Dashboard::hubAsked);
    connect(m_column, &ScenarioColumn::pasteAsked, this, &Dashboard::pasteAsked);
    connect(m_column, &ScenarioColumn::pathAsked, this, &Dashboard::pathAsked);
    connect(m_column, &ScenarioColumn::traceAsked, this, &Dashboard::traceAsked);
    connect(m_column, &ScenarioColumn::columnsAsked, this, &Dashboard::columnsAsked);
    connect(m_column, &ScenarioColumn::refused, this, [this](const QString &sentence) { sayOfEntry(true, sentence); });
    connect(m_document, &Document::turning, m_drafts, &Drafts::take);
    connect(m_column, &ScenarioColumn::remarked, this, [this](const QString &sentence) {
        m_messages->pass({MessageStrip::Kind::Warning, sentence, {}});
    });
    connect(m_document, &Document::changed, this, &Dashboard::present);
    connect(m_nearest, &NearestFinder::found, this, &Dashboard::presentRefusal);
    connect(m_flight, &FlightFinder::found, this, &Dashboard::presentFigures);
    connect(m_scenarios, &ScenarioTabs::chosen, m_document, &Document::setCurrent);
    connect(m_scenarios, &ScenarioTabs::ordered, this, [this](std::size_t from, std::size_t to) {
        m_document->moveScenario(tr("Move Scenario"), from, to);
    });
    connect(m_logPanel, &LogPanel::calibrateAsked, this, &Dashboard::calibrateAsked);
    connect(m_logPanel, &LogPanel::closeAsked, this, &Dashboard::closeLogAsked);
    connectViews();
    connect(m_layers, &LayerStrip::kindPointed, this, &Dashboard::light);
    connect(m_explain, &ExplainPanel::kindPointed, this, &Dashboard::light);
    for (TabCard *card : {m_charts, m_side})
        connect(card, &TabCard::currentChanged, this, [this] {
            presentFront();
            emit viewChanged();
        });
}

void Dashboard::connectViews() {
    for (const ViewPage &page : m_views) {
        connect(page.view, &View::edited, m_document, &Document::edit);
        connect(page.view, &View::editedAll, m_document, &Document::editAll);
        connect(page.view, &View::turned, m_document, &Document::setCurrent);
        connect(page.view, &View::ghostAsked, this, [this, id = page.view->objectName()](std::shared_ptr<const Ghost> ghost) {
            m_ghostPasses = id == QLatin1String("levers");
            showGhost(std::move(ghost));
        });
        connect(page.view, &View::answerKept, this, &Dashboard::keepAnswer);
        connect(page.view, &View::wanted, this, &Dashboard::showPage);
        connect(page.view, &View::offered, this, [this, asking = page.view](const QString &id) {
            for (TabCard *card : {m_charts, m_side})
                if (card->current() != asking)
                    card->setCurrent(this->page(id));
        });
        connect(page.view, &View::pageAsked, this, &Dashboard::pageAsked);
        connect(page.view, &View::hinted, this, [this](const QString &sentence) { sayOfEntry(false, sentence); });
    }
}

} // namespace kv
