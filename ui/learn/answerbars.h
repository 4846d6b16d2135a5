// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers side by side, a bar each, all on one scale that begins at 0: the right one, what mistakes would say, other settings, a guess.
// What a bar stands for is told by its words and by its pattern as well as by its colour. The bar under the pointer, or the one that the
// arrow keys have reached, is told to whoever draws it on the charts.

#include <QString>
#include <QWidget>

#include <vector>

namespace kv {

struct AnswerBar {
    enum class Kind : std::uint8_t { Right, Mistake, Other, Guess };

    QString label;
    QString value; ///< as it is written: "327.7 kB"
    QString detail; ///< in small type below: "8 times too much"; may be empty
    double length = 0; ///< what the bar shows, in any unit, all in the same
    Kind kind = Kind::Other;
    QString tip;

    bool operator==(const AnswerBar &) const = default;
};

class AnswerBars : public QWidget {
    Q_OBJECT

public:
    explicit AnswerBars(QWidget *parent = nullptr);
    void show(std::vector<AnswerBar> bars);
    using QWidget::show;
    const std::vector<AnswerBar> &bars() const { return m_bars; }
    int pointed() const { return m_pointed; }
    /// A line a bar, to copy: label, value, detail.
    QString plainText() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The bar under the pointer or reached by a key; −1: none any more.
    void pointedAt(int bar);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct Row {
        QRectF label, value, bar, detail;
        double bottom = 0;
    };

    std::vector<Row> rows(double width) const;
    int barAt(const QPointF &position) const;
    void point(int bar);
    void paintBar(QPainter &painter, const AnswerBar &bar, const Row &row, double longest) const;

    std::vector<AnswerBar> m_bars;
    int m_pointed = -1;
};

} // namespace kv
