// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A row of choices in one frame, of which one is chosen: radio buttons in another dress, so that the arrow keys walk them and a
// screen reader counts them. A last segment may open a menu of further choices; it takes the name of one while that is chosen.

#include <QRadioButton>
#include <QWidget>

class QMenu;

namespace kv {

/// One choice, painted as a part of the row.
class Segment : public QRadioButton {
    Q_OBJECT

public:
    explicit Segment(const QString &text, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool hitButton(const QPoint &position) const override { return rect().contains(position); }
};

class Segments : public QWidget {
    Q_OBJECT

public:
    struct Choice {
        QString id;
        QString text;
        QString tip;
        QString objectName;

        bool operator==(const Choice &) const = default;
    };

    /// Up to `places` choices keep the place in the tab order that the row has when it is made.
    explicit Segments(int places, QWidget *parent = nullptr);
    /// Replaces the row; does nothing where it is the same already.
    void setChoices(const QList<Choice> &choices);
    /// Adds the segment that opens `menu` (taken over).
    void setMore(const QString &text, const QString &objectName, QMenu *menu);
    /// Chooses a segment by id; one that is not in the row is shown on the last segment as `otherText`.
    void setCurrent(const QString &id, const QString &otherText = {});
    QString current() const { return m_current; }

signals:
    void chosen(const QString &id);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addPlace();

    QList<Choice> m_choices;
    QList<Segment *> m_buttons;
    class MoreSegment *m_more = nullptr;
    QString m_current;
};

} // namespace kv
