// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenarios of a document as a list with bars. A click selects one, a double click or Enter opens it, a drag or Alt with Up and Down
// orders them (Escape puts a dragged one back), F2 renames, Delete removes.

#include "ui/charts/chartstyle.h"
#include "ui/compare/compared.h"

#include <QListView>

namespace kv {

class PinnedModel;

class PinnedList : public QListView {
    Q_OBJECT

public:
    explicit PinnedList(QWidget *parent = nullptr);
    void show(const Compared &all, const ChartStyle &style);
    using QListView::show;
    std::size_t selected() const;
    void select(std::size_t index);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::size_t index);
    void openAsked(std::size_t index);
    void moveAsked(std::size_t from, std::size_t to);
    void renameAsked(std::size_t index);
    void removeAsked(std::size_t index);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    int rowAt(double y) const;

    PinnedModel *m_model;
    int m_from = -1;     ///< of a drag
    int m_to = -1;       ///< where it would fall; -1: the drag has not begun
    QPoint m_pressed;
};

} // namespace kv
