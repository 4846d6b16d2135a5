// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/floorpanel.h"

#include "ui/charts/chartstyle.h"
#include "ui/controls/figurelist.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

QString number(double value, int digits) { return localNumbers(QString::number(value, 'f', digits)); }

/// Three digits that matter: "0.84 ms", "21.2 ms", "1,204 ms", "104 s".
QString timeText(double seconds) {
    const double ms = seconds * 1e3;
    if (seconds >= 10 && seconds < 9e15)
        return FloorPanel::tr("%1 s").arg(translated(writeNumber(std::llround(seconds))));
    return FloorPanel::tr("%1 ms").arg(ms >= 1e3 && ms < 9e15 ? translated(writeNumber(std::llround(ms))) : number(ms, ms >= 100 ? 0 : ms >= 10 ? 1 : 2));
}

QString countedSequences(std::int64_t n) { return n == 1 ? FloorPanel::tr("1 sequence") : FloorPanel::tr("%1 sequences").arg(translated(writeNumber(n))); }

} // namespace

/// Weights and KV of one step beside each other, with their sizes where there is room.
class FloorPanel::Bar : public QWidget {
public:
    Bar() {
        setObjectName(QStringLiteral("floorBar"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    void present(double share, const QString &weightsText, const QString &cacheText) {
        weights = share;
        texts = {weightsText, cacheText};
        setAccessibleName(FloorPanel::tr("Read each step"));
        setAccessibleDescription(listed({weightsText, cacheText}));
        setToolTip(plainTip(weightsText + QLatin1Char('\n') + cacheText));
        update();
    }
    QSize sizeHint() const override { return {em(16), em(1.5)}; }
    QSize minimumSizeHint() const override { return {em(6), em(1.5)}; }

protected:
    void paintEvent(QPaintEvent *) override {
        const Colors &c = colorsOf(palette());
        QPainter painter(this);
        const double middle = std::round(width() * weights);
        const QRectF parts[]{{0, 0, middle, double(height())}, {middle, 0, width() - middle, double(height())}};
        const QColor fills[]{c.weights, c.kv};
        const QFont font = scaledFont(type::caption);
        painter.setFont(font);
        for (int i = 0; i < 2; ++i) {
            painter.fillRect(parts[i], fills[i]);
            painter.setPen(textOn(fills[i]));
            if (QFontMetricsF(font).horizontalAdvance(texts.value(i)) + em(0.6) < parts[i].width())
                painter.drawText(parts[i], Qt::AlignCenter | Qt::TextSingleLine, texts.value(i));
        }
        painter.fillRect(QRectF(middle - 0.5, 0, 1, height()), c.card); // told apart without their colours
    }

private:
    double weights = 0;
    QStringList texts;
};

FloorPanel::FloorPanel(QWidget *parent) : QWidget(parent), m_bar(new Bar), m_reason(new Label(Label::Voice::Small)), m_figures(new FigureList(QStringLiteral("floorFigure"))) {
    m_reason->setObjectName(QStringLiteral("floorReason"));
    m_reason->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addWidget(m_bar);
    column->addWidget(m_figures);
    column->addWidget(m_reason);
}

void FloorPanel::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    const std::optional<DecodeFloor> floor = decodeFloor(scenario, plan);
    m_bar->setVisible(floor.has_value());
    m_reason->setWholeText(floor ? tr("For %1 a replica, by memory bandwidth alone, one step after the other and without drafting: computing and exchange between GPUs come on top.").arg(countedSequences(floor->batch)) : translated(whyNoFloor(scenario, plan)));
    floor ? presentFigures(*floor, unit) : m_figures->present({});
}

void FloorPanel::presentFigures(const DecodeFloor &floor, SizeUnit unit) {
    const double weights = static_cast<double>(floor.weightsRead.value), cache = static_cast<double>(floor.cacheRead.value);
    m_bar->present(weights + cache > 0 ? weights / (weights + cache) : 0, tr("Weights %1").arg(translated(writeBytes(floor.weightsRead, unit))), tr("KV %1").arg(translated(writeBytes(floor.cacheRead, unit))));
    QList<FigureList::Line> lines;
    lines.append({tr("Read each step"), translated(writeBytes(floor.weightsRead + floor.cacheRead, unit))});
    lines.append({tr("Least time a token"), timeText(floor.secondsPerToken)});
    lines.append({tr("Most tokens a second"), floor.tokensPerSecond < 9e15 ? translated(writeNumber(std::llround(floor.tokensPerSecond))) : number(floor.tokensPerSecond, 0)});
    lines.append({tr("KV outweighs the weights"), floor.cacheOvertakes ? tr("from %1 on").arg(countedSequences(*floor.cacheOvertakes)) : tr("at no batch")});
    if (floor.expertsTouched < 1)
        lines.append({tr("Experts touched"), tr("%1 %").arg(number(floor.expertsTouched * 100, 1))});
    m_figures->present(lines);
}

} // namespace kv
