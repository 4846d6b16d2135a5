// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A painted slider over whole numbers, logarithmic or linear, with its scale written under it and a mark where a limit lies.
//
// A drag snaps to the round values within a few pixels; between them every value of the scale's grid can be had (the entry beside it
// takes any). Left and Right step, Page Up and Page Down double and halve, Home and End go to the ends, Escape ends a drag where it
// began; the wheel turns it only while it has the focus. A value beyond the range stands at the end.
// Positions are computed by slider:: below, which knows no widget.

#include <QWidget>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kv {

struct SliderTick {
    std::int64_t value = 0;
    QString label;

    bool operator==(const SliderTick &) const = default;
};

struct SliderScale {
    bool logarithmic = true;
    std::int64_t low = 1, high = 1000;
    std::vector<SliderTick> ticks;
    std::vector<std::int64_t> snaps;
    std::optional<std::int64_t> limit;
    std::function<std::int64_t(std::int64_t value, int direction)> step; ///< one step from a value, up (1) or down (−1)
    std::function<std::int64_t(double exact)> grid;                      ///< the nearest value that a drag may give

    /// 0 at low, 1 at high; beyond them held there.
    double fraction(std::int64_t value) const;
    /// The value at a fraction, snapped where a snap (or the limit) lies within `reach` of it.
    std::int64_t valueAt(double fraction, double reach) const;
    std::int64_t doubled(std::int64_t value) const;
    std::int64_t halved(std::int64_t value) const;
};

class LogSlider : public QWidget {
    Q_OBJECT

public:
    explicit LogSlider(QWidget *parent = nullptr);
    void setScale(SliderScale scale);
    const SliderScale &scale() const { return m_scale; }
    std::int64_t value() const { return m_value; }
    void setValue(std::int64_t value);
    void setTicksVisible(bool visible);
    bool isDragging() const { return m_dragging; }
    /// How a value is spoken: "131,072 tokens".
    void setSpeaker(std::function<QString(std::int64_t)> speaker) { m_speaker = std::move(speaker); }
    QString spoken() const;
    /// Sets a value as a user does.
    void move(std::int64_t value);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void moved(qint64 value, int gesture);
    void released();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QRectF track() const;
    double xOf(std::int64_t value) const;
    void dragTo(double x);
    void endDrag(bool back);
    void paintTrack(QPainter &painter) const;
    void paintThumb(QPainter &painter) const;
    void paintTicks(QPainter &painter) const;

    SliderScale m_scale;
    std::function<QString(std::int64_t)> m_speaker;
    std::int64_t m_value = 1;
    std::int64_t m_before = 1; ///< where the drag began
    double m_grip = 0;         ///< from the thumb's middle to where it was taken
    int m_gesture = 0;
    int m_wheel = 0; ///< eighths of a degree not yet worth a step
    bool m_dragging = false;
    bool m_ticksVisible = true;
};

/// The scales of the window's sliders.
SliderScale contextScale(std::int64_t value, std::optional<std::int64_t> modelLimit);
SliderScale sequencesScale(std::int64_t value);
SliderScale prefixScale(std::int64_t context);

} // namespace kv
