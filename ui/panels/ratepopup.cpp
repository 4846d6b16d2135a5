// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ratepopup.h"

#include "core/base/quantity.h"
#include "core/workload/littleslaw.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/mnemonic.h"
#include "ui/panels/panel.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QGridLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScreen>

#include <cmath>

namespace kv {

namespace {

struct Typed {
    QString rate, seconds;
};
/// What was typed last, for the next time: nobody wants to type the same two numbers twice.
Typed &lastTyped() {
    static Typed typed;
    return typed;
}

std::optional<double> numberOf(const QLineEdit *edit) {
    bool fine = false;
    const double number = QLocale::c().toDouble(plainNumber(edit->text()).trimmed().remove(QLatin1Char(',')), &fine);
    return fine && std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

QString shortNumber(double number) {
    const QString text = localNumbers(QString::number(number, 'g', 6));
    return number >= 1e6 && number < 9e15 ? translated(writeNumber(std::llround(number))) : text;
}

} // namespace

RatePopup::RatePopup(std::int64_t sequences, QWidget *owner)
    : QWidget(owner, Qt::Popup), m_sequences(sequences), m_said(new Label(Label::Voice::Strong)), m_back(new Label(Label::Voice::Small)), m_take(new QPushButton) {
    setObjectName(QStringLiteral("ratePopup"));
    setAccessibleName(tr("Sequences from a request rate"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(em(0.5));
    m_rate = addField(grid, tr("&Requests"), "rateEdit", tr("a second"), tr("Requests that arrive in a second, on average: 12 or 0.5."));
    m_seconds = addField(grid, tr("&One takes"), "secondsEdit", tr("seconds"), tr("Seconds from a request’s arrival to its last token, on average."));
    m_rate->setText(lastTyped().rate);
    m_seconds->setText(lastTyped().seconds);
    for (Label *label : {m_said, m_back}) {
        label->setWordWrap(true);
        label->setMinimumWidth(em(15));
    }
    m_said->setObjectName(QStringLiteral("rateSaid"));
    m_back->setObjectName(QStringLiteral("rateBack"));
    m_take->setObjectName(QStringLiteral("rateTake"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(em(0.8), em(0.7), em(0.8), em(0.7));
    column->setSpacing(em(0.5));
    column->addWidget(new Label(Label::Voice::Section, tr("From a request rate")));
    column->addLayout(grid);
    column->addWidget(m_said);
    column->addWidget(m_back);
    column->addWidget(m_take);
    connect(m_take, &QPushButton::clicked, this, &RatePopup::take);
    for (QLineEdit *edit : {m_rate, m_seconds}) {
        connect(edit, &QLineEdit::textChanged, this, &RatePopup::answer);
        connect(edit, &QLineEdit::returnPressed, this, &RatePopup::take);
    }
    answer();
}

QLineEdit *RatePopup::addField(QGridLayout *grid, const QString &name, const char *objectName, const QString &unit, const QString &tip) {
    auto *label = new Label(Label::Voice::Body, name);
    auto *edit = new QLineEdit;
    describeInput(edit, QLatin1String(objectName), withoutMnemonic(name) + QLatin1Char(' ') + unit, tip, tip);
    edit->setFixedWidth(em(5.6));
    edit->setAlignment(Qt::AlignRight);
    label->setBuddy(edit);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(edit, row, 1);
    grid->addWidget(new Label(Label::Voice::Muted, unit), row, 2);
    grid->setColumnStretch(0, 1);
    return edit;
}

void RatePopup::answer() {
    lastTyped() = {m_rate->text(), m_seconds->text()};
    const std::optional<double> rate = numberOf(m_rate), seconds = numberOf(m_seconds);
    m_answer = rate && seconds ? sequencesInFlight(*rate, *seconds) : std::nullopt;
    const bool typed = !m_rate->text().isEmpty() && !m_seconds->text().isEmpty();
    if (m_answer)
        m_said->setWholeText(tr("%1 × %2 s = %3 in flight").arg(shortNumber(*rate), shortNumber(*seconds), translated(writeNumber(*m_answer))));
    else if (rate && seconds)
        m_said->setWholeText(tr("That is more than can be counted."));
    else
        m_said->setWholeText(typed ? tr("Both are numbers of 0 or more, such as 12 and 20.") : tr("Rate × seconds = sequences in flight"));
    const std::optional<double> back = seconds ? requestsPerSecond(m_sequences, *seconds) : std::nullopt;
    m_back->setWholeText(back ? tr("The %1 of now carry %2 requests a second.").arg(translated(writeNumber(m_sequences)), shortNumber(*back))
                              : tr("In the long run, for any arrivals (Little’s law)."));
    m_take->setEnabled(m_answer.has_value());
    m_take->setText(m_answer ? tr("&Use %1").arg(translated(writeNumber(*m_answer))) : tr("&Use"));
    adjustSize();
}

void RatePopup::take() {
    if (!m_answer)
        return;
    emit chosen(*m_answer);
    close();
}

void RatePopup::openUnder(const QWidget *button) {
    adjustSize();
    QPoint at = button->mapToGlobal(QPoint(0, button->height() + 2));
    if (const QScreen *screen = button->screen()) {
        const QRect room = screen->availableGeometry();
        at.setX(std::max(room.left(), std::min(at.x(), room.right() - width())));
        at.setY(at.y() + height() > room.bottom() ? button->mapToGlobal(QPoint(0, -height() - 2)).y() : at.y());
    }
    move(at);
    show();
    m_rate->setFocus(Qt::PopupFocusReason);
    m_rate->selectAll();
}

void RatePopup::paintEvent(QPaintEvent *) {
    const Colors &c = colorsOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), c.card);
    painter.setPen(c.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void RatePopup::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace kv
