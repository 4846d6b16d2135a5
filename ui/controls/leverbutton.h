// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One lever to try: its name, what it costs in small type, and the users then. As a card with a sign that says whether it fits, or as a row
// with a bar of what it gains. Painted, so that a long name is cut and the figures never are; a button to the keyboard and to screen
// readers, which hear the whole sentence. Says when the pointer or the keyboard comes to it and leaves, so that it can be previewed.

#include <QPushButton>

namespace kv {

struct LeverFace {
    QString name, cost, figures; ///< "FP8 cache", "a small quality risk", "10 → 20"
    QString sentence;            ///< the whole, for the tool tip and screen readers
    enum class Sign { None, Fits, FitsNot } sign = Sign::None;
    double gain = 0;             ///< of the best in the list, 0 to 1

    bool operator==(const LeverFace &) const = default;
};

class LeverButton : public QPushButton {
    Q_OBJECT
    Q_PROPERTY(QString name READ name)
    Q_PROPERTY(QString figures READ figures)
    Q_PROPERTY(QString cost READ cost)

public:
    enum class Shape { Card, Row };
    explicit LeverButton(Shape shape, QWidget *parent = nullptr);
    void present(const LeverFace &face);
    QString name() const { return m_face.name; }
    QString figures() const { return m_face.figures; }
    QString cost() const { return m_face.cost; }
    LeverFace::Sign sign() const { return m_face.sign; }
    /// Of an answer that a newer one will replace, and lets wait for itself.
    void setFaded(bool faded);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void pointedAt(bool pointed);

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void paintGround(QPainter &painter) const;
    void paintTexts(QPainter &painter, const QRectF &inner) const;

    Shape m_shape;
    LeverFace m_face;
    bool m_faded = false;
    bool m_byKeyboard = false;
};

} // namespace kv
