// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A window on stage: the charts fill the screen in large type, and the keys that a presenter has at hand move the sliders and the steps.
//
//   Left, Right      the context, one step down or up; with Shift halved or doubled
//   Down, Up         the sequences, in the same way
//   Space, Page Down the next step of the lesson, without one the next scenario; Page Up the scenario before
//   1 … 9            the view of that number
//   Esc, F11         back
//
// A line says so at first; it goes with the first key, or by itself.

#include <QByteArray>
#include <QObject>

#include <cstdint>

class QKeyEvent;
class QTimer;

namespace kv {

class MainWindow;

class Presentation : public QObject {
    Q_OBJECT

public:
    explicit Presentation(MainWindow *window);
    bool isOn() const { return m_on; }
    void set(bool on);
    /// The dashboard was made anew, for another size of type.
    void prepareDashboard();

    /// How much larger the type is on stage, in percent.
    static constexpr int enlarged = 160;

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool take(const QKeyEvent &event);
    void moveContext(int direction, bool doubling);
    void moveSequences(int direction, bool doubling);
    void step(int by);

    void dropHint();

    MainWindow *m_window;
    QTimer *m_hintEnds; ///< the keys were read by then
    QString m_hint;
    bool m_on = false;
    Qt::WindowStates m_before;
};

} // namespace kv
