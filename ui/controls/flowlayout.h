// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Widgets one after the other, broken into lines like words, as wide as they want to be. For rows of buttons whose number and words
// follow from the plan.

#include <QLayout>

namespace kv {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(int spacing, QWidget *parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override;
    int count() const override;
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;

private:
    /// Places the widgets, or only measures; returns the height they take.
    int flow(const QRect &rect, bool place) const;

    QList<QLayoutItem *> m_items;
};

} // namespace kv
