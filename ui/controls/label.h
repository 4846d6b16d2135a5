// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A line of plain text in one of the window's voices. Its size follows the application's font, its colour the palette, and what it
// says is never taken for markup. An eliding label shows as much as its width holds and the whole in its tool tip.

#include <QLabel>

namespace kv {

class Label : public QLabel {
    Q_OBJECT

public:
    enum class Voice { Body, Strong, Muted, Small, Section, Title };

    explicit Label(Voice voice, const QString &text = {}, QWidget *parent = nullptr);
    void setEliding(bool eliding);
    /// The whole text, also where it is shown cut.
    QString wholeText() const { return m_whole; }
    void setWholeText(const QString &text);

    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeFont();
    void fitText();

    Voice m_voice;
    QString m_whole;
    bool m_eliding = false;
};

} // namespace kv
