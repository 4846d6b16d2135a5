// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Compare": the scenarios of the document side by side. A list with a bar for each, ordered, named, opened and removed here; a table of
// what differs; a baseline that all differences are against and that can be shown on the charts. In a narrow place the table holds the
// baseline and the selected scenario, in a wide one all of them. Which is the baseline, and what is selected, are ways to look.

#include "ui/charts/chartstyle.h"
#include "ui/compare/compared.h"
#include "ui/view.h"

class QBoxLayout;
class QCheckBox;
class QPushButton;
class QTableView;

namespace kv {

class ChartLegend;
class CompareTable;
class Label;
class Latest;
class PinnedList;

class CompareView : public View {
    Q_OBJECT

public:
    explicit CompareView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    void settle() override;
    bool isSettled() const override;
    ViewExports exports() override;
    PaintPicture picture() const override;
    /// Of picture(), to leave nothing out.
    double pictureHeight(double width, const ChartStyle &style) const;
    void showLike(const View &other) override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void buildButtons(QBoxLayout *column);
    void connectAll();
    std::vector<const Plan *> plans() const;
    void findBaseline();
    void countMissing();
    void showAll();
    void showTable();
    void showButtons();
    void offerGhost();
    void arrange();
    void pin();
    void rename(std::size_t index);
    void move(std::size_t from, std::size_t to);
    void remove(std::size_t index);

    Label *m_title, *m_hint;
    PinnedList *m_list;
    ChartLegend *m_legend;
    QPushButton *m_pin, *m_open, *m_baselineButton, *m_rename, *m_remove, *m_up, *m_down;
    QCheckBox *m_onCharts, *m_allRows;
    QTableView *m_numbers;
    CompareTable *m_table;
    QBoxLayout *m_halves;
    Latest *m_latest;

    // What was shown last.
    ScenarioDocument m_document;
    Scenario m_scenario; ///< the present one, or the last of it that could be planned
    Plan m_plan;
    SizeUnit m_unit = SizeUnit::Decimal;
    ChartStyle m_style;
    PlanCache m_cache;
    Compared m_all;
    Scenario m_baseline; ///< found again by its value where the scenarios were moved
    std::size_t m_baselineIndex = 0, m_selected = 0;
    bool m_presented = false;
    std::shared_ptr<const Ghost> m_ghost;
};

} // namespace kv
