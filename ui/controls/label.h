// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A line of plain text in one of the window's voices. Its size follows the application's font, its colour the palette, and what it
// says is never taken for markup. A label may elide: it then shows as much as its width holds and the whole in its tool tip.

#include <QLabel>
#include <QStringList>

namespace kv {

class Label : public QLabel {
    Q_OBJECT

public:
    enum class Voice { Body, Strong, Muted, Small, Section, Title };

    explicit Label(Voice voice, const QString &text = {}, QWidget *parent = nullptr);
    void setEliding(bool eliding);
    /// Short parts with dots between them, broken into lines where the width asks for it; no line ends with a dot.
    void setParts(const QStringList &parts);
    /// The whole text, also where it is shown cut.
    QString wholeText() const { return m_whole; }
    void setWholeText(const QString &text);

    /// The application's font in this voice's size; by itself only where Qt tells of a new one.
    void takeFont();

    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitText();
    QString brokenParts() const;

    Voice m_voice;
    QString m_whole;
    QStringList m_parts;
    bool m_eliding = false;
};

} // namespace kv
