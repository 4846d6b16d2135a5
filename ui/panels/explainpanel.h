// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why the number is what it is: the formula named, substituted and worked out, each value with the config key it came from; and under
// "Mind" what was assumed. The words are core's (plan/explain.h); they are set as text, never as markup, and can be selected.

#include "core/base/quantity.h"
#include "core/plan/explain.h"

#include <QTextBrowser>

namespace kv {

/// What was assumed or is to be minded about a plan, each sentence once.
std::vector<std::string> mindOf(const Plan &plan);

class ExplainPanel : public QTextBrowser {
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);
    /// Marks the sections of one kind of cache.
    void light(std::optional<CacheKind> kind);
    /// What is shown, to copy.
    QString plainText() const;

signals:
    /// The pointer is on a section of this kind, or on none.
    void kindPointed(std::optional<kv::CacheKind> kind);

protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    QMimeData *createMimeDataFromSelection() const override;

private:
    void write();
    void writeSection(QTextCursor &cursor, const ExplainSection &section);
    void writeTerms(QTextCursor &cursor, const std::vector<ExplainTerm> &terms);
    void writeMind(QTextCursor &cursor);

    struct Range {
        int begin, end;
        std::optional<CacheKind> kind;
    };

    void mark();
    std::optional<CacheKind> kindAt(const QPoint &position) const;

    std::vector<ExplainSection> m_sections;
    std::vector<Range> m_ranges; ///< of the sections, in characters
    std::optional<CacheKind> m_lit, m_pointed;
    std::vector<std::string> m_mind;
    bool m_narrow = false;
};

} // namespace kv
