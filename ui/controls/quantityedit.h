// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An entry for one number, which takes what people type ("131072", "128k", "0.5M") and shows it in one form. core/base/quantity reads.
// A value is taken at Return, at Tab or when the focus leaves. Text that cannot be read is framed in red and refused with core's
// sentence; the value stays what it was, and Escape shows it again. Up, Down and the wheel step while the entry has the focus.
// A number too wide for the entry is set smaller; undo is the document's as long as nothing is being typed.

#include "core/base/note.h"

#include <QLineEdit>

#include <cstdint>
#include <functional>
#include <string_view>

namespace kv {

class QuantityEdit : public QLineEdit {
    Q_OBJECT

public:
    using Read = std::function<Parsed<std::int64_t>(std::string_view text)>;
    using Write = std::function<QString(std::int64_t value)>; ///< in the locale's marks
    using Step = std::function<std::int64_t(std::int64_t value, int direction)>;

    QuantityEdit(Read read, Write write, QWidget *parent = nullptr);
    void setStep(Step step) { m_step = std::move(step); }
    std::int64_t value() const { return m_value; }
    /// Shows a value; text that is being typed stays, since it is not yet anybody's value.
    void setValue(std::int64_t value);
    /// Writes the value anew, where the form it is written in has changed (GB, GiB).
    void refresh();
    bool isWrong() const { return m_wrong; }
    /// Whether there is text that is not anybody's value yet.
    bool isUnread() const { return m_typing; }
    /// Takes what is typed now, as Return does.
    void take();
    /// Shows the value in the place of what is typed.
    void drop();
    /// What was typed before, as if it were typed now.
    void typeAgain(const QString &text);
    void setWeight(QFont::Weight weight);
    /// What it is, for the tool tip, which has the whole number where the entry is too narrow for it.
    void setTip(const QString &tip);

signals:
    void edited(qint64 value, int gesture);
    /// Text that cannot be read, and why; an empty sentence once it is mended or taken back.
    void refused(const QString &sentence);

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void putBack();
    void step(int direction, int times);
    void setWrong(const QString &sentence);
    void fit();

    Read m_read;
    Write m_write;
    Step m_step;
    std::int64_t m_value = 0;
    QString m_tip;
    QFont::Weight m_weight = QFont::Normal;
    int m_gesture = 0;
    int m_wheel = 0; ///< eighths of a degree not yet worth a step
    bool m_wrong = false;
    bool m_typing = false;
};

} // namespace kv
