// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How often each widget below another is painted: how long that takes is measured in tests/bench, how often it is done can be counted.

#include <QApplication>
#include <QEvent>
#include <QHash>
#include <QWidget>

namespace kv::test {

class PaintCounter : public QObject {
public:
    explicit PaintCounter(const QWidget *top) : m_top(top) { qApp->installEventFilter(this); }

    bool any() const { return !m_paints.isEmpty(); }
    /// What was painted more than once; forgets all.
    QString take() {
        QString said;
        for (auto it = m_paints.cbegin(); it != m_paints.cend(); ++it)
            if (it.value() > 1)
                said += QStringLiteral("%1 %2: %3; ").arg(QLatin1String(it.key()->metaObject()->className()), it.key()->objectName()).arg(it.value());
        m_paints.clear();
        return said;
    }

protected:
    bool eventFilter(QObject *object, QEvent *event) override {
        if (event->type() == QEvent::Paint && object->isWidgetType() && m_top->isAncestorOf(static_cast<QWidget *>(object)))
            ++m_paints[object];
        return false;
    }

private:
    const QWidget *m_top;
    QHash<QObject *, int> m_paints;
};

} // namespace kv::test
