#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A paint device that keeps the texts drawn on it and where they lie, so that tests can read a picture instead of its pixels.

#include <QList>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QRectF>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace kv::test {

struct DrawnText {
    QString text;
    QRectF rect; ///< in the device's coordinates
};

/// The texts of a picture, in the order in which they were drawn.
class DrawnTexts {
public:
    explicit DrawnTexts(QList<DrawnText> drawn) : m_drawn(std::move(drawn)) {}

    const QList<DrawnText> &drawn() const { return m_drawn; }
    QStringList texts() const {
        QStringList all;
        for (const DrawnText &text : drawn())
            all.append(text.text);
        return all;
    }
    bool has(const QString &text) const { return texts().contains(text); }
    qsizetype count(const QString &text) const { return texts().count(text); }
    QRectF rectOf(const QString &text) const {
        const auto found = std::ranges::find(drawn(), text, &DrawnText::text);
        return found == drawn().end() ? QRectF() : found->rect;
    }
    /// Texts that leave `bounds`, and pairs that lie on one another.
    QStringList faults(const QRectF &bounds) const {
        QStringList all;
        for (qsizetype i = 0; i < drawn().size(); ++i) {
            if (!bounds.contains(drawn()[i].rect))
                all.append(QStringLiteral("outside: ") + drawn()[i].text);
            for (qsizetype k = 0; k < i; ++k)
                if (drawn()[i].rect.intersects(drawn()[k].rect))
                    all.append(drawn()[i].text + QStringLiteral(" on ") + drawn()[k].text);
        }
        return all;
    }

private:
    QList<DrawnText> m_drawn;
};

class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(const QSize &size) : m_size(size) {}

    QPaintEngine *paintEngine() const override { return &m_engine; }
    DrawnTexts texts() const { return DrawnTexts(m_engine.drawn); }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth: return m_size.width();
        case PdmHeight: return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return 96;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth: return 32;
        default: return 0;
        }
    }

private:
    struct Engine : QPaintEngine {
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice *) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState &) override {}
        void drawPath(const QPainterPath &) override {}
        void drawPolygon(const QPointF *, int, PolygonDrawMode) override {}
        void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override {}
        void drawTextItem(const QPointF &at, const QTextItem &item) override {
            // The ink of digits and capitals: line spacing may overlap, letters may not.
            const QRectF ink(at.x(), at.y() - item.ascent() * 0.75, item.width(), item.ascent() * 0.75);
            drawn.append({item.text(), painter()->combinedTransform().mapRect(ink)});
        }
        QList<DrawnText> drawn;
    };

    QSize m_size;
    mutable Engine m_engine;
};

} // namespace kv::test
