// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/drafts.h"

#include "ui/controls/quantityedit.h"

#include <algorithm>

namespace kv {

namespace {

constexpr std::size_t mostDrafts = 32;

/// Entries of an engine's options are lines of their own kind (ui/panels/enginepanel.cpp).
QList<QLineEdit *> optionLines(const QWidget *inside) {
    QList<QLineEdit *> lines;
    for (QLineEdit *line : inside->findChildren<QLineEdit *>())
        if (line->objectName().startsWith(QLatin1String("option_")) && line->isModified())
            lines += line;
    return lines;
}

} // namespace

Drafts::Drafts(QWidget *inside) : QObject(inside), m_inside(inside) {}

void Drafts::take() {
    for (QuantityEdit *edit : m_inside->findChildren<QuantityEdit *>())
        if (edit->isUnread() && !edit->isWrong())
            edit->take();
    for (QLineEdit *line : optionLines(m_inside))
        emit line->editingFinished();
}

bool Drafts::leave(const ScenarioDocument &document) {
    const std::size_t index = std::min(document.current, document.scenarios.size() - 1);
    const bool another = m_count > 0 && (index != m_index || document.scenarios.size() != m_count);
    if (another)
        if (QList<Typed> typed = putAside(); !typed.isEmpty())
            m_drafts.push_back({m_index, m_scenario, std::move(typed)});
    if (m_drafts.size() > mostDrafts)
        m_drafts.erase(m_drafts.begin());
    m_index = index;
    m_count = document.scenarios.size();
    m_scenario = document.scenarios[index];
    return another;
}

QList<Drafts::Typed> Drafts::putAside() {
    QList<Typed> typed;
    for (QuantityEdit *edit : m_inside->findChildren<QuantityEdit *>())
        if (edit->isUnread()) {
            typed += {edit->objectName(), edit->text()};
            edit->drop();
        }
    for (QLineEdit *line : optionLines(m_inside)) {
        typed += {line->objectName(), line->text()};
        line->setModified(false);
    }
    return typed;
}

void Drafts::enter(const ScenarioDocument &document) {
    // In its own place, or where it was moved to: then its place holds another, or none.
    const auto found = std::ranges::find_if(m_drafts, [&](const Draft &draft) {
        const bool stays = draft.index < document.scenarios.size() && document.scenarios[draft.index] == draft.scenario;
        return draft.scenario == m_scenario && (draft.index == m_index || !stays);
    });
    if (found == m_drafts.end())
        return;
    const QList<Typed> typed = std::move(found->typed);
    m_drafts.erase(found);
    for (const auto &[entry, text] : typed)
        if (auto *edit = m_inside->findChild<QuantityEdit *>(entry)) {
            edit->typeAgain(text);
        } else if (auto *line = m_inside->findChild<QLineEdit *>(entry)) {
            line->setText(text);
            line->setModified(true);
        }
}

} // namespace kv
