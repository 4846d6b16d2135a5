#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two charts' pictures painted by hand, as a yardstick for the charts' speed: same data, areas, lines and about as many
// texts, by the fastest calls that QPainter has. No hover, no placing of labels, no steady axes.

#include "ui/charts/chartstyle.h"
#include "ui/charts/gpubars.h"
#include "ui/charts/growthpicture.h"
#include "ui/charts/niceaxis.h"

#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace kv::bench {

inline QString text(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

class HandGpus : public QWidget {
public:
    explicit HandGpus(const ChartStyle &style) : m_style(style) {}
    void show(const GpuBars &bars) {
        m_bars = bars;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setFont(m_style.titleFont);
        painter.drawText(QPointF(0, 14), QStringLiteral("Memory of each GPU"));
        painter.setFont(m_style.smallFont);
        const QRectF plot(60, 30, width() - 100, height() - 52);
        const SizeAxis axis = sizeAxis(m_bars.memory, m_bars.unit, 8);
        const double max = std::max(axis.inUnit(m_bars.largest), 1e-9);
        const auto xOf = [&](Bytes bytes) { return plot.left() + axis.inUnit(bytes) / max * plot.width(); };
        for (int tick = 0; axis.step * tick <= max; ++tick) {
            const double x = std::round(plot.left() + axis.step * tick / max * plot.width()) + 0.5;
            painter.setPen(m_style.gridPen);
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            painter.setPen(m_style.mutedText);
            painter.drawText(QRectF(x - 40, plot.bottom() + 4, 80, 16), Qt::AlignCenter, text(axis.label(tick)));
        }
        const double pitch = plot.height() / static_cast<double>(std::max<std::size_t>(1, m_bars.bars.size()));
        double y = plot.top();
        for (const GpuBar &bar : m_bars.bars) {
            painter.setPen(m_style.mutedText);
            painter.drawText(QRectF(0, y, 50, pitch), Qt::AlignRight | Qt::AlignVCenter, bar.label);
            Bytes from;
            for (int i = 0; i < memoryKinds; ++i)
                paintPiece(painter, bar, static_cast<MemoryKind>(i), from, y + pitch * 0.12, pitch * 0.76, axis.unit, xOf);
            y += pitch;
        }
        painter.setPen(QPen(m_style.limit, 2, Qt::DashLine));
        painter.drawLine(QPointF(xOf(m_bars.memory), plot.top()), QPointF(xOf(m_bars.memory), plot.bottom()));
    }

private:
    template <typename XOf>
    void paintPiece(QPainter &painter, const GpuBar &bar, MemoryKind kind, Bytes &from, double y, double height, const ScaledUnit &unit, XOf xOf) {
        const Bytes size = bar.length(kind);
        if (size <= Bytes{0})
            return;
        const QRectF piece(std::round(xOf(from)), std::round(y), std::round(xOf(from + size)) - std::round(xOf(from)), std::round(height));
        from += size;
        painter.fillRect(piece, m_style.fill(kind));
        if (kind == MemoryKind::Reserve || kind == MemoryKind::Short) {
            QList<QLineF> lines;
            for (double x = piece.left(); x + height < piece.right(); x += 6)
                lines.append(QLineF(x, piece.bottom(), x + height, piece.top()));
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(QPen(m_style.hatch, 1));
            painter.drawLines(lines);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        if (piece.width() < 30)
            return;
        painter.setPen(textOn(m_style.fill(kind)));
        painter.drawText(piece, Qt::AlignCenter, m_bars.pieceText(bar, kind, unit));
    }

    ChartStyle m_style;
    GpuBars m_bars;
};

class HandGrowth : public QWidget {
public:
    explicit HandGrowth(const ChartStyle &style) : m_style(style) {}
    void show(const GrowthPicture &picture) {
        m_picture = picture;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setFont(m_style.smallFont);
        const QRectF plot(70, 20, width() - 130, height() - 44);
        const SizeAxis axis = sizeAxis(m_picture.wanted(), m_picture.unit, 5);
        const double low = std::log2(static_cast<double>(m_picture.from.value)), high = std::log2(static_cast<double>(m_picture.to.value));
        const auto pixel = [&](Tokens context, Bytes size) {
            return QPointF(plot.left() + (std::log2(static_cast<double>(context.value)) - low) / (high - low) * plot.width(),
                           plot.bottom() - axis.inUnit(size) / axis.max() * plot.height());
        };
        for (int tick = 0; tick <= axis.intervals; ++tick) {
            const double y = std::round(plot.bottom() - plot.height() * tick / axis.intervals) + 0.5;
            painter.setPen(m_style.gridPen);
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            painter.setPen(m_style.mutedText);
            painter.drawText(QRectF(0, y - 8, 62, 16), Qt::AlignRight | Qt::AlignVCenter, text(axis.labelWithUnit(tick)));
        }
        for (const Tokens tick : tokenTicks(m_picture.from, m_picture.to, 12))
            painter.drawText(QRectF(pixel(tick, Bytes(0)).x() - 40, plot.bottom() + 4, 80, 16), Qt::AlignCenter, text(writeTokensShort(tick)));
        painter.save();
        painter.setClipRect(plot);
        painter.setRenderHint(QPainter::Antialiasing, true);
        for (const GrowthCurve &curve : m_picture.curves) {
            QList<QLineF> lines;
            for (std::size_t i = 1; i < curve.points.size(); ++i)
                lines.append(QLineF(pixel(curve.points[i - 1].context, curve.points[i - 1].total), pixel(curve.points[i].context, curve.points[i].total)));
            painter.setPen(QPen(m_style.line(curve.type, curve.current), curve.current ? 3 : 2));
            painter.drawLines(lines);
        }
        painter.restore();
        const QPointF here = pixel(m_picture.context, m_picture.here), limit = pixel(m_picture.from, m_picture.budget);
        painter.setPen(QPen(m_style.limit, 2, Qt::DashLine));
        painter.drawLine(limit, QPointF(plot.right(), limit.y()));
        painter.setPen(QPen(m_style.text, 1, Qt::DashLine));
        painter.drawLine(QPointF(here.x(), plot.top()), QPointF(here.x(), plot.bottom()));
        painter.setFont(m_style.boldFont);
        painter.drawText(limit + QPointF(8, -4), m_picture.budgetText(false));
        painter.drawText(here + QPointF(-140, -8), m_picture.hereText());
        for (const GrowthCurve &curve : m_picture.curves)
            painter.drawText(QPointF(plot.right() + 8, pixel(m_picture.to, curve.points.back().total).y()), curve.label);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setBrush(m_style.kv);
        painter.drawEllipse(here, 6, 6);
    }

private:
    ChartStyle m_style;
    GrowthPicture m_picture;
};

} // namespace kv::bench
