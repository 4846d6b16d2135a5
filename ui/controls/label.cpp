// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/label.h"

#include "ui/mnemonic.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QEvent>

namespace kv {

Label::Label(Voice voice, const QString &text, QWidget *parent) : QLabel(parent), m_voice(voice) {
    setTextFormat(Qt::PlainText);
    if (voice == Voice::Muted || voice == Voice::Small || voice == Voice::Section)
        setForegroundRole(QPalette::PlaceholderText);
    takeFont();
    setWholeText(text);
}

void Label::setEliding(bool eliding) {
    m_eliding = eliding;
    fitText();
}

void Label::setWholeText(const QString &text) {
    m_whole = text;
    if (m_voice == Voice::Section)
        setAccessibleName(withoutMnemonic(text));
    fitText();
}

void Label::setParts(const QStringList &parts) {
    if (parts == m_parts)
        return;
    m_parts = parts;
    setWholeText(parts.join(QStringLiteral(" · ")));
}

QSize Label::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    return m_eliding || !m_parts.isEmpty() ? QSize(em(2), whole.height()) : whole;
}

void Label::changeEvent(QEvent *event) {
    if (event->type() == QEvent::ApplicationFontChange)
        takeFont();
    QLabel::changeEvent(event);
}

void Label::resizeEvent(QResizeEvent *event) {
    QLabel::resizeEvent(event);
    fitText();
}

void Label::takeFont() {
    switch (m_voice) {
    case Voice::Body:
    case Voice::Muted:
        return setFont(scaledFont(1));
    case Voice::Strong:
        return setFont(scaledFont(1, QFont::DemiBold));
    case Voice::Small:
        return setFont(scaledFont(type::caption));
    case Voice::Section: {
        QFont font = scaledFont(type::caption, QFont::DemiBold);
        font.setLetterSpacing(QFont::PercentageSpacing, 102);
        return setFont(font);
    }
    case Voice::Title:
        return setFont(scaledFont(type::title, QFont::DemiBold));
    }
}

QString Label::brokenParts() const {
    QString all, line;
    for (const QString &part : m_parts) {
        const QString longer = line.isEmpty() ? part : line + QStringLiteral(" · ") + part;
        if (!line.isEmpty() && fontMetrics().horizontalAdvance(longer) > contentsRect().width()) {
            all += line + QLatin1Char('\n');
            line = part;
        } else {
            line = longer;
        }
    }
    return all + line;
}

void Label::fitText() {
    // Capitals are letters, not a property of the font: that does not reach an SVG.
    const QString whole = m_voice == Voice::Section ? m_whole.toUpper() : m_whole;
    const QString shown = !m_parts.isEmpty() ? brokenParts() : m_eliding ? fontMetrics().elidedText(whole, Qt::ElideRight, contentsRect().width()) : whole;
    if (shown != text())
        setText(shown);
    if (m_eliding)
        setToolTip(shown == whole ? QString() : plainTip(m_whole));
}

} // namespace kv
