// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explainpanel.h"

#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QTextTable>

#include <algorithm>

namespace kv {

namespace {

QTextCharFormat formatOf(const QFont &font, const QColor &color) {
    QTextCharFormat format;
    format.setFont(font);
    format.setForeground(color);
    return format;
}

QTextBlockFormat spaced(int above, int below) {
    QTextBlockFormat format;
    format.setTopMargin(above);
    format.setBottomMargin(below);
    format.setLineHeight(126, QTextBlockFormat::ProportionalHeight);
    return format;
}

constexpr QChar breakHere(0x200b); // a place to break a line, without width

/// Keys are one long word: they may break after their dots and underscores, not in the middle of "heads".
QString breakable(QString result) {
    for (const QChar after : {QLatin1Char('.'), QLatin1Char('_')})
        result.replace(after, QString(after) + breakHere);
    return result;
}

/// As wide as the longest name, within limits: the keys beside it need the rest.
double nameWidth(const std::vector<ExplainTerm> &terms, const QFont &font) {
    const QFontMetricsF metrics(font);
    double widest = em(4);
    for (const ExplainTerm &term : terms)
        widest = std::max(widest, metrics.horizontalAdvance(translated(term.name)) + em(0.8));
    return std::min<double>(widest, em(7.6));
}

} // namespace

std::vector<std::string> mindOf(const Plan &plan) {
    std::vector<std::string> mind;
    const auto add = [&mind](const Notes &notes) {
        for (const Note &note : notes)
            if (std::ranges::find(mind, note.text) == mind.end())
                mind.push_back(note.text);
    };
    add(plan.warnings);
    if (plan.model)
        add(plan.model->notes);
    return mind;
}

ExplainPanel::ExplainPanel(QWidget *parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("explainPanel"));
    setAccessibleName(tr("Explanation"));
    setAccessibleDescription(tr("The formula, the values put in and where each came from."));
    setWhatsThis(tr("The derivation of the figures, live: the formula named, then substituted, then worked out. Each value stands "
                    "with the config key that it came from."));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setUndoRedoEnabled(false);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
}

void ExplainPanel::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    std::vector<ExplainSection> sections = explain(scenario, plan, unit);
    std::vector<std::string> mind = mindOf(plan);
    const auto same = [](const ExplainSection &a, const ExplainSection &b) {
        return a.title == b.title && a.lines == b.lines && a.terms.size() == b.terms.size();
    };
    const bool unchanged = mind == m_mind && std::ranges::equal(sections, m_sections, same) && explainText(sections) == explainText(m_sections);
    m_sections = std::move(sections);
    m_mind = std::move(mind);
    if (!unchanged)
        write();
}

void ExplainPanel::light(std::optional<CacheKind> kind) {
    if (kind == m_lit)
        return;
    m_lit = kind;
    mark();
}

void ExplainPanel::mark() {
    QList<QTextEdit::ExtraSelection> marks;
    QColor ground = colorsOf(palette()).accent;
    ground.setAlpha(48);
    for (const Range &range : m_ranges)
        if (m_lit && range.kind == m_lit) {
            QTextEdit::ExtraSelection one;
            one.cursor = QTextCursor(document());
            one.cursor.setPosition(range.begin);
            one.cursor.setPosition(std::min(range.end, document()->characterCount() - 1), QTextCursor::KeepAnchor);
            one.format.setBackground(ground);
            marks.append(one);
        }
    setExtraSelections(marks);
}

std::optional<CacheKind> ExplainPanel::kindAt(const QPoint &position) const {
    const int at = cursorForPosition(position).position();
    for (const Range &range : m_ranges)
        if (at >= range.begin && at < range.end)
            return range.kind;
    return std::nullopt;
}

void ExplainPanel::mouseMoveEvent(QMouseEvent *event) {
    QTextBrowser::mouseMoveEvent(event);
    // With one kind only there is nothing to tell apart.
    const std::optional<CacheKind> kind = m_sections.size() > 3 ? kindAt(event->position().toPoint()) : std::nullopt;
    if (kind != m_pointed)
        emit kindPointed(m_pointed = kind);
}

void ExplainPanel::leaveEvent(QEvent *event) {
    QTextBrowser::leaveEvent(event);
    if (m_pointed)
        emit kindPointed(m_pointed = std::nullopt);
}

void ExplainPanel::changeEvent(QEvent *event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        write();
}

void ExplainPanel::resizeEvent(QResizeEvent *event) {
    QTextBrowser::resizeEvent(event);
    // In a narrow column the key stands under the name rather than beside it.
    const bool narrow = viewport()->width() < em(15);
    if (narrow != m_narrow) {
        m_narrow = narrow;
        write();
    }
}

void ExplainPanel::write() {
    const int scrolled = verticalScrollBar()->value();
    setUpdatesEnabled(false);
    document()->clear();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    m_ranges.clear();
    for (const ExplainSection &section : m_sections) {
        const int begin = cursor.position();
        writeSection(cursor, section);
        m_ranges.push_back({begin, cursor.position(), section.kind});
    }
    writeMind(cursor);
    cursor.endEditBlock();
    mark();
    // The widget's own cursor went along to the end with what was written; left there it would pull the view down.
    moveCursor(QTextCursor::Start);
    verticalScrollBar()->setValue(scrolled);
    setUpdatesEnabled(true);
}

void ExplainPanel::writeSection(QTextCursor &cursor, const ExplainSection &section) {
    const Colors &c = colorsOf(palette());
    const bool first = cursor.atStart();
    const QTextCharFormat title = formatOf(scaledFont(1, QFont::DemiBold), c.text);
    if (first)
        cursor.setBlockFormat(spaced(0, em(0.2)));
    else
        cursor.insertBlock(spaced(em(0.7), em(0.2)));
    cursor.insertText(translated(section.title), title);
    for (const std::string &line : section.lines) {
        cursor.insertBlock(spaced(0, 0));
        cursor.insertText(translated(line), formatOf(monoFont(), c.text));
    }
    if (!section.terms.empty())
        writeTerms(cursor, section.terms);
}

void ExplainPanel::writeTerms(QTextCursor &cursor, const std::vector<ExplainTerm> &terms) {
    const Colors &c = colorsOf(palette());
    const QTextCharFormat value = formatOf(scaledFont(1, QFont::Bold), c.kvText), name = formatOf(scaledFont(1, QFont::DemiBold), c.text),
                          from = formatOf(scaledFont(type::caption), c.muted);
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(em(0.12));
    format.setTopMargin(em(0.25));
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    double widest = em(1.7);
    for (const ExplainTerm &term : terms)
        widest = std::max(widest, QFontMetricsF(scaledFont(1, QFont::Bold)).horizontalAdvance(translated(term.value)));
    const QTextLength valueWidth(QTextLength::FixedLength, widest + em(1));
    if (m_narrow)
        format.setColumnWidthConstraints({valueWidth, QTextLength()});
    else
        format.setColumnWidthConstraints({valueWidth, QTextLength(QTextLength::FixedLength, nameWidth(terms, name.font())), QTextLength()});
    QTextTable *table = cursor.insertTable(static_cast<int>(terms.size()), m_narrow ? 2 : 3, format);
    QTextBlockFormat right;
    right.setAlignment(Qt::AlignRight);
    right.setRightMargin(em(0.4));
    right.setNonBreakableLines(true); // a number is one word, with its commas and its unit
    for (int row = 0; row < table->rows(); ++row) {
        const ExplainTerm &term = terms[static_cast<std::size_t>(row)];
        QTextCursor cell = table->cellAt(row, 0).firstCursorPosition();
        cell.setBlockFormat(right);
        cell.insertText(translated(term.value), value);
        cell = table->cellAt(row, 1).firstCursorPosition();
        cell.insertText(translated(term.name), name);
        const QString where = translated(term.from), note = translated(term.note);
        const QString origin = breakable(where.isEmpty() || note.isEmpty() ? where + note : tr("%1, %2").arg(where, note));
        if (m_narrow)
            cell.insertText(QStringLiteral("  ") + origin, from);
        else
            table->cellAt(row, 2).firstCursorPosition().insertText(origin, from);
    }
    cursor = table->lastCursorPosition();
    cursor.movePosition(QTextCursor::NextBlock);
    cursor.setBlockFormat(spaced(0, 0));
}

QString ExplainPanel::plainText() const { return toPlainText().remove(breakHere); }

QMimeData *ExplainPanel::createMimeDataFromSelection() const {
    auto *mime = new QMimeData;
    mime->setText(textCursor().selection().toPlainText().remove(breakHere));
    return mime;
}

void ExplainPanel::writeMind(QTextCursor &cursor) {
    if (m_mind.empty())
        return;
    const Colors &c = colorsOf(palette());
    cursor.insertBlock(spaced(em(0.9), em(0.2)));
    cursor.insertText(tr("Mind"), formatOf(scaledFont(1, QFont::DemiBold), c.text));
    for (const std::string &sentence : m_mind) {
        cursor.insertBlock(spaced(0, em(0.35)));
        cursor.insertText(translated(sentence), formatOf(scaledFont(0.92), c.muted));
    }
}

} // namespace kv
