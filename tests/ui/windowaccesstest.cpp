// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/controls/searchlist.h"

using namespace kv;
using namespace kv::test;

// Names, keys and order: the window without a mouse and without eyes.
class WindowAccessTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void everyControlHasAName();
    void menuKeysAreUnique();
    void tabOrder();
    void namesAreNoMarkup();
    void tipsAreNoMarkup_data();
    void tipsAreNoMarkup();
};

void WindowAccessTest::everyControlHasAName() {
    WindowFixture w;
    QStringList nameless;
    for (QWidget *widget : w.window->findChildren<QWidget *>()) {
        const bool input = qobject_cast<QAbstractButton *>(widget) || qobject_cast<QLineEdit *>(widget) || qobject_cast<QComboBox *>(widget) ||
                           qobject_cast<LogSlider *>(widget) || qobject_cast<QAbstractItemView *>(widget) || qobject_cast<QTextEdit *>(widget);
        // Parts that Qt makes inside its own widgets speak through them.
        if (!input || widget->objectName().startsWith(QLatin1String("qt_")) || widget->parentWidget()->inherits("QComboBox") ||
            widget->parentWidget()->inherits("QTabBar") || widget->parentWidget()->inherits("QLineEdit") || widget->inherits("QHeaderView") || widget->inherits("QComboBoxListView") ||
            widget->parentWidget()->inherits("QTableView"))
            continue;
        const QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(widget);
        if (!spoken || spoken->text(QAccessible::Name).isEmpty())
            nameless += QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));

    const QAccessibleInterface *slider = QAccessible::queryAccessibleInterface(w.find<QWidget>("contextSlider"));
    QCOMPARE(slider->role(), QAccessible::Slider);
    QCOMPARE(slider->text(QAccessible::Name), QStringLiteral("Context per sequence"));
    QCOMPARE(slider->text(QAccessible::Value), QStringLiteral("131,072 tokens"));
    QAccessibleValueInterface *value = const_cast<QAccessibleInterface *>(slider)->valueInterface();
    QVERIFY(value);
    QCOMPARE(value->currentValue().toLongLong(), 131072);
    value->setCurrentValue(65536);
    w.settle();
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(65536));
    const QAccessibleInterface *tile = QAccessible::queryAccessibleInterface(w.find<QWidget>("tileKvTotal"));
    QVERIFY(tile->text(QAccessible::Name).contains(QStringLiteral("214.7 GB")));
}

void WindowAccessTest::menuKeysAreUnique() {
    WindowFixture w;
    QHash<QString, QString> owners;
    for (const QAction *action : w.window->findChildren<QAction *>()) {
        if (action->shortcut().isEmpty())
            continue;
        const QString key = action->shortcut().toString();
        QVERIFY2(!owners.contains(key), qPrintable(key + QStringLiteral(": ") + owners.value(key) + QStringLiteral(", ") + action->objectName()));
        owners.insert(key, action->objectName());
    }
    // One mnemonic, one menu or input.
    QHash<QChar, QString> mnemonics;
    const auto note = [&mnemonics](const QString &text) {
        const qsizetype at = text.indexOf(QLatin1Char('&'));
        if (at < 0 || at + 1 >= text.size())
            return;
        const QChar key = text.at(at + 1).toLower();
        QVERIFY2(!mnemonics.contains(key), qPrintable(text + QStringLiteral(" and ") + mnemonics.value(key)));
        mnemonics.insert(key, text);
    };
    for (const QAction *menu : w.window->menuBar()->actions())
        note(menu->text());
    for (const QLabel *label : w.window->findChildren<QLabel *>())
        if (label->buddy() && label->isVisible())
            note(label->text());
    note(w.find<QAbstractButton>("engineOptionsFold")->text());
}

void WindowAccessTest::tabOrder() {
    WindowFixture w;
    QStringList order;
    QWidget *first = w.window->dashboard();
    for (QWidget *next = first->nextInFocusChain(); next != first; next = next->nextInFocusChain())
        if (!next->objectName().isEmpty() && next->isVisible() && (next->focusPolicy() & Qt::TabFocus))
            order += next->objectName();
    const QStringList wanted{QStringLiteral("modelChooser"),    QStringLiteral("openConfigButton"), QStringLiteral("fromHubButton"), QStringLiteral("weightsCombo"),  QStringLiteral("kvBf16"),
                             QStringLiteral("kvMore"),          QStringLiteral("contextEdit"),      QStringLiteral("contextSlider"), QStringLiteral("sequencesEdit"),
                             QStringLiteral("sequencesSlider"), QStringLiteral("prefixEdit"),    QStringLiteral("prefixSlider"),
                             QStringLiteral("lengthsButton"),   QStringLiteral("rateButton"), QStringLiteral("gpuChooser"),
                             QStringLiteral("gpuCountEdit"),    QStringLiteral("tpEdit"),           QStringLiteral("ppEdit"),        QStringLiteral("dpEdit"),
                             QStringLiteral("reserveEdit"),     QStringLiteral("engineCombo"),      QStringLiteral("engineOptionsFold")};
    qsizetype at = -1;
    for (const QString &name : wanted) {
        QVERIFY2(order.indexOf(name) > at, qPrintable(name + QStringLiteral(" in ") + order.join(QLatin1Char(' '))));
        at = order.indexOf(name);
    }
}

void WindowAccessTest::namesAreNoMarkup() {
    WindowFixture w;
    const QString name = QStringLiteral("<b>bold</b><img src=x> & a very long name that no chooser of this width can hold in one line");
    w.window->document()->edit(QStringLiteral("Rename"), 0, [&name](Scenario &s) { s.model.name = name.toStdString(); });
    w.settle();
    auto *chooser = w.find<SearchList>("modelChooser");
    QCOMPARE(chooser->shownText(), name);
    QVERIFY(!chooser->toolTip().contains(QStringLiteral("<b>bold")));
    QVERIFY(chooser->toolTip().contains(name.toHtmlEscaped()));
    for (const QLabel *label : w.window->findChildren<QLabel *>())
        QVERIFY2(label->textFormat() != Qt::RichText && (label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text())), qPrintable(label->text()));
}

void WindowAccessTest::tipsAreNoMarkup_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<bool>("undone");
    QTest::newRow("undo") << QByteArray("undoAction") << false;
    QTest::newRow("redo") << QByteArray("redoAction") << true;
}

// A step is called by the file that it is of.
void WindowAccessTest::tipsAreNoMarkup() {
    QFETCH(QByteArray, action);
    QFETCH(bool, undone);
    WindowFixture w;
    const QAction *step = w.window->findChild<QAction *>(QLatin1String(action));
    QToolButton *button = nullptr;
    for (QToolButton *one : w.window->findChildren<QToolButton *>())
        if (one->defaultAction() == step)
            button = one;
    QVERIFY(button);
    const auto told = [&] { return QTextDocumentFragment::fromHtml(button->toolTip()).toPlainText(); };
    const QString key = QStringLiteral(" (%1)").arg(step->shortcut().toString(QKeySequence::NativeText));
    QCOMPARE(told(), step->iconText() + key); // nothing to take back yet
    const QString name = QStringLiteral("<b>bold</b><img src=x> R&D");
    w.window->document()->edit(QStringLiteral("Open %1").arg(name), 0, [](Scenario &s) { s.workload.context = Tokens(4096); });
    if (undone)
        w.window->document()->undoStack()->undo();
    w.settle();
    QVERIFY2(button->toolTip().contains(name.toHtmlEscaped()), qPrintable(button->toolTip()));
    QCOMPARE(told(), step->iconText() + QStringLiteral(" Open ") + name + key);
    QCOMPARE(QAccessible::queryAccessibleInterface(button)->text(QAccessible::Description), step->iconText() + QStringLiteral(" Open ") + name + key);
}

KV_TEST(WindowAccessTest)
#include "windowaccesstest.moc"
