// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A paint device that hands everything on to a painter, text with the glyphs that its letters have by themselves. A type face's own substitutes
// ("8 × 8" with a lower cross, "(GB)" with raised brackets) look better, but Qt's PDF writer knows no letters for them: whoever searches the
// file or copies from it would find holes. Without kerning a word is wider by 1 in 30 at most. Whatever the resolution of the painter's device, a picture that
// is played here keeps the painter's units.

#include <QPaintDevice>
#include <QSize>

#include <memory>

namespace kv {

class PlainGlyphs : public QPaintDevice {
public:
    /// Of a painter that is active as long as this lives; `size` in its units.
    PlainGlyphs(QPainter &target, QSize size);
    ~PlainGlyphs() override;

    QPaintEngine *paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    std::unique_ptr<Engine> m_engine;
    QPainter &m_target;
    QSize m_size;
};

} // namespace kv
