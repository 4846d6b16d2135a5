// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"

using namespace kv;
using namespace kv::test;

// The window small, dark, in large type, and with numbers that are too wide.
class WindowLookTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void smallWindow();
    void followsTheDesktop();
    void typeSize();
    void numbersThatAreTooWide();
};

void WindowLookTest::smallWindow() {
    WindowFixture w({1024, 700});
    QVERIFY(w.window->dashboard()->isCompact());
    QCOMPARE(w.window->width(), 1024);
    auto *tabs = w.find<QTabBar>("chartsTabs");
    QCOMPARE(tabs->count(), 4);
    QVERIFY(!w.find<QWidget>("side")->isVisible());
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        w.settle();
    }
    QVERIFY(w.find<QTextBrowser>("explainPanel")->isVisible());
    w.type("sequencesEdit", QStringLiteral("5"));
    QVERIFY(w.find<QTextBrowser>("explainPanel")->toPlainText().contains(QStringLiteral("× 5")));
    w.window->resize(1440, 900);
    w.settle();
    QVERIFY(!w.window->dashboard()->isCompact());
    QCOMPARE(tabs->count(), 2);
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

void WindowLookTest::numbersThatAreTooWide() {
    WindowFixture w;
    w.type("gpuCountEdit", QStringLiteral("65536"));
    w.find<QWidget>("contextEdit")->setFocus();
    auto *edit = w.find<QLineEdit>("gpuCountEdit");
    QVERIFY(QFontMetrics(edit->font()).horizontalAdvance(edit->text()) < edit->width());
    w.type("contextEdit", QStringLiteral("9223372036854775807"));
    QVERIFY(w.find<QWidget>("contextEdit")->toolTip().contains(QStringLiteral("9,223,372,036,854,775,807")));
}

KV_TEST(WindowLookTest)
#include "windowlooktest.moc"
