// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One sentence over the figures: what was refused and why, what was restored, what changed beside what was asked. It never stands in
// the way: nothing waits for it, and it goes with its cross, with Escape, or when its reason is gone.
//
// A standing message (the scenario is refused) comes back when a passing one over it is closed; one that lasts (nothing is kept on disk)
// when neither is there.

#include <QWidget>

#include <functional>

class QToolButton;

namespace kv {

class FlowLayout;
class Label;

class MessageStrip : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)

public:
    enum class Kind { Hint, Warning, Refusal };
    struct Action {
        QString text;
        QString objectName;
        std::function<void()> run;
    };
    struct Message {
        Kind kind = Kind::Hint;
        QString text;
        QList<Action> actions;

        /// What is shown of two is the same.
        bool looksLike(const Message &other) const;
    };

    explicit MessageStrip(QWidget *parent = nullptr);
    void pass(Message message);
    /// An empty text takes the standing message away. A refusal takes the place of a passing message that is none.
    void stand(Message message);
    void last(Message message);
    /// Takes the passing message away, if it is about this.
    void clearPassing();
    QString text() const;
    const Message &passing() const { return m_passing; }
    Kind kind() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    const Message &shown() const { return !m_passing.text.isEmpty() ? m_passing : !m_standing.text.isEmpty() ? m_standing : m_lasting; }
    void put(Message &place, Message message);
    void refresh();

    Message m_passing, m_standing, m_lasting;
    Label *m_symbol;
    Label *m_text;
    FlowLayout *m_buttons; ///< under the sentence: there may be several
    QToolButton *m_close;
};

} // namespace kv
