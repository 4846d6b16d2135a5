// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/figurelist.h"

#include "ui/controls/label.h"
#include "ui/theme.h"

#include <QGridLayout>

namespace kv {

FigureList::FigureList(const QString &objectName, QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    setObjectName(objectName);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(em(0.6));
    m_grid->setVerticalSpacing(em(0.15));
    m_grid->setColumnStretch(0, 1);
}

void FigureList::present(const QList<Line> &lines) {
    while (m_pairs.size() < lines.size()) {
        const Pair made{new Label(Label::Voice::Muted), new Label(Label::Voice::Strong)};
        const int row = static_cast<int>(m_pairs.size());
        made.name->setEliding(true);
        made.figure->setObjectName(objectName() + QString::number(row + 1));
        m_grid->addWidget(made.name, row, 0);
        m_grid->addWidget(made.figure, row, 1, Qt::AlignRight);
        m_pairs.append(made);
    }
    for (qsizetype i = 0; i < m_pairs.size(); ++i) {
        const Line line = lines.value(i);
        const Pair &pair = m_pairs.at(i);
        pair.name->setWholeText(line.name);
        pair.figure->setWholeText(line.figure);
        pair.figure->setAccessibleName(i < lines.size() ? QStringLiteral("%1: %2").arg(line.name, line.figure) : QString());
        pair.name->setVisible(i < lines.size());
        pair.figure->setVisible(i < lines.size());
    }
    setVisible(!lines.isEmpty());
}

} // namespace kv
