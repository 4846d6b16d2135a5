// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The answer: one sentence with the numbers that matter and a second on what comes next, said by a symbol and the colour of a stripe
// as well. Words are core's (plan/explain.h).

#include "core/base/quantity.h"
#include "core/plan/explain.h"
#include "ui/controls/card.h"

class QLabel;

namespace kv {

class VerdictBar : public Card {
    Q_OBJECT
    Q_PROPERTY(QString headline READ headline)
    Q_PROPERTY(QString detail READ detail)

public:
    explicit VerdictBar(QWidget *parent = nullptr);
    void present(const Verdict &verdict);
    QString headline() const;
    QString detail() const;
    Verdict::State state() const { return m_verdict.state; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void takeFont();
    void takeColors();
    void place();
    QFont headlineFont() const;

    Verdict m_verdict;
    QLabel *m_symbol;
    QLabel *m_headline;
    QLabel *m_detail;
};

} // namespace kv
