// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Fit map": what fits, over context and sequences or over GPUs and types. The ground is counted off this thread and the old one stands
// until the new one is there; the present point moves at once. While it is dragged the axes and the ground stand still.

#include "ui/charts/chartstyle.h"
#include "ui/maps/fitground.h"
#include "ui/view.h"

class QStackedLayout;

namespace kv {

class ChartLegend;
class FitMapChart;
class Latest;
class Segments;
class SettingsChart;

class FitMapView : public View {
    Q_OBJECT

public:
    enum class Map { Fit, Settings };

    explicit FitMapView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    void settle() override;
    bool isSettled() const override;
    ViewExports exports() override;
    PaintPicture picture() const override;
    void showLike(const View &other) override;
    void setMap(Map map);
    Map map() const { return m_map; }

private:
    struct Asked {
        Scenario scenario;
        std::optional<Scenario> ghost;
        FitRange range;
        Map map = Map::Fit;

        bool operator==(const Asked &) const = default;
    };

    void build();
    void ask();
    void showFit();
    void showSettings();
    std::string csv() const;
    std::string markdown() const;
    void movePoint(qint64 context, qint64 sequences, int gesture);
    void takeCell(std::size_t index);

    Map m_map = Map::Fit;
    ChartLegend *m_legend;
    Segments *m_chooser;
    QStackedLayout *m_pages;
    FitMapChart *m_fit;
    SettingsChart *m_settings;
    Latest *m_latest;
    // What was shown last: kept to be asked for again when the other map is chosen or a drag ends.
    bool m_presented = false;
    Scenario m_scenario;
    Plan m_plan;
    std::optional<Ghost> m_ghost;
    SizeUnit m_unit = SizeUnit::Decimal;
    ChartStyle m_style;
    std::optional<Asked> m_asked; ///< what the ground is of, or will be
    FitGround m_ground;
    std::shared_ptr<const SettingsMap> m_cells;
    Scenario m_cellsOf; ///< whose cells they are
};

} // namespace kv
