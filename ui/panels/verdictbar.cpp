// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/verdictbar.h"

#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QAccessible>
#include <QEvent>
#include <QLabel>

namespace kv {

namespace {

struct Look {
    const char16_t *symbol;
    const char *spoken;
    QColor Colors::*stripe;
    QColor Colors::*text;
};

Look lookOf(Verdict::State state) {
    switch (state) {
    case Verdict::State::Fits:
        return {u"✓", QT_TRANSLATE_NOOP("kv::VerdictBar", "Fits"), &Colors::good, &Colors::goodText};
    case Verdict::State::Tight:
        return {u"!", QT_TRANSLATE_NOOP("kv::VerdictBar", "Fits, but only just"), &Colors::tight, &Colors::tightText};
    case Verdict::State::DoesNotFit:
        return {u"✕", QT_TRANSLATE_NOOP("kv::VerdictBar", "Does not fit"), &Colors::bad, &Colors::badText};
    case Verdict::State::Refused:
        break;
    }
    return {u"?", QT_TRANSLATE_NOOP("kv::VerdictBar", "Not planned"), &Colors::muted, &Colors::muted};
}

QLabel *plainLabel(const QString &objectName, QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

VerdictBar::VerdictBar(QWidget *parent)
    : Card(parent), m_symbol(plainLabel(QStringLiteral("verdictSymbol"), this)),
      m_headline(plainLabel(QStringLiteral("verdictHeadline"), this)), m_detail(plainLabel(QStringLiteral("verdictDetail"), this)) {
    setObjectName(QStringLiteral("verdict"));
    m_symbol->setWordWrap(false);
    m_symbol->setTextInteractionFlags(Qt::NoTextInteraction);
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    takeFont();
}

void VerdictBar::present(const Verdict &verdict) {
    const bool turned = verdict.state != m_verdict.state || m_headline->text().isEmpty();
    m_verdict = verdict;
    const Look look = lookOf(verdict.state);
    m_symbol->setText(QString::fromUtf16(look.symbol));
    m_headline->setText(words(verdict.headline));
    m_detail->setText(words(verdict.detail));
    setAccessibleName(tr(look.spoken) + joint(": ") + m_headline->text());
    setAccessibleDescription(m_detail->text());
    m_symbol->setAccessibleName(tr(look.spoken));
    if (turned)
        takeColors();
    place();
}

QString VerdictBar::headline() const { return m_headline->text(); }
QString VerdictBar::detail() const { return m_detail->text(); }

QFont VerdictBar::headlineFont() const {
    // A sentence that does not fit the line is set smaller before it is broken.
    double factor = type::headline;
    const int room = width() - em(3.7);
    while (factor > 1.25 && QFontMetrics(scaledFont(factor, QFont::DemiBold)).horizontalAdvance(m_headline->text()) > room)
        factor -= 0.06;
    return scaledFont(factor, QFont::DemiBold);
}

int VerdictBar::heightForWidth(int width) const {
    const int room = width - em(3.7);
    const QFontMetrics large(scaledFont(type::headline, QFont::DemiBold)), less(scaledFont(1.26, QFont::DemiBold));
    const bool onOneLine = less.horizontalAdvance(m_headline->text()) <= room;
    const int first = onOneLine ? large.height() : less.boundingRect(0, 0, room, 10000, Qt::TextWordWrap, m_headline->text()).height();
    const QFontMetrics small(scaledFont(type::title));
    const int second = small.boundingRect(0, 0, room, 10000, Qt::TextWordWrap, m_detail->text()).height();
    return em(0.75) + first + em(0.3) + std::max(second, small.height()) + em(0.8);
}

QSize VerdictBar::sizeHint() const { return {em(30), heightForWidth(std::max(width(), em(24)))}; }
QSize VerdictBar::minimumSizeHint() const { return {em(16), em(4)}; }

void VerdictBar::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    place();
}

void VerdictBar::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        takeColors();
    if (event->type() == QEvent::ApplicationFontChange)
        takeFont();
    Card::changeEvent(event);
}

void VerdictBar::takeFont() {
    m_detail->setFont(scaledFont(type::title));
    place();
}

void VerdictBar::takeColors() {
    const Look look = lookOf(m_verdict.state);
    const Colors &c = colorsOf(palette());
    setStripe(c.*look.stripe);
    QPalette colored = m_symbol->palette();
    colored.setColor(QPalette::WindowText, c.*look.text);
    m_symbol->setPalette(colored);
}

void VerdictBar::place() {
    const QFont font = headlineFont();
    m_headline->setFont(font);
    m_symbol->setFont(font);
    const int left = em(1.05), symbol = em(1.75), right = em(0.9);
    const int room = width() - left - symbol - right;
    const QFontMetrics metrics(font);
    const int first = std::max(metrics.height(),
                               metrics.boundingRect(0, 0, room, 10000, Qt::TextWordWrap, m_headline->text()).height());
    // Words of several lines may be more than the bar; it then grows, once for all of them.
    m_symbol->setGeometry(left, em(0.75), symbol, metrics.height());
    m_headline->setGeometry(left + symbol, em(0.75), room, first);
    m_detail->setGeometry(left + symbol, em(0.75) + first + em(0.3), room, std::max(em(1.2), height() - first - em(1.5)));
    for (const QLabel *label : {m_headline, m_detail}) // what can be selected is laid out now: while it is painted, it would ask to be painted anew
        (void)label->heightForWidth(label->width());
    updateGeometry();
}

} // namespace kv
