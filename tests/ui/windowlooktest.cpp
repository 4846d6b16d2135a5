// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/textrecorder.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/tabcard.h"
#include "ui/facts.h"
#include "ui/panels/tile.h"
#include "ui/style.h"
#include "ui/theme.h"

using namespace kv;
using namespace kv::test;

// The window small, dark, in large type, and with numbers that are too wide.
class WindowLookTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void smallWindow();
    void tabsAreWhole_data();
    void tabsAreWhole();
    void explainedNumbersAreWhole();
    void followsTheDesktop();
    void typeSize();
    void numbersThatAreTooWide();
    void largeTypeInASmallWindow();
    void gpuTableIsNamed();
    void unlikeLayers();
    void dotsCoverNothing();
    void stageFitsItsScreen_data();
    void stageFitsItsScreen();
    void barsKeepTheirValues();
    void figuresReadFromLeftToRight();
    void aRefusalIsSeenOverHints();
    void anEntryGrowsBack();
    void nothingLiesOverATip();
};

/// Which tabs there are follows from where the views stand; how many, from how many views there are.
static bool hasTab(const QTabBar *tabs, const char *title) {
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QLatin1String(title))
            return true;
    return false;
}

void WindowLookTest::smallWindow() {
    WindowFixture w({1024, 700});
    QVERIFY(w.window->dashboard()->isCompact());
    QCOMPARE(w.window->width(), 1024);
    auto *tabs = w.find<QTabBar>("chartsTabs");
    QVERIFY(hasTab(tabs, "GPUs") && hasTab(tabs, "Growth") && hasTab(tabs, "Explain"));
    QVERIFY(tabs->height() > tabs->fontMetrics().height());
    QVERIFY(!w.find<QWidget>("side")->isVisible());
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        w.settle();
    }
    w.window->findChild<QAction *>(QStringLiteral("explainAction"))->trigger();
    w.settle();
    QVERIFY(w.find<QTextBrowser>("explainPanel")->isVisible());
    w.type("sequencesEdit", QStringLiteral("5"));
    QVERIFY(w.find<QTextBrowser>("explainPanel")->toPlainText().contains(QStringLiteral("× 5")));
    w.window->resize(1440, 900);
    w.settle();
    QVERIFY(!w.window->dashboard()->isCompact());
    QVERIFY(!hasTab(tabs, "GPUs") && !hasTab(tabs, "Explain") && hasTab(tabs, "Growth with context"));
    QVERIFY(w.find<QWidget>("gpuChart")->isVisible());
    QVERIFY(w.find<QTextBrowser>("explainPanel")->isVisible());
}

void WindowLookTest::followsTheDesktop() {
    WindowFixture w;
    const auto isDark = [&w] {
        QCoreApplication::processEvents();
        return w.window->palette().color(QPalette::Window).lightness() < 128;
    };
    QVERIFY(!isDark());
    QPalette desktop(QColor(40, 40, 40));
    QApplication::setPalette(desktop);
    QVERIFY(isDark());
    QCOMPARE(w.window->palette().color(QPalette::Window), darkColors().ground);
    w.window->findChild<QAction *>(QStringLiteral("themeLightAction"))->trigger();
    QVERIFY(!isDark());
    w.window->findChild<QAction *>(QStringLiteral("themeDarkAction"))->trigger();
    QVERIFY(isDark());
    w.window->findChild<QAction *>(QStringLiteral("themeSystemAction"))->trigger();
    QVERIFY(!isDark());
}

void WindowLookTest::typeSize() {
    WindowFixture w;
    const double before = w.find<QLineEdit>("contextEdit")->font().pointSizeF();
    // Widgets hear of the application's font only while its event loop runs.
    QTimer::singleShot(0, w.window, [&w] {
        for (int i = 0; i < 5; ++i)
            w.window->findChild<QAction *>(QStringLiteral("largerAction"))->trigger();
        QTimer::singleShot(300, [] { QCoreApplication::exit(); }); // quit() would close the window
    });
    QApplication::exec();
    w.settle();
    QTRY_VERIFY(w.find<QLineEdit>("contextEdit")->font().pointSizeF() > before * 1.4);
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    w.type("sequencesEdit", QStringLiteral("3"));
    QVERIFY(w.headline().startsWith(QStringLiteral("3 ")));
    w.window->findChild<QAction *>(QStringLiteral("usualAction"))->trigger();
    w.settle();
    QCOMPARE(w.find<QLineEdit>("contextEdit")->font().pointSizeF(), before);
}

void WindowLookTest::tabsAreWhole_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QByteArray>("bar");
    QTest::newRow("charts") << QSize(1440, 900) << QByteArray("chartsTabs");
    QTest::newRow("reasons") << QSize(1440, 900) << QByteArray("sideTabs");
    QTest::newRow("all in one") << QSize(1024, 700) << QByteArray("chartsTabs");
}

// All of them are seen without scrolling, and each has room for its words in the heavier face that it has in front.
void WindowLookTest::tabsAreWhole() {
    QFETCH(QSize, size);
    QFETCH(QByteArray, bar);
    const QFont usual = QApplication::font();
    QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 10));
    {
        WindowFixture w(size);
        auto *tabs = w.find<QTabBar>(bar.constData());
        QFont heavy = tabs->font();
        heavy.setWeight(QFont::DemiBold);
        for (int i = 0; i < tabs->count(); ++i) {
            const QRect rect = tabs->tabRect(i);
            const QByteArray told = QStringLiteral("%1: %2 to %3 of %4").arg(tabs->tabText(i)).arg(rect.left()).arg(rect.right()).arg(tabs->width()).toUtf8();
            QVERIFY2(rect.left() >= 0 && rect.right() <= tabs->width(), told.constData());
            const double gap = em(tabs->property(tightTabs).toBool() ? 0.55 : 0.9);
            QVERIFY2(rect.width() - gap >= QFontMetrics(heavy).horizontalAdvance(tabs->tabText(i)), told.constData());
        }
    }
    QApplication::setFont(usual);
}

// A figure of the derivation stands on one line, whatever face it is in.
void WindowLookTest::explainedNumbersAreWhole() {
    const QFont usual = QApplication::font();
    QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 10));
    {
        WindowFixture w;
        w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.engine.id = "vllm"; });
        w.settle();
        int figures = 0;
        const QTextDocument *text = w.find<QTextBrowser>("explainPanel")->document();
        for (QTextBlock block = text->begin(); block.isValid(); block = block.next()) {
            const auto *table = qobject_cast<QTextTable *>(QTextCursor(block).currentTable());
            if (!table || table->cellAt(block.position()).column() != 0)
                continue;
            ++figures;
            QVERIFY2(block.layout()->lineCount() == 1, qPrintable(block.text()));
            const QRectF cell = text->documentLayout()->blockBoundingRect(block);
            QVERIFY2(block.layout()->lineAt(0).naturalTextWidth() <= cell.width(), qPrintable(block.text()));
        }
        QVERIFY(figures > 5);
    }
    QApplication::setFont(usual);
}

void WindowLookTest::numbersThatAreTooWide() {
    WindowFixture w;
    w.type("gpuCountEdit", QStringLiteral("65536"));
    w.find<QWidget>("contextEdit")->setFocus();
    auto *edit = w.find<QLineEdit>("gpuCountEdit");
    QVERIFY(QFontMetrics(edit->font()).horizontalAdvance(edit->text()) < edit->width());
    w.type("contextEdit", QStringLiteral("9223372036854775807"));
    QVERIFY(w.find<QWidget>("contextEdit")->toolTip().contains(QStringLiteral("9,223,372,036,854,775,807")));
}

void WindowLookTest::largeTypeInASmallWindow() {
    const QFont usual = QApplication::font();
    QFont twice = usual;
    twice.setPointSizeF(usual.pointSizeF() * 2);
    QApplication::setFont(twice);
    {
        WindowFixture w({1024, 700});
        // The scenario is behind the first tab, and what is too high scrolls: nothing lies over anything.
        auto *tabs = w.find<QTabBar>("chartsTabs");
        QVERIFY(hasTab(tabs, "Scenario") && hasTab(tabs, "GPUs"));
        tabs->setCurrentIndex(0);
        w.settle();
        auto *content = w.find<QWidget>("scenarioContent");
        QVERIFY(content->isVisible());
        QVERIFY(w.find<QScrollArea>("middleScroll")->verticalScrollBar()->maximum() > 0);
        QVERIFY(w.find<QWidget>("verdict")->geometry().bottom() < w.find<QWidget>("tileKvPerToken")->parentWidget()->geometry().top());
        w.type("sequencesEdit", QStringLiteral("3"));
        QVERIFY(w.headline().startsWith(QStringLiteral("3 ")));
        w.window->resize(1440, 900);
        w.settle();
        QVERIFY(!hasTab(tabs, "Scenario") && hasTab(tabs, "GPUs"));
        QVERIFY(content->isVisible());
        for (const Tile *tile : w.window->findChildren<Tile *>())
            QVERIFY2(tile->height() > tile->fontMetrics().height() * 2 || tile->fitsBeside(tile->width()), qPrintable(tile->name()));
        w.window->resize(2600, 1400);
        w.settle();
        QVERIFY(!hasTab(tabs, "GPUs"));
        QVERIFY(content->isVisible());
    }
    QApplication::setFont(usual);
}

void WindowLookTest::gpuTableIsNamed() {
    WindowFixture w;
    w.choose("engineCombo", QStringLiteral("vllm"));
    w.window->findChild<QAction *>(QStringLiteral("gpuTableAction"))->trigger();
    w.settle();
    QVERIFY(w.find<QWidget>("gpuTable")->isVisible());
    QVERIFY2(w.shown("gpuTableTitle").contains(QStringLiteral("vLLM")), qPrintable(w.shown("gpuTableTitle")));
    const QAbstractItemModel *table = w.find<QTableView>("gpuTable")->model();
    for (int column = 0; column < table->columnCount(); ++column)
        QCOMPARE(table->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole), table->index(0, column).data(Qt::TextAlignmentRole));
}

void WindowLookTest::unlikeLayers() {
    const QString facts = modelFacts(**presetModel("gemma-4-26b-a4b").value).join(QStringLiteral(" · "));
    QVERIFY2(facts.contains(QStringLiteral("16 query heads · 25 window: 8 KV × 256 · 5 full: 2 KV × 512")), qPrintable(facts));
    const QString alike = modelFacts(**presetModel("llama-3.1-70b").value).join(QStringLiteral(" · "));
    QVERIFY2(alike.contains(QStringLiteral("64 query / 8 KV heads · head dim 128")), qPrintable(alike));
}

void WindowLookTest::dotsCoverNothing() {
    for (const QSize &size : {QSize(1440, 900), QSize(1024, 700)}) {
        WindowFixture w(size);
        for (const char *id : {"gpus", "growth", "table", "explain", "capacity", "levers"}) {
            w.window->dashboard()->showPage(QLatin1String(id));
            w.settle();
            auto *dots = w.find<QToolButton>((QByteArray(id) + "Export").constData());
            QVERIFY2(dots->isVisible(), id);
            QVERIFY2(!dots->autoFillBackground(), id);
            const QWidget *page = w.window->dashboard()->page(QLatin1String(id));
            const auto place = [&w](const QWidget *widget) { return QRect(widget->mapTo(w.window, QPoint()), widget->size()); };
            if (QByteArray(id) != "gpus" || w.window->dashboard()->isCompact())
                QVERIFY2(!place(dots).intersects(place(page)), id);
            else
                for (const QWidget *part : w.find<QWidget>("gpuChart")->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
                    QVERIFY2(!place(dots).intersects(place(part)), part->metaObject()->className());
        }
    }
}

void WindowLookTest::stageFitsItsScreen_data() {
    QTest::addColumn<QSize>("screen");
    QTest::newRow("1440 x 900") << QSize(1440, 900);
    QTest::newRow("1920 x 1080") << QSize(1920, 1080);
}

void WindowLookTest::stageFitsItsScreen() {
    QFETCH(QSize, screen);
    const QFont usual = QApplication::font();
    WindowFixture w(screen);
    w.window->findChild<QAction *>(QStringLiteral("presentAction"))->trigger();
    QTRY_VERIFY(w.window->dashboard()->isPresenting() && QApplication::font().pointSizeF() > 1.5 * usual.pointSizeF());
    w.window->setWindowState(Qt::WindowNoState); // of the screen that is asked for, whatever there is
    w.window->resize(screen);
    w.settle();
    QVERIFY(!w.message().isEmpty()); // the keys
    QTRY_VERIFY(w.find<QWidget>("middleScroll")->width() > screen.width() - 80);
    for (const char *id : {"growth", "fitMap", "lesson", "levers"}) {
        w.window->dashboard()->showPage(QLatin1String(id));
        w.settle();
        QTRY_COMPARE(w.find<QScrollArea>("middleScroll")->verticalScrollBar()->maximum(), 0);
        const auto *bars = w.find<QWidget>("gpuChart");
        QVERIFY2(bars->height() > 8 * 1.2 * bars->fontMetrics().height(), qPrintable(QString::number(bars->height())));
    }
    QTest::keyClick(w.window->dashboard(), Qt::Key_Up);
    w.settle();
    QCOMPARE(w.message(), QString());
    QTest::keyClick(w.window->dashboard(), Qt::Key_Escape);
    QTRY_COMPARE(QApplication::font().pointSizeF(), usual.pointSizeF());
}

void WindowLookTest::barsKeepTheirValues() {
    WindowFixture w;
    w.window->dashboard()->showPage(QStringLiteral("fitMap"));
    w.settle();
    QCOMPARE(w.find<QScrollArea>("middleScroll")->verticalScrollBar()->maximum(), 0);
    auto *chart = w.find<QWidget>("gpuChart");
    TextRecorder recorder(chart->size());
    QPainter painter(&recorder);
    chart->render(&painter);
    painter.end();
    QCOMPARE(recorder.texts().count(QStringLiteral("53.7")), 8);
    for (int i = 0; i < 8; ++i)
        QVERIFY(recorder.texts().has(QStringLiteral("GPU %1").arg(i)));
}

void WindowLookTest::figuresReadFromLeftToRight() {
    QApplication::setLayoutDirection(Qt::RightToLeft);
    {
        WindowFixture w;
        TextRecorder recorder(w.window->size());
        QPainter painter(&recorder);
        w.find<QWidget>("tileKvTotal")->render(&painter);
        w.find<QWidget>("growthChart")->render(&painter);
        painter.end();
        const QStringList texts = recorder.texts().texts();
        // Torn apart, they would be drawn in two pieces.
        QVERIFY2(texts.contains(QStringLiteral("429.5 GB")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY2(texts.contains(QStringLiteral("435 GB left for KV on 8 GPUs")), qPrintable(texts.join(QLatin1Char('|'))));
    }
    QApplication::setLayoutDirection(Qt::LeftToRight);
}

void WindowLookTest::aRefusalIsSeenOverHints() {
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("pinAction"))->trigger();
    w.settle();
    QVERIFY(w.message().contains(QStringLiteral("Pinned")));
    w.type("contextEdit", QStringLiteral("8192"));
    w.type("prefixEdit", QStringLiteral("9000"));
    QVERIFY2(w.message().contains(QStringLiteral("9,000")), qPrintable(w.message()));
    w.type("prefixEdit", QStringLiteral("1000"));
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message())); // and the hint does not come back
}

void WindowLookTest::anEntryGrowsBack() {
    WindowFixture w;
    auto *edit = w.find<QLineEdit>("sequencesEdit");
    w.type("sequencesEdit", QStringLiteral("10"));
    const double usual = edit->font().pointSizeF();
    w.type("sequencesEdit", QStringLiteral("9223372036854775807"));
    QVERIFY(edit->font().pointSizeF() < usual);
    w.type("sequencesEdit", QStringLiteral("10"));
    QCOMPARE(edit->font().pointSizeF(), usual);
}

void WindowLookTest::nothingLiesOverATip() {
    WindowFixture w;
    auto *mind = w.find<QWidget>("statusMind");
    QVERIFY(mind->isVisible());
    w.window->statusBar()->showMessage(QStringLiteral("Save the plan"));
    QVERIFY(!mind->isVisible());
    w.type("contextEdit", QStringLiteral("64k"));
    QVERIFY(!mind->isVisible());
    w.window->statusBar()->clearMessage();
    QVERIFY(mind->isVisible());
}

KV_TEST(WindowLookTest)
#include "windowlooktest.moc"
