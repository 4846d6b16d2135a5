// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Names with their figures under each other, the figures along the right edge. The labels stay when the lines change, so that nothing flickers.

#include <QWidget>

class QGridLayout;

namespace kv {

class Label;

class FigureList : public QWidget {
    Q_OBJECT

public:
    struct Line {
        QString name, figure;
    };
    /// The figures' object names are this with a number from 1.
    explicit FigureList(const QString &objectName, QWidget *parent = nullptr);
    void present(const QList<Line> &lines);

private:
    struct Pair {
        Label *name, *figure;
    };

    QGridLayout *m_grid;
    QList<Pair> m_pairs;
};

} // namespace kv
