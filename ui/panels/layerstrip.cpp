// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layerstrip.h"

#include "core/plan/layerwords.h"
#include "core/scenario/scenario.h"
#include "ui/charts/chartstyle.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace kv {

namespace {

constexpr int mostPerRow = 100;

struct Look {
    QColor color;
    QChar letter;
};

// The colours of Okabe and Ito, as in the charts; the letter says the same to those who do not tell them apart.
Look lookOf(CacheKind kind, const Colors &c) {
    switch (kind) {
    case CacheKind::Full: return {c.kv, QLatin1Char('F')};
    case CacheKind::Latent: return {c.kv, QLatin1Char('L')};
    case CacheKind::Index: return {c.kv, QLatin1Char('I')};
    case CacheKind::Window: return {QColor(0x56, 0xb4, 0xe9), QLatin1Char('W')};
    case CacheKind::Chunked: return {QColor(0x56, 0xb4, 0xe9), QLatin1Char('C')};
    case CacheKind::Compressed: return {QColor(0xf0, 0xe4, 0x42), QLatin1Char('Z')};
    case CacheKind::State: return {QColor(0x00, 0x9e, 0x73), QLatin1Char('S')};
    case CacheKind::Cross: return {QColor(0xcc, 0x79, 0xa7), QLatin1Char('X')};
    }
    return {c.track, QLatin1Char(' ')};
}

/// Index keys lie beside a latent and are no cell of their own.
bool isDrawn(const CachePart &part) { return kindOf(part) != CacheKind::Index; }

} // namespace

LayerStrip::LayerStrip(QWidget *parent) : Card(parent) {
    setObjectName(QStringLiteral("layerStrip"));
    setAccessibleName(tr("Layers"));
    setToolTip(plainTip(tr("Every layer and what it keeps. Point at one, or move with the arrow keys.")));
    setWhatsThis(tr("Every layer of the model by what it caches: full attention grows with each token, a window keeps its last tokens, a "
                    "recurrent layer keeps a state of fixed size, a feed-forward layer nothing."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

bool LayerStrip::isWorthShowing(const ModelSpec &model) {
    if (model.layers.empty())
        return false;
    if (model.shapes.size() > 1)
        return true;
    for (const CachePart &part : model.shapes.front().parts)
        if (const CacheKind kind = kindOf(part); kind != CacheKind::Full && kind != CacheKind::Latent && kind != CacheKind::Index)
            return true;
    return false;
}

void LayerStrip::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    const bool other = plan.model != m_model;
    m_model = plan.model;
    m_types = plan.kv.types;
    m_context = scenario.workload.context;
    m_unit = unit;
    if (other) {
        m_current = -1;
        updateGeometry();
    }
    describe();
    update();
}

void LayerStrip::light(std::optional<CacheKind> kind) {
    if (kind == m_lit)
        return;
    m_lit = kind;
    update();
}

int LayerStrip::em200() { return em(20); }

int LayerStrip::rows() const {
    const int layers = m_model ? static_cast<int>(m_model->layers.size()) : 0;
    return std::clamp((layers + mostPerRow - 1) / mostPerRow, 1, 4);
}

int LayerStrip::perRow() const {
    const int layers = m_model ? static_cast<int>(m_model->layers.size()) : 1;
    return std::max(1, (layers + rows() - 1) / rows());
}

QSize LayerStrip::sizeHint() const { return {em(40), em(2.1) + rows() * em(2.1) + em(1.6)}; }

QRectF LayerStrip::strip() const {
    const double side = em(0.95);
    return {side, static_cast<double>(em(2.1)), width() - 2 * side, static_cast<double>(rows() * em(2.1))};
}

QRectF LayerStrip::cell(int layer) const {
    const QRectF all = strip();
    const double wide = all.width() / perRow(), high = all.height() / rows();
    const double gap = wide > 6 ? 2 : wide > 3 ? 1 : 0;
    const int row = layer / perRow();
    return {all.left() + wide * (layer % perRow()), all.top() + high * row, wide - gap, high - em(0.25)};
}

int LayerStrip::layerAt(const QPointF &position) const {
    const QRectF all = strip();
    if (!m_model || !all.contains(position))
        return -1;
    const int column = static_cast<int>((position.x() - all.left()) / (all.width() / perRow()));
    const int row = static_cast<int>((position.y() - all.top()) / (all.height() / rows()));
    const int layer = row * perRow() + column;
    return layer < static_cast<int>(m_model->layers.size()) ? layer : -1;
}

QString LayerStrip::sentence() const {
    if (!m_model)
        return {};
    if (m_current >= 0)
        return translated(layerSentence(*m_model, static_cast<std::size_t>(m_current), m_types, m_context, m_unit));
    QStringList parts;
    for (const LayerShape &shape : m_model->shapes)
        parts += tr("%n × %1", nullptr, static_cast<int>(shape.count)).arg(translated(layerKindWords(shape)));
    return listed(parts);
}

void LayerStrip::point(int layer) {
    if (layer == m_current)
        return;
    m_current = layer;
    std::optional<CacheKind> kind;
    if (layer >= 0)
        for (const CachePart &part : m_model->layer(static_cast<std::size_t>(layer)).parts)
            if (isDrawn(part) && !kind)
                kind = kindOf(part);
    describe();
    update();
    emit kindPointed(kind);
}

void LayerStrip::describe() {
    const QString text = sentence();
    if (accessibleDescription() != text) {
        setAccessibleDescription(text);
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
}

QList<LayerStrip::Legend> LayerStrip::legend() const {
    QList<Legend> entries;
    const Colors &c = colorsOf(palette());
    const auto add = [&](const QString &text, const QColor &color, QChar letter) {
        for (const Legend &entry : std::as_const(entries))
            if (entry.text == text)
                return;
        entries.append({text, color, letter});
    };
    for (const LayerShape &shape : m_model->shapes) {
        for (const CachePart &part : shape.parts)
            if (isDrawn(part)) {
                const Look look = lookOf(kindOf(part), c);
                const auto *state = std::get_if<RecurrentState>(&part);
                add(translated(state ? stateFamilyName(state->family) : kindName(kindOf(part))), look.color, look.letter);
            }
        if (shape.parts.empty())
            add(shape.idle == Idle::SharedCache ? tr("shares a cache") : tr("keeps nothing"), c.track, QLatin1Char(' '));
    }
    return entries;
}

void LayerStrip::paintHead(QPainter &painter) const {
    const Colors &c = colorsOf(palette());
    const QRectF line(strip().left(), em(0.5), strip().width(), em(1.5));
    const QFont title = scaledFont(type::title, QFont::DemiBold), small = scaledFont(type::caption);
    painter.setFont(title);
    painter.setPen(c.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tr("Layers"));
    double x = line.left() + QFontMetricsF(title).horizontalAdvance(tr("Layers")) + em(1.4);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    if (m_current >= 0) {
        painter.setFont(scaledFont(type::caption, QFont::DemiBold));
        painter.drawText(QRectF(x, line.top(), line.right() - x, line.height()), Qt::AlignRight | Qt::AlignVCenter,
                         QFontMetricsF(painter.font()).elidedText(sentence(), Qt::ElideMiddle, line.right() - x));
        return;
    }
    for (const Legend &entry : legend()) {
        const double side = em(0.8), needed = side + em(0.4) + metrics.horizontalAdvance(entry.text) + em(1.2);
        if (x + needed > line.right())
            break;
        painter.fillRect(QRectF(x, line.center().y() - side / 2, side, side), entry.color);
        painter.setPen(c.muted);
        painter.drawText(QRectF(x + side + em(0.4), line.top(), needed, line.height()), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        x += needed;
    }
}

void LayerStrip::paintCell(QPainter &painter, int layer) const {
    const Colors &c = colorsOf(palette());
    const LayerShape &shape = m_model->layer(static_cast<std::size_t>(layer));
    const QRectF whole = cell(layer);
    std::vector<Look> looks;
    bool lit = !m_lit;
    for (const CachePart &part : shape.parts)
        if (isDrawn(part)) {
            looks.push_back(lookOf(kindOf(part), c));
            lit = lit || kindOf(part) == *m_lit;
        }
    painter.setOpacity(lit ? 1 : 0.3);
    if (looks.empty()) {
        painter.fillRect(whole, shape.idle == Idle::SharedCache ? QBrush(c.muted, Qt::BDiagPattern) : QBrush(c.track));
    } else {
        const double high = whole.height() / static_cast<double>(looks.size());
        painter.setFont(scaledFont(type::small, QFont::DemiBold));
        const bool lettered = whole.width() >= QFontMetricsF(painter.font()).horizontalAdvance(QLatin1Char('W'));
        for (std::size_t i = 0; i < looks.size(); ++i) {
            const QRectF piece(whole.left(), whole.top() + high * static_cast<double>(i), whole.width(), high);
            painter.fillRect(piece, looks[i].color);
            if (lettered && piece.height() >= QFontMetricsF(painter.font()).capHeight() + 3) {
                painter.setPen(textOn(looks[i].color));
                painter.drawText(piece, Qt::AlignCenter, QString(looks[i].letter));
            }
        }
    }
    painter.setOpacity(1);
    if (layer == m_current) {
        painter.setPen(QPen(c.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(whole.adjusted(-1, -1, 1, 1), 2, 2);
    }
}

void LayerStrip::paintNumbers(QPainter &painter) const {
    const Colors &c = colorsOf(palette());
    painter.setFont(scaledFont(type::small));
    painter.setPen(c.muted);
    const int layers = static_cast<int>(m_model->layers.size());
    const QRectF all = strip();
    if (rows() > 1) {
        painter.drawText(QRectF(all.left(), all.bottom(), all.width(), em(1.2)), Qt::AlignLeft, tr("%1 layers, %2 a row").arg(layers).arg(perRow()));
        return;
    }
    const int step = layers > 60 ? 20 : layers > 24 ? 10 : layers > 12 ? 5 : 1;
    double free = -1;
    for (int number = 1; number <= layers; number = number == 1 && step > 1 ? step : number + step) {
        const QString text = QString::number(number);
        const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text), x = cell(number - 1).center().x() - wide / 2;
        if (x <= free)
            continue;
        painter.drawText(QRectF(x, all.bottom(), wide + 2, em(1.2)), Qt::AlignLeft, text);
        free = x + wide + em(0.4);
    }
}

void LayerStrip::paintEvent(QPaintEvent *event) {
    Card::paintEvent(event);
    if (!m_model)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHead(painter);
    for (int layer = 0; layer < static_cast<int>(m_model->layers.size()); ++layer)
        paintCell(painter, layer);
    paintNumbers(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colorsOf(palette()).accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

void LayerStrip::mouseMoveEvent(QMouseEvent *event) { point(layerAt(event->position())); }

void LayerStrip::leaveEvent(QEvent *event) {
    Card::leaveEvent(event);
    if (!hasFocus())
        point(-1);
}

void LayerStrip::focusOutEvent(QFocusEvent *event) {
    Card::focusOutEvent(event);
    point(-1);
    update();
}

void LayerStrip::keyPressEvent(QKeyEvent *event) {
    const int last = m_model ? static_cast<int>(m_model->layers.size()) - 1 : -1;
    int next = m_current;
    switch (event->key()) {
    case Qt::Key_Left: next = std::max(0, m_current - 1); break;
    case Qt::Key_Right: next = std::min(last, m_current + 1); break;
    case Qt::Key_Up: next = std::max(0, m_current - perRow()); break;
    case Qt::Key_Down: next = std::min(last, m_current + perRow()); break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = last; break;
    case Qt::Key_Escape: next = -1; break;
    default: Card::keyPressEvent(event); return;
    }
    point(next);
}

void LayerStrip::changeEvent(QEvent *event) {
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        update();
}

} // namespace kv
