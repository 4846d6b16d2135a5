// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/modelpanel.h"

#include "ui/controls/label.h"
#include "ui/controls/searchlist.h"
#include "ui/facts.h"
#include "ui/language/translate.h"
#include "ui/storedmodels.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace kv {

QString modelTitle(const Scenario &scenario) {
    if (!scenario.model.name.empty())
        return words(scenario.model.name);
    if (scenario.model.spec && !scenario.model.spec->name.empty())
        return words(scenario.model.spec->name);
    return words(scenario.model.preset.empty() ? scenario.model.path : scenario.model.preset);
}

ModelPanel::ModelPanel(QWidget *parent)
    : Panel(parent), m_chooser(new SearchList), m_facts(new Label(Label::Voice::Small)), m_open(new QPushButton(tr("O&pen…"))),
      m_hub(new QPushButton(tr("From the H&ub…"))) {
    auto *title = new Label(Label::Voice::Section, tr("&Model"));
    title->setBuddy(m_chooser);
    describeInput(m_chooser, QStringLiteral("modelChooser"), tr("Model"), tr("The model that is served."),
                  tr("The model that is served. Its config says how many layers cache, and how much each token costs. "
                     "Type a name, a maker, a kind of attention or a size to search."));
    m_chooser->setTip(m_chooser->accessibleDescription());
    m_chooser->setChoices(modelChoices());
    findStored();
    m_chooser->setSearchHint(tr("Search %1 models"));
    m_facts->setObjectName(QStringLiteral("modelFacts"));
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    describeInput(m_open, QStringLiteral("openConfigButton"), tr("Open a model"),
                  tr("Plan for a model of your own, from its config.json, its folder or its GGUF file."),
                  tr("Reads a config.json, a model folder, a .gguf or a .safetensors file from disk. You can also drop one "
                     "anywhere on the window."));
    connect(m_chooser, &SearchList::chosen, this, &ModelPanel::choose);
    describeInput(m_hub, QStringLiteral("fromHubButton"), tr("From the Hub"), tr("Plan for a model on the Hub, by its name."),
                  tr("Fetches the config and the headers of the weights of a model on the Hugging Face Hub, never the weights. Nothing is fetched before you say so."));
    connect(m_hub, &QPushButton::clicked, this, &ModelPanel::hubAsked);
    connect(m_open, &QPushButton::clicked, this, &ModelPanel::openAsked);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addWidget(title);
    column->addWidget(m_chooser);
    column->addWidget(m_facts);
    auto *ways = new QHBoxLayout;
    ways->setSpacing(em(0.5));
    ways->addWidget(m_open, 1);
    ways->addWidget(m_hub, 1);
    column->addLayout(ways);
}

void ModelPanel::findStored() {
    findStoredModels(this, [this](const QList<Choice> &stored) { m_chooser->setChoices(stored + modelChoices()); });
}

void ModelPanel::present(const Scenario &scenario, const Plan &, SizeUnit) {
    // Another may have been fetched a moment ago.
    if (m_path != scenario.model.path) {
        m_path = scenario.model.path;
        if (!m_path.empty())
            findStored();
    }
    m_chooser->setCurrent(words(scenario.model.preset), modelTitle(scenario));
    m_facts->setParts(scenario.model.spec ? modelFacts(*scenario.model.spec) : QStringList());
}

void ModelPanel::choose(const QString &id) {
    if (id.startsWith(storedIdBegin))
        return emit pathAsked(id.mid(storedIdBegin.size()));
    const auto read = presetModel(utf8(id));
    if (!read) {
        const Note *error = firstError(read.notes);
        return emit refused(error ? translated(*error) : tr("This model cannot be read."));
    }
    const ModelChoice choice{utf8(id), {}, {}, *read};
    emit edited(tr("Choose %1").arg(words((*read)->name)), 0, [choice](Scenario &s) {
        s.model = choice;
        s.weights = {}; // sizes and types given for another model mean nothing here
    });
}

} // namespace kv
