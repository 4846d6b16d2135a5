// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paper.h"

#include "core/report/inwords.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/compare/compareview.h"
#include "ui/contexttable.h"
#include "ui/controls/card.h"
#include "ui/controls/label.h"
#include "ui/dashboard.h"
#include "ui/growthsweep.h"
#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/learn/lessonview.h"
#include "ui/maps/fitmapview.h"
#include "ui/mnemonic.h"
#include "ui/panels/explainpanel.h"
#include "ui/theme.h"
#include "ui/views.h"
#include "ui/words.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOptionFrame>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace kv {

namespace {

const QLatin1String whole("all"), secondMap("settingsMap"); // the latter is a turn of the fit map
constexpr int mostHeight = 16'384;
constexpr QSize leastPainted{560, 300}; // below which a chart's legend, its axes and the words in it lie over one another

const ViewEntry &entryOf(const QString &page) {
    const QString id = page == secondMap ? QStringLiteral("fitMap") : page;
    return *std::ranges::find_if(viewEntries(), [&id](const ViewEntry &entry) { return id == QLatin1String(entry.id); });
}

/// Its rows for a table, else what it would have to scroll.
int overflowOf(const QAbstractScrollArea &area) {
    if (const auto *table = qobject_cast<const QTableView *>(&area))
        return table->verticalHeader()->length() - table->viewport()->height();
    return area.verticalScrollBar()->maximum();
}

/// Of a sheet of this width with all of its rows.
int heightOf(const CompareView &compare, int width, const ChartStyle &style) {
    const QSizeF rim(2 * em(1), 2 * em(0.8)); // of PicturePage
    return std::min(mostHeight, static_cast<int>(std::ceil(compare.pictureHeight(width - rim.width(), style) + rim.height())));
}

/// What its columns' words take for a table, however they share the room out, else what it would have to scroll.
int overflowAcross(const QAbstractScrollArea &area) {
    const auto *table = qobject_cast<const QTableView *>(&area);
    if (!table)
        return area.horizontalScrollBar()->maximum();
    const QAbstractItemView &cells = *table;
    int width = 0;
    for (int column = 0; column < table->model()->columnCount(); ++column)
        width += std::max(cells.sizeHintForColumn(column), table->horizontalHeader()->sectionSizeHint(column));
    return width - table->viewport()->width();
}

/// Nobody presses a key of a picture; an ampersand of the words themselves stays one.
QString withoutKey(const QString &text) { return withoutMnemonic(text).replace(QLatin1Char('&'), QLatin1String("&&")); }

/// What does not fit in an entry ends with "…": nobody scrolls it on paper, and SVG does not cut it.
void elide(QLineEdit &line) {
    QStyleOptionFrame frame;
    frame.initFrom(&line);
    const int room = line.style()->subElementRect(QStyle::SE_LineEditContents, &frame, &line).width() - 4; // and two pixels that it adds at each side
    const QString fitting = line.fontMetrics().elidedText(line.text(), Qt::ElideRight, room);
    if (fitting == line.text())
        return;
    const QSignalBlocker quiet(line);
    line.setText(fitting);
    line.setCursorPosition(0);
}

std::unique_ptr<QWidget> titledSheet(QWidget *page, const QString &title) {
    auto sheet = std::make_unique<Card>();
    auto *column = new QVBoxLayout(sheet.get());
    column->setContentsMargins(em(1), em(0.8), em(1), em(0.8));
    column->setSpacing(em(0.7));
    auto *name = new Label(Label::Voice::Title, title);
    name->setWordWrap(true);
    column->addWidget(name);
    column->addWidget(page, 1);
    return sheet;
}

} // namespace

/// What is on no screen need not be painted for one: a window that Qt shows nowhere it paints all the same, the whole of it.
bool Unseen::eventFilter(QObject *, QEvent *event) { return event->type() == QEvent::UpdateRequest; }

void PicturePage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    QPalette ground = palette(); // charts lie on the sheet itself, which is a card and no field
    ground.setColor(QPalette::Base, colorsOf(palette()).card);
    painter.fillRect(rect(), ground.color(QPalette::Base));
    m_paint(painter, QRectF(rect()).adjusted(em(1), em(0.8), -em(1), -em(0.8)), ChartStyle::fromPalette(ground, font()));
}

std::vector<std::string> paperPages() {
    std::vector<std::string> ids{"all", "gpus", "growth", "table", "explain"};
    for (const ViewEntry &entry : viewEntries())
        ids.emplace_back(entry.id);
    ids.emplace_back("settingsMap");
    return ids;
}

QSize usualPaperSize(const QString &page) {
    // Lists and sentences are narrower, and grow to what they hold.
    static const std::map<QString, QSize> sizes{{whole, {1440, 900}},
                                                {QStringLiteral("table"), {900, 300}},
                                                {QStringLiteral("explain"), {680, 300}},
                                                {QStringLiteral("mistakes"), {900, 300}},
                                                {QStringLiteral("capacity"), {1100, 300}},
                                                {QStringLiteral("levers"), {680, 300}},
                                                {QStringLiteral("lesson"), {680, 300}},
                                                {QStringLiteral("settingsMap"), {1200, 560}}};
    const auto found = sizes.find(page);
    return found != sizes.end() ? found->second : QSize(1200, 760);
}

Paper::Paper(const ScenarioDocument &document, const PaperOrder &order)
    : m_document(document), m_palette(paletteOf(order.dark ? darkColors() : lightColors())), m_style(ChartStyle::fromPalette(m_palette, QApplication::font())), m_unit(order.unit),
      m_page(order.page), m_size(order.size.value_or(usualPaperSize(order.page))), m_grows(!order.size) {
    const AsInFiles plain;
    m_document.flush();
    const Plan &plan = m_document.plan();
    if (plan.ok())
        for (const std::string &item : captionOf(m_document.scenario(), plan, utf8(pictureDate())))
            m_notes.caption += translated(item);
    if (m_page == QLatin1String("compare")) {
        QStringList names;
        for (const Scenario &scenario : document.scenarios)
            names += words(scenario.name);
        m_notes.caption.prepend(Dashboard::tr("Compared: %1").arg(names.join(QStringLiteral(", "))));
    }
    m_notes.document = QByteArray::fromStdString(writeDocument(document, {}));
    make(order);
}

Paper::~Paper() = default;

void Paper::make(const PaperOrder &order) {
    if (m_page == whole) {
        auto dashboard = std::make_unique<Dashboard>(&m_document);
        dashboard->setUnit(m_unit);
        m_dashboard = dashboard.get();
        m_sheet = std::move(dashboard);
    } else if (!m_document.plan().ok()) {
        return;
    } else if (m_page == QLatin1String("gpus")) {
        m_sheet = gpus(order);
    } else if (m_page == QLatin1String("growth")) {
        m_sheet = growth(order);
    } else if (m_page == QLatin1String("table")) {
        m_sheet = table();
    } else if (m_page == QLatin1String("explain")) {
        m_sheet = explanation();
    } else {
        m_sheet = view(order);
    }
    if (!m_sheet)
        return;
    m_sheet->setPalette(m_palette);
    for (ExportButton *dots : m_sheet->findChildren<ExportButton *>()) {
        dots->setEnabled(false);
        dots->hide();
    }
    m_sheet->setAttribute(Qt::WA_DontShowOnScreen);
    m_sheet->installEventFilter(&m_unseen);
    m_sheet->resize(m_size.width(), std::max(1, m_size.height() - captionHeight(m_notes.caption, m_size.width())));
    m_sheet->show();
    if (m_dashboard && order.like)
        m_dashboard->showLike(*order.like);
}

std::unique_ptr<QWidget> Paper::gpus(const PaperOrder &order) {
    auto chart = std::make_shared<GpuChart>();
    const Ghost *ghost = order.like ? order.like->ghost() : nullptr;
    chart->setTitle(gpuTitle(m_document.plan()));
    chart->show(m_document.plan(), m_unit, m_style, ghost ? &ghost->plan : nullptr, ghost ? ghost->name : QString());
    m_exports = tableExports(m_page, m_page, chart->table());
    if (m_grows) // a few bars do not fill it
        m_size.setHeight(std::min(m_size.height(), static_cast<int>(std::ceil(chart->pictureHeight(m_size.width() - 2 * em(1), m_style))) + 2 * em(0.8) + captionHeight(m_notes.caption, m_size.width())));
    return std::make_unique<PicturePage>([chart](QPainter &painter, const QRectF &target, const ChartStyle &look) { chart->paintTo(painter, target, look); });
}

std::unique_ptr<QWidget> Paper::growth(const PaperOrder &order) {
    auto chart = std::make_shared<GrowthChart>();
    const Scenario &scenario = m_document.scenario();
    const Plan &plan = m_document.plan();
    std::optional<GhostSweep> beside;
    if (const Ghost *ghost = order.like ? order.like->ghost() : nullptr; ghost && ghost->plan.ok()) {
        const GrowthAxis axis = growthAxis(scenario);
        beside = GhostSweep{ghost->name, sweepContext(ghost->scenario, ghost->plan, axis.from, axis.to, {})};
    }
    chart->show(growthSweep(scenario, plan), plan, m_unit, m_style, beside ? &*beside : nullptr);
    m_exports = tableExports(m_page, m_page, chart->table());
    return std::make_unique<PicturePage>([chart](QPainter &painter, const QRectF &target, const ChartStyle &look) { chart->paintTo(painter, target, look); });
}

std::unique_ptr<QWidget> Paper::table() {
    auto *numbers = new NumbersView;
    auto sheet = titledSheet(numbers, Dashboard::tr("Memory, sequences and fit at the usual contexts"));
    sheet->setPalette(m_palette); // the table's colours are those of what it stands on
    auto *model = new ContextTable(sheet.get());
    model->present(m_document.scenario(), m_document.plan(), m_unit);
    numbers->setModel(model);
    numbers->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_exports = tableExports(m_page, m_page, model);
    return sheet;
}

std::unique_ptr<QWidget> Paper::explanation() {
    auto *panel = new ExplainPanel;
    panel->setPalette(m_palette);
    panel->present(m_document.scenario(), m_document.plan(), m_unit);
    m_exports = computedExports(m_page, m_page, m_document.scenario(), m_document.plan(), m_unit);
    return titledSheet(panel, Dashboard::tr("How it is counted"));
}

/// As it paints itself for pictures, or the widget on a sheet.
std::unique_ptr<QWidget> Paper::view(const PaperOrder &order) {
    const ViewEntry &entry = entryOf(m_page);
    const Scenario &scenario = m_document.scenario();
    const Plan &plan = m_document.plan();
    std::unique_ptr<View> made(entry.make());
    if (!made->isWorthShowing(scenario, plan))
        return nullptr;
    made->setObjectName(QLatin1String(entry.id));
    made->setPalette(m_palette);
    m_view = made.get();
    const auto turn = [&] {
        if (const View *like = order.like ? order.like->view(QLatin1String(entry.id)) : nullptr)
            m_view->showLike(*like);
        if (auto *maps = qobject_cast<FitMapView *>(m_view))
            maps->setMap(m_page == secondMap ? FitMapView::Map::Settings : FitMapView::Map::Fit);
    };
    turn();
    m_view->present({m_document.value(), scenario, plan, m_unit, m_style, order.like ? order.like->ghost() : nullptr});
    turn();
    if (auto *lessons = qobject_cast<LessonView *>(m_view); lessons && order.lesson)
        lessons->showLesson(order.lesson, order.guess);
    if (!m_view->picture())
        return titledSheet(made.release(), entry.title);
    m_painted = std::move(made);
    return std::make_unique<PicturePage>([kept = m_painted](QPainter &painter, const QRectF &target, const ChartStyle &look) { kept->picture()(painter, target, look); });
}

bool Paper::isSettled() const { return m_dashboard ? m_dashboard->isSettled() : !m_view || m_view->isSettled(); }

void Paper::settle() {
    const AsInFiles plain;
    if (m_dashboard)
        m_dashboard->settle();
    else if (m_view)
        m_view->settle();
}

bool Paper::advance() {
    const AsInFiles plain;
    if (!m_sheet || m_grown)
        return false;
    if (!m_laidOut) {
        layOut();
        return true;
    }
    if (!isSettled())
        return false;
    settle();
    growToContent();
    m_grown = true;
    return true;
}

void Paper::layOut() {
    const AsInFiles plain;
    m_laidOut = true;
    // Nobody can press a button of a picture; in the dashboard they are a part of what the window looks like.
    for (QPushButton *button : m_sheet->findChildren<QPushButton *>())
        if (!m_dashboard && button->metaObject() == &QPushButton::staticMetaObject)
            button->hide();
    for (QAbstractButton *button : m_sheet->findChildren<QAbstractButton *>())
        if (button->text().contains(QLatin1Char('&')))
            button->setText(withoutKey(button->text()));
    for (QLineEdit *line : m_sheet->findChildren<QLineEdit *>())
        elide(*line);
    for (Label *label : m_sheet->findChildren<Label *>())
        if (label->buddy())
            label->setWholeText(withoutMnemonic(label->wholeText()));
    m_document.flush();
    // What a change of arrangement asks for asks for more in its turn: rows that are hidden give their height back one level after another.
    constexpr int levels = 8;
    for (int turn = 0; turn < levels; ++turn)
        QCoreApplication::sendPostedEvents();
}

/// Twice: what is given more room may break its lines elsewhere.
void Paper::growToContent() {
    if (const auto *compare = qobject_cast<const CompareView *>(m_view); compare && m_grows) {
        m_sheet->resize(m_sheet->width(), heightOf(*compare, m_sheet->width(), m_style));
        QCoreApplication::sendPostedEvents();
        return;
    }
    for (int turn = 0; m_grows && turn < 2; ++turn) {
        int more = 0;
        for (const QAbstractScrollArea *area : m_sheet->findChildren<QAbstractScrollArea *>())
            if (area->isVisibleTo(m_sheet.get()))
                more = std::max(more, overflowOf(*area));
        if (more <= 0)
            return;
        m_sheet->resize(m_sheet->width(), std::min(mostHeight, m_sheet->height() + more));
        QCoreApplication::sendPostedEvents();
    }
}

/// Until nothing is left to scroll: columns that are given room share it out anew.
void Paper::widenToContent() {
    for (int turn = 0; turn < 8; ++turn) {
        int more = 0;
        for (const QAbstractScrollArea *area : m_sheet->findChildren<QAbstractScrollArea *>())
            if (area->isVisibleTo(m_sheet.get()))
                more = std::max(more, overflowAcross(*area));
        if (more <= 0)
            return;
        m_sheet->resize(m_sheet->width() + more, m_sheet->height());
        QCoreApplication::sendPostedEvents();
    }
}

QSize Paper::wholeSize() {
    const AsInFiles plain;
    settle();
    layOut();
    if (qobject_cast<PicturePage *>(m_sheet.get())) {
        QSize least = m_sheet->size().expandedTo(leastPainted);
        if (const auto *compare = qobject_cast<const CompareView *>(m_view))
            least.setHeight(std::max(least.height(), heightOf(*compare, least.width(), m_style)));
        m_sheet->resize(least);
    } else {
        widenToContent();
        const bool grew = std::exchange(m_grows, true);
        growToContent();
        m_grows = grew;
    }
    return {m_sheet->width(), m_sheet->height() + captionHeight(m_notes.caption, m_sheet->width())};
}

Recording Paper::record() {
    const AsInFiles plain;
    settle();
    layOut();
    growToContent();
    return Recording(*m_sheet, m_notes);
}

std::string Paper::csv() {
    settle();
    const ViewExports exports = m_view ? m_view->exports() : m_exports;
    return exports.csv ? exports.csv.make() : std::string();
}

std::string Paper::markdown() {
    settle();
    const ViewExports exports = m_view ? m_view->exports() : m_exports;
    return exports.markdown ? exports.markdown.make() : std::string();
}

} // namespace kv
