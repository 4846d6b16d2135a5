// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window's inside: the scenario at the left, the answer with its figures and charts in the middle, the reasons at the right.
//
// In a wide window every view has its place. Below that (1,200 px at the usual type, more where the type is larger) the figures go three
// by two and the charts and the reasons share one place with tabs; where not even the scenario has room beside them (large type in a
// small window), it goes behind the first of these tabs. What is too high scrolls. A view that is not seen is not computed: it is brought up to date
// when it comes to the front. After a refused edit the figures of the last good plan stay, veiled, under a sentence that says so.

#include "core/base/quantity.h"
#include "ui/document.h"
#include "ui/view.h"

#include <QWidget>

#include <array>
#include <memory>

class QHBoxLayout;
class QStackedWidget;

namespace kv {

struct ChartStyle;
class ContextTable;
class Drafts;
class ExplainPanel;
class FlightFinder;
class GpuChart;
class GrowthChart;
class Label;
class LayerStrip;
class LogPanel;
class MessageStrip;
struct Asked;
struct Figure;
struct Ghost;
class NearestFinder;
class NumbersView;
class ScenarioColumn;
class ScenarioTabs;
class TabCard;
class Tiles;
class Veil;
class VerdictBar;
class View;
struct ViewEntry;
struct Shown;
struct OpenLog;

/// "Memory of each GPU", with the engine whose rules it shows.
QString gpuTitle(const Plan &plan);

class Dashboard : public QWidget {
    Q_OBJECT

public:
    explicit Dashboard(Document *document, QWidget *parent = nullptr);
    void setUnit(SizeUnit unit);
    SizeUnit unit() const { return m_unit; }
    MessageStrip *messages() const { return m_messages; }
    GpuChart *gpuChart() const { return m_gpuChart; }
    GrowthChart *growthChart() const { return m_growthChart; }
    ExplainPanel *explainPanel() const { return m_explain; }
    /// Everything but the scenario and the GPUs' memory shares one place with tabs.
    bool isCompact() const { return m_arrangement == Arrangement::Compact || m_arrangement == Arrangement::Narrow; }
    /// The verdict and the charts alone, over the whole window.
    void setPresenting(bool presenting);
    bool isPresenting() const { return m_presenting; }
    /// The tab of this number among the charts, from 0, in front; nothing where there is none.
    void showTab(int number);
    ScenarioTabs *scenarioTabs() const { return m_scenarios; }
    /// The GPUs' memory as a table in the place of its chart.
    void setGpuTable(bool table);
    bool isGpuTable() const;
    void showGrowthTable(bool table);
    bool isGrowthTable() const;
    void showExplanation();
    /// A page of ui/views.h by its id, in front; nullptr where there is none of that name.
    View *view(const QString &id) const;
    /// A view, or gpus, growth, table, explain; nullptr where there is none of that name.
    QWidget *page(const QString &id) const;
    void showPage(const QString &id);
    /// A scenario beside the present one on all charts; none takes it away.
    void showGhost(std::shared_ptr<const Ghost> ghost);
    /// The one that is drawn: a scenario that it is not the other of is shown without it.
    const Ghost *ghost() const;
    /// The ghost of what was pointed at goes: the pointer is elsewhere now.
    void dropPassingGhost();
    /// A log beside the plan, in front; none takes its page away.
    void showLog(std::shared_ptr<const OpenLog> log);
    /// The same views in front as in another window's inside.
    void showLike(const Dashboard &other);
    /// Shows the document as it is now. What is counted off this thread comes when it is ready.
    void refresh();
    /// Everything brought up to date now, for a picture of it.
    void settle();
    /// Whether nothing that is in front is being counted off this thread.
    bool isSettled() const;
    /// The verdict and the figures as text, to copy.
    QString summary() const;

signals:
    void openAsked();
    void hubAsked();
    void pasteAsked();
    void pathAsked(const QString &path);
    void traceAsked();   ///< request lengths out of a file
    void columnsAsked(); ///< other columns of the trace that is open
    void cardChanged();  ///< of the user's own list, which all windows share
    void viewChanged();
    /// The numbers or the picture of a page are to leave the window.
    void pageAsked(const kv::ViewExports &exports, kv::PageUse use);
    void calibrateAsked();
    void closeLogAsked();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Arrangement { Wide, Compact, Narrow, Stage };

    void build();
    void connectAll();
    void connectViews();
    void present();
    void sayOfEntry(bool refused, const QString &sentence);
    void presentFigures();
    void presentTiles();
    void keepAnswer(std::shared_ptr<const Asked> asked);
    std::array<Figure, 6> figures() const;
    const Asked *asked() const;
    std::optional<Bytes> askedSize() const;
    void presentGrowth(const ChartStyle &style);
    void presentFront();
    Shown shown(const ChartStyle &style);
    bool haveViewsChanged();
    void presentRefusal();
    void presentLayers();
    void light(std::optional<CacheKind> kind);
    // dashboardlayout.cpp
    Arrangement arrangementFor(int width) const;
    void arrange(Arrangement arrangement);
    void placeColumn();
    void buildGpus();
    void buildViews();
    void buildExports();
    void arrangeTabs();
    TabCard *reasons() const;

    Document *m_document;
    SizeUnit m_unit = SizeUnit::Decimal;
    Arrangement m_arrangement = Arrangement::Wide;
    bool m_arranged = false;
    bool m_presenting = false;
    ScenarioColumn *m_column;
    ScenarioTabs *m_scenarios;
    MessageStrip *m_messages;
    VerdictBar *m_verdict;
    Tiles *m_tiles;
    LayerStrip *m_layers;
    QWidget *m_gpuCard;
    QStackedWidget *m_gpuPage;
    GpuChart *m_gpuChart;
    Label *m_gpuTitle; ///< of the table
    NumbersView *m_gpuNumbers;
    GrowthChart *m_growthChart;
    NumbersView *m_contextNumbers;
    ContextTable *m_contextTable;
    ExplainPanel *m_explain;
    LogPanel *m_logPanel;
    std::shared_ptr<const OpenLog> m_log;
    struct ViewPage {
        View *view;
        const ViewEntry *entry;
        bool worth = true; ///< has a tab
    };
    std::vector<ViewPage> m_views;
    std::shared_ptr<const Ghost> m_ghost;
    bool m_ghostPasses = false; ///< it is of what is pointed at, and goes with the pointer
    std::shared_ptr<const Asked> m_asked;
    QString m_entrySentence;    ///< what was said last of something typed
    TabCard *m_charts;
    TabCard *m_side;
    Veil *m_veil = nullptr;
    Drafts *m_drafts;
    NearestFinder *m_nearest;
    FlightFinder *m_flight; ///< for the verdict, where lengths differ
    QHBoxLayout *m_row = nullptr;
};

} // namespace kv
