// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plainglyphs.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPicture>

#include <algorithm>

namespace kv {

namespace {

/// Letters that stand side by side as they are: not those that join, stack or run from the right.
bool isPlain(const QString &text) {
    return std::ranges::none_of(text, [](QChar c) {
        return c.isSurrogate() || c.category() == QChar::Mark_NonSpacing || c.direction() == QChar::DirR || c.direction() == QChar::DirAL || (c.unicode() >= 0x0900 && c.unicode() < 0x1100);
    });
}

/// What pictures are recorded at. A device of another resolution would have QPicture::play() blow everything up, also under a painter that is
/// scaled already.
int recordedDpi() { return QPicture().logicalDpiY(); }

} // namespace

class PlainGlyphs::Engine : public QPaintEngine {
public:
    explicit Engine(QPainter &target) : QPaintEngine(AllFeatures), m_target(target), m_base(target.transform()) {}

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState &now) override {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyTransform)
            m_target.setTransform(now.transform() * m_base);
        if (dirty & DirtyPen)
            m_target.setPen(now.pen());
        if (dirty & DirtyBrush)
            m_target.setBrush(now.brush());
        if (dirty & DirtyBrushOrigin)
            m_target.setBrushOrigin(now.brushOrigin());
        if (dirty & DirtyFont)
            m_target.setFont(now.font());
        if (dirty & DirtyBackground)
            m_target.setBackground(now.backgroundBrush());
        if (dirty & DirtyBackgroundMode)
            m_target.setBackgroundMode(now.backgroundMode());
        if (dirty & DirtyHints) {
            m_target.setRenderHints(m_target.renderHints(), false);
            m_target.setRenderHints(now.renderHints());
        }
        if (dirty & DirtyOpacity)
            m_target.setOpacity(now.opacity());
        if (dirty & DirtyCompositionMode)
            m_target.setCompositionMode(now.compositionMode());
        if (dirty & DirtyClipRegion)
            m_target.setClipRegion(now.clipRegion(), now.clipOperation());
        if (dirty & DirtyClipPath)
            m_target.setClipPath(now.clipPath(), now.clipOperation());
        if (dirty & DirtyClipEnabled)
            m_target.setClipping(now.isClipEnabled());
    }

    void drawPath(const QPainterPath &path) override { m_target.drawPath(path); }
    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override {
        if (mode == PolylineMode)
            m_target.drawPolyline(points, count);
        else
            m_target.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    }
    void drawRects(const QRectF *rects, int count) override { m_target.drawRects(rects, count); }
    void drawLines(const QLineF *lines, int count) override { m_target.drawLines(lines, count); }
    void drawEllipse(const QRectF &rect) override { m_target.drawEllipse(rect); }
    void drawPoints(const QPointF *points, int count) override { m_target.drawPoints(points, count); }
    void drawPixmap(const QRectF &into, const QPixmap &pixmap, const QRectF &from) override { m_target.drawPixmap(into, pixmap, from); }
    void drawTiledPixmap(const QRectF &into, const QPixmap &pixmap, const QPointF &offset) override { m_target.drawTiledPixmap(into, pixmap, offset); }
    void drawImage(const QRectF &into, const QImage &image, const QRectF &from, Qt::ImageConversionFlags flags) override { m_target.drawImage(into, image, from, flags); }

    void drawTextItem(const QPointF &at, const QTextItem &item) override {
        const QString text = item.text().remove(QChar(0x200b)); // where a long key may break
        const QFont before = m_target.font();
        QFont font = item.font();
        // Sizes in points are of the recording; to the target the same is another number of its own points.
        if (font.pointSizeF() > 0)
            font.setPointSizeF(font.pointSizeF() * recordedDpi() / m_target.device()->logicalDpiY());
        if (isPlain(text))
            font.setStyleStrategy(static_cast<QFont::StyleStrategy>(font.styleStrategy() | QFont::PreferNoShaping));
        m_target.setFont(font);
        m_target.drawText(at, text);
        m_target.setFont(before);
    }

private:
    QPainter &m_target;
    QTransform m_base;
};

PlainGlyphs::PlainGlyphs(QPainter &target, QSize size) : m_engine(std::make_unique<Engine>(target)), m_target(target), m_size(size) {}

PlainGlyphs::~PlainGlyphs() = default;

QPaintEngine *PlainGlyphs::paintEngine() const { return m_engine.get(); }

int PlainGlyphs::metric(PaintDeviceMetric metric) const {
    const QPaintDevice &device = *m_target.device();
    switch (metric) {
    case PdmWidth: return m_size.width();
    case PdmHeight: return m_size.height();
    case PdmWidthMM: return static_cast<int>(m_size.width() * 25.4 / recordedDpi());
    case PdmHeightMM: return static_cast<int>(m_size.height() * 25.4 / recordedDpi());
    case PdmDpiX: case PdmPhysicalDpiX: case PdmDpiY: case PdmPhysicalDpiY: return recordedDpi();
    case PdmNumColors: return device.colorCount();
    case PdmDepth: return device.depth();
    case PdmDevicePixelRatio: return 1;
    case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace kv
