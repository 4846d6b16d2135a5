// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lies over views whose figures are not of what stands on the controls, lets them be read and says by its greyness that they are old.

#include <QWidget>

namespace kv {

class Veil : public QWidget {
    Q_OBJECT

public:
    /// Covers `views`, which are children of `parent`, wherever they go.
    Veil(QWidget *parent, const QList<QWidget *> &views);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void cover();

    QList<QWidget *> m_views;
};

} // namespace kv
