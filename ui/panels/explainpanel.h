// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why the number is what it is: the formula named, substituted and worked out, each value with the config key it came from; and under
// "Mind" what was assumed. The words are core's (plan/explain.h); they are set as text, never as markup, and can be selected.

#include "core/base/quantity.h"
#include "core/plan/explain.h"

#include <QTextBrowser>

namespace kv {

class ExplainPanel : public QTextBrowser {
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget *parent = nullptr);
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);
    /// What is shown, to copy.
    QString plainText() const { return toPlainText(); }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void write();
    void writeSection(QTextCursor &cursor, const ExplainSection &section);
    void writeTerms(QTextCursor &cursor, const std::vector<ExplainTerm> &terms);
    void writeMind(QTextCursor &cursor);

    std::vector<ExplainSection> m_sections;
    std::vector<std::string> m_mind;
    bool m_narrow = false;
};

} // namespace kv
