// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/devicerows.h"

#include "core/base/quantity.h"
#include "ui/controls/quantityedit.h"
#include "ui/controls/searchlist.h"
#include "ui/facts.h"
#include "ui/language/translate.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace kv {

namespace {

/// Cards alone: what leads to other questions stands in the panel's own list.
QList<Choice> cardsOnly() {
    QList<Choice> choices = gpuChoices();
    choices.removeIf([](const Choice &choice) { return choice.action; });
    return choices;
}

} // namespace

DeviceRows::DeviceRows(QWidget *parent) : QWidget(parent), m_lines(new QVBoxLayout), m_add(new QPushButton(tr("Add another &kind of card"))) {
    describeInput(m_add, QStringLiteral("deviceAdd"), tr("Add another kind of card"), tr("A further kind of GPU in the same machine."),
                  tr("llama.cpp splits the layers over unlike cards by the memory free on each, or by its option tensor_split."));
    connect(m_add, &QPushButton::clicked, this, &DeviceRows::added);
    m_lines->setSpacing(em(0.3));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.3));
    column->addLayout(m_lines);
    column->addWidget(m_add);
}

DeviceRows::Row DeviceRows::makeRow(int device) {
    Row row{new QWidget, new SearchList,
            new QuantityEdit(
                [](std::string_view text) {
                    const auto count = readCount(text, "cards");
                    return Parsed<std::int64_t>{count ? std::optional(count->value) : std::nullopt, count.notes};
                },
                [](std::int64_t value) { return translated(writeNumber(value)); })};
    const QString number = QString::number(device);
    describeInput(row.card, QStringLiteral("deviceChooser") + number, tr("Card %1").arg(device + 1), tr("A further kind of GPU in the same machine."),
                  tr("A further kind of GPU in the same machine."));
    row.card->setChoices(cardsOnly());
    row.card->setSearchHint(tr("Search %1 accelerators"));
    describeInput(row.count, QStringLiteral("deviceCount") + number, tr("Number of card %1").arg(device + 1), tr("How many of them."), tr("How many of them."));
    row.count->setTip(tr("How many of them."));
    row.count->setFixedWidth(em(3.2));
    row.count->setStep([](std::int64_t value, int direction) { return std::max<std::int64_t>(1, value + direction); });
    auto *cross = new QToolButton;
    cross->setText(QStringLiteral("✕"));
    cross->setAutoRaise(true);
    describeInput(cross, QStringLiteral("deviceRemove") + number, tr("Take card %1 out").arg(device + 1), tr("Take this kind of card out."), tr("Take this kind of card out."));
    connect(row.card, &SearchList::chosen, this, [this, device](const QString &id) { emit cardChosen(device, id); });
    connect(row.count, &QuantityEdit::edited, this, [this, device](qint64 count, int gesture) { emit countEdited(device, count, gesture); });
    connect(row.count, &QuantityEdit::refused, this, &DeviceRows::refused);
    // Later: the line goes with the click on it.
    connect(cross, &QToolButton::clicked, this, [this, device] { emit removed(device); }, Qt::QueuedConnection);
    auto *line = new QHBoxLayout(row.line);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(em(0.3));
    line->addWidget(row.card, 1);
    line->addWidget(row.count);
    line->addWidget(cross);
    m_lines->addWidget(row.line);
    return row;
}

void DeviceRows::present(const std::vector<Device> &devices) {
    const int wanted = std::max(0, static_cast<int>(devices.size()) - 1);
    while (m_rows.size() > wanted) { // gone at once for whoever looks for it; its own signal may be on the way
        QWidget *line = m_rows.takeLast().line;
        line->hide();
        line->setParent(nullptr);
        line->deleteLater();
    }
    while (m_rows.size() < wanted)
        m_rows += makeRow(static_cast<int>(m_rows.size()) + 1);
    const bool other = gpus().data() != m_listed;
    m_listed = gpus().data();
    for (int i = 0; i < wanted; ++i) {
        const Device &device = devices[static_cast<std::size_t>(i) + 1];
        const Gpu *gpu = findGpu(device.gpu);
        if (other)
            m_rows.at(i).card->setChoices(cardsOnly());
        m_rows.at(i).card->setCurrent(words(device.gpu), gpu ? words(gpu->name) : words(device.gpu));
        const QSignalBlocker quiet(m_rows.at(i).count);
        m_rows.at(i).count->setValue(device.count.value);
    }
}

} // namespace kv
