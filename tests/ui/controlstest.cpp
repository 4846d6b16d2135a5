// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "tests/testmain.h"
#include "ui/controls/amount.h"
#include "ui/controls/choicemodel.h"
#include "ui/controls/logslider.h"
#include "ui/controls/quantityedit.h"
#include "ui/controls/searchlist.h"
#include "ui/controls/segments.h"
#include "ui/facts.h"
#include "ui/panels/panel.h"
#include "ui/words.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <QtWidgets/QtWidgets>

#include <functional>

using namespace kv;

namespace {

QuantityEdit *tokensEdit() {
    return new QuantityEdit(
        [](std::string_view text) {
            const auto read = readTokens(text, "context");
            return Parsed<std::int64_t>{read ? std::optional(read->value) : std::nullopt, read.notes};
        },
        [](std::int64_t value) { return words(writeNumber(value)); });
}

void shownAlone(QWidget *widget) {
    widget->show();
    QVERIFY(QTest::qWaitForWindowActive(widget));
    widget->setFocus(Qt::TabFocusReason);
}

QPoint at(const LogSlider &slider, std::int64_t value) {
    // 9 pixels from the edge to where the track begins: the thumb's radius and one.
    return {qRound(9 + slider.scale().fraction(value) * (slider.width() - 18)), 10};
}

} // namespace

class ControlsTest : public QObject {
    Q_OBJECT

private slots:
    void entryReads_data();
    void entryReads();
    void entryRefuses();
    void entrySteps();
    void scaleTicks_data();
    void scaleTicks();
    void scaleComesBack();
    void scaleOfAllThereIs();
    void sliderKeys();
    void sliderSnaps();
    void sliderEscape();
    void sliderWheel();
    void choicesAreAModel();
    void choicesNarrow_data();
    void choicesNarrow();
    void searchByKeys();
    void segmentsByKeys();
    void tipsAreNoMarkup_data();
    void tipsAreNoMarkup();
};

void ControlsTest::entryReads_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<qint64>("value");
    QTest::newRow("plain") << QStringLiteral("131072") << qint64{131072};
    QTest::newRow("with commas") << QStringLiteral("131,072") << qint64{131072};
    QTest::newRow("k is 1024") << QStringLiteral("128k") << qint64{131072};
    QTest::newRow("Ki") << QStringLiteral("128Ki") << qint64{131072};
    QTest::newRow("half an M") << QStringLiteral("0.5M") << qint64{524288};
}

void ControlsTest::entryReads() {
    QFETCH(QString, typed);
    QFETCH(qint64, value);
    const std::unique_ptr<QuantityEdit> edit(tokensEdit());
    shownAlone(edit.get());
    QSignalSpy edited(edit.get(), &QuantityEdit::edited);
    edit->selectAll();
    QTest::keyClicks(edit.get(), typed);
    QCOMPARE(edited.count(), 0); // nothing while typing
    QTest::keyClick(edit.get(), Qt::Key_Return);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited.first().first().toLongLong(), value);
    QCOMPARE(edit->text(), words(writeNumber(value)));
}

void ControlsTest::entryRefuses() {
    const std::unique_ptr<QuantityEdit> edit(tokensEdit());
    edit->setValue(4096);
    shownAlone(edit.get());
    QSignalSpy edited(edit.get(), &QuantityEdit::edited), refused(edit.get(), &QuantityEdit::refused);
    edit->selectAll();
    QTest::keyClicks(edit.get(), QStringLiteral("many"));
    QTest::keyClick(edit.get(), Qt::Key_Return);
    QCOMPARE(edited.count(), 0);
    QCOMPARE(edit->value(), 4096);
    QVERIFY(edit->isWrong());
    QVERIFY(refused.last().first().toString().contains(QStringLiteral("many")));
    QCOMPARE(edit->text(), QStringLiteral("many"));
    QTest::keyClick(edit.get(), Qt::Key_Escape);
    QVERIFY(!edit->isWrong());
    QCOMPARE(edit->text(), QStringLiteral("4,096"));
    QVERIFY(refused.last().first().toString().isEmpty());
}

void ControlsTest::entrySteps() {
    const std::unique_ptr<QuantityEdit> edit(tokensEdit());
    edit->setValue(10);
    edit->setStep([](std::int64_t value, int direction) { return value + direction; });
    shownAlone(edit.get());
    QSignalSpy edited(edit.get(), &QuantityEdit::edited);
    QTest::keyClick(edit.get(), Qt::Key_Up);
    QTest::keyClick(edit.get(), Qt::Key_Up);
    QTest::keyClick(edit.get(), Qt::Key_Down);
    QCOMPARE(edit->value(), 11);
    QCOMPARE(edited.count(), 3);
    QCOMPARE(edited.at(0).at(1), edited.at(2).at(1)); // one gesture while the focus stays
}

void ControlsTest::scaleTicks_data() {
    QTest::addColumn<SliderScale>("scale");
    QTest::addColumn<QStringList>("labels");
    const QStringList usual{QStringLiteral("1k"), QStringLiteral("8k"), QStringLiteral("64k"), QStringLiteral("512k"), QStringLiteral("4M")};
    QTest::newRow("context") << contextScale(131072, 131072) << usual;
    QTest::newRow("below 1k") << contextScale(100, 131072)
                              << QStringList{QStringLiteral("1"), QStringLiteral("64"), QStringLiteral("4k"), QStringLiteral("256k"), QStringLiteral("16M")};
    QTest::newRow("10M model") << contextScale(131072, 10 * 1048576)
                               << QStringList{QStringLiteral("1k"), QStringLiteral("16k"), QStringLiteral("256k"), QStringLiteral("4M"), QStringLiteral("64M")};
    QTest::newRow("sequences") << sequencesScale(10)
                               << QStringList{QStringLiteral("1"), QStringLiteral("10"), QStringLiteral("100"), QStringLiteral("1k")};
    QTest::newRow("many sequences") << sequencesScale(5000)
                                    << QStringList{QStringLiteral("1"), QStringLiteral("100"), QStringLiteral("10k"), QStringLiteral("1M")};
    QTest::newRow("prefix") << prefixScale(131072)
                            << QStringList{QStringLiteral("0"), QStringLiteral("25 %"), QStringLiteral("50 %"), QStringLiteral("75 %"), QStringLiteral("100 %")};
}

void ControlsTest::scaleTicks() {
    QFETCH(SliderScale, scale);
    QFETCH(QStringList, labels);
    QStringList found;
    double before = -1;
    for (const SliderTick &tick : scale.ticks) {
        found += tick.label;
        QVERIFY(scale.fraction(tick.value) > before);
        before = scale.fraction(tick.value);
    }
    QCOMPARE(found, labels);
    QCOMPARE(scale.fraction(scale.low), 0.0);
    QCOMPARE(scale.fraction(scale.high), 1.0);
}

void ControlsTest::scaleComesBack() {
    // Every value of the grid is where it says it is: its place gives it again.
    for (const SliderScale &scale : {contextScale(131072, 131072), sequencesScale(10), prefixScale(131072)})
        for (int i = 0; i <= 500; ++i) {
            const std::int64_t value = scale.valueAt(i / 500.0, 0);
            QCOMPARE(scale.valueAt(scale.fraction(value), 0), value);
            QVERIFY(value >= scale.low && value <= scale.high);
        }
}

// Where a context is as long as a number can be, a step, a page and the grid stay inside.
void ControlsTest::scaleOfAllThereIs() {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    for (const SliderScale &scale : {prefixScale(all), contextScale(all, all), sequencesScale(all)})
        for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, all - 1, all})
            for (const std::int64_t next : {scale.step(value, 1), scale.step(value, -1), scale.doubled(value), scale.halved(value), scale.valueAt(1, 0), scale.valueAt(0.999, 0)})
                QVERIFY2(next >= 0, QByteArray::number(qlonglong(next)).constData());
    const SliderScale prefix = prefixScale(all);
    QCOMPARE(prefix.step(all, 1), all);
    QCOMPARE(prefix.step(all, -1), all - all / 100);
    QCOMPARE(prefix.doubled(all - 1), all);
}

void ControlsTest::sliderKeys() {
    LogSlider slider;
    slider.setScale(contextScale(131072, 131072));
    slider.setValue(131072);
    shownAlone(&slider);
    const auto press = [&slider](Qt::Key key) {
        QTest::keyClick(&slider, key);
        return slider.value();
    };
    QCOMPARE(press(Qt::Key_Right), 131072 + 4096);
    QCOMPARE(press(Qt::Key_Left), 131072);
    QCOMPARE(press(Qt::Key_Left), 131072 - 2048);
    QCOMPARE(press(Qt::Key_Home), 1024);
    QCOMPARE(press(Qt::Key_PageUp), 2048);
    QCOMPARE(press(Qt::Key_End), 4194304);
    QCOMPARE(press(Qt::Key_PageUp), 4194304);
    QCOMPARE(press(Qt::Key_PageDown), 2097152);
}

void ControlsTest::sliderSnaps() {
    LogSlider slider;
    slider.setScale(contextScale(131072, 100000));
    slider.setValue(4096);
    slider.resize(300, slider.sizeHint().height());
    shownAlone(&slider);
    slider.resize(300, slider.sizeHint().height());
    // Two pixels beside a power of two and beside the model's limit: both hold.
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(slider, 32768) + QPoint(2, 0));
    QCOMPARE(slider.value(), 32768);
    QTest::mouseMove(&slider, at(slider, 100000) - QPoint(2, 0));
    QCOMPARE(slider.value(), 100000);
    // Half way between two powers nothing holds.
    QTest::mouseMove(&slider, at(slider, 46341));
    QVERIFY(std::abs(slider.value() - 46341) < 1600);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, at(slider, 46341));
}

void ControlsTest::sliderEscape() {
    LogSlider slider;
    slider.setScale(sequencesScale(10));
    slider.setValue(10);
    shownAlone(&slider);
    slider.resize(300, slider.sizeHint().height());
    QSignalSpy moved(&slider, &LogSlider::moved);
    QTest::mousePress(&slider, Qt::LeftButton, {}, at(slider, 10));
    QTest::mouseMove(&slider, at(slider, 200));
    QCOMPARE(slider.value(), 200);
    QTest::keyClick(&slider, Qt::Key_Escape);
    QCOMPARE(slider.value(), 10);
    QCOMPARE(moved.last().first().toLongLong(), 10);
    QCOMPARE(moved.first().at(1), moved.last().at(1)); // the same gesture takes itself back
    QTest::mouseMove(&slider, at(slider, 500));
    QCOMPARE(slider.value(), 10);
}

void ControlsTest::sliderWheel() {
    QWidget window;
    auto *slider = new LogSlider(&window);
    auto *other = new QLineEdit(&window);
    slider->setScale(sequencesScale(10));
    slider->setValue(10);
    shownAlone(&window);
    const auto wheel = [slider] {
        const QPointF middle = slider->rect().center();
        QWheelEvent event(middle, slider->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(slider, &event);
    };
    other->setFocus();
    wheel();
    QCOMPARE(slider->value(), 10);
    slider->setFocus();
    wheel();
    QCOMPARE(slider->value(), 11);
}

void ControlsTest::choicesAreAModel() {
    ChoiceModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setChoices(modelChoices());
    QVERIFY(model.choiceCount() > 0);
    QVERIFY(model.rowCount() > model.choiceCount()); // the makers' names
    model.setFilter(QStringLiteral("nothing is called so"));
    QCOMPARE(model.rowCount(), 0);
    model.setFilter({});
    model.setChoices({});
    QCOMPARE(model.rowCount(), 0);
}

void ControlsTest::choicesNarrow_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("ids");
    QTest::newRow("all") << QString() << QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    QTest::newRow("by maker") << QStringLiteral("meta") << QStringList{QStringLiteral("a"), QStringLiteral("b")};
    QTest::newRow("by size") << QStringLiteral("70b") << QStringList{QStringLiteral("a")};
    QTest::newRow("by kind") << QStringLiteral("MLA") << QStringList{QStringLiteral("c")};
    QTest::newRow("two words, any order") << QStringLiteral("8b llama") << QStringList{QStringLiteral("b")};
    QTest::newRow("none") << QStringLiteral("qwen") << QStringList{};
}

void ControlsTest::choicesNarrow() {
    QFETCH(QString, typed);
    QFETCH(QStringList, ids);
    ChoiceModel model;
    model.setChoices({{QStringLiteral("a"), QStringLiteral("Meta"), QStringLiteral("Llama 70B"), QStringLiteral("70.6B"), {}, {}},
                      {QStringLiteral("b"), QStringLiteral("Meta"), QStringLiteral("Llama 8B"), QStringLiteral("8B"), {}, {}},
                      {QStringLiteral("c"), QStringLiteral("DeepSeek"), QStringLiteral("V3"), QStringLiteral("671B"), QStringLiteral("mla"), {}}});
    model.setFilter(typed);
    QStringList found;
    for (int row = model.nextChoice(-1, 1); row >= 0; row = model.nextChoice(row, 1))
        found += model.index(row).data(ChoiceModel::IdRole).toString();
    QCOMPARE(found, ids);
}

void ControlsTest::searchByKeys() {
    SearchList list;
    list.setObjectName(QStringLiteral("list"));
    list.setChoices({{QStringLiteral("a"), QStringLiteral("Meta"), QStringLiteral("Llama 70B"), {}, {}, {}},
                     {QStringLiteral("b"), QStringLiteral("Meta"), QStringLiteral("Llama 8B"), {}, {}, {}},
                     {QStringLiteral("c"), QStringLiteral("Qwen"), QStringLiteral("<b>Qwen</b>"), {}, {}, {}}});
    list.setCurrent(QStringLiteral("a"), QStringLiteral("Llama 70B"));
    list.setSearchHint(QStringLiteral("Search %1"));
    shownAlone(&list);
    QSignalSpy chosen(&list, &SearchList::chosen);
    QTest::keyClick(&list, Qt::Key_Q);
    QVERIFY(list.isOpen());
    auto *line = list.findChild<QLineEdit *>(QStringLiteral("listSearch"));
    QCOMPARE(line->text(), QStringLiteral("q"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first().first().toString(), QStringLiteral("c"));
    QVERIFY(!list.isOpen());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);

    QTest::keyClick(&list, Qt::Key_Down);
    line = list.findChild<QLineEdit *>(QStringLiteral("listSearch"));
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.last().first().toString(), QStringLiteral("b"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);

    QTest::keyClick(&list, Qt::Key_Down);
    QTest::keyClick(list.findChild<QLineEdit *>(QStringLiteral("listSearch")), Qt::Key_Escape);
    QVERIFY(!list.isOpen());
    QCOMPARE(chosen.count(), 2);
}

void ControlsTest::segmentsByKeys() {
    Segments segments(3);
    segments.setChoices({{QStringLiteral("a"), QStringLiteral("A"), {}, QStringLiteral("one")},
                         {QStringLiteral("b"), QStringLiteral("B"), {}, QStringLiteral("two")},
                         {QStringLiteral("c"), QStringLiteral("C"), {}, QStringLiteral("three")}});
    segments.setCurrent(QStringLiteral("a"));
    segments.show();
    QVERIFY(QTest::qWaitForWindowActive(&segments));
    QSignalSpy chosen(&segments, &Segments::chosen);
    auto *one = segments.findChild<QRadioButton *>(QStringLiteral("one"));
    one->setFocus();
    QTest::keyClick(one, Qt::Key_Right);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first().first().toString(), QStringLiteral("b"));
    QVERIFY(segments.findChild<QRadioButton *>(QStringLiteral("two"))->isChecked());
}


void ControlsTest::tipsAreNoMarkup_data() {
    using Make = std::function<QWidget *(QWidget *parent, const QString &tip)>;
    QTest::addColumn<Make>("make");
    QTest::newRow("what was typed") << Make([](QWidget *parent, const QString &tip) {
        QuantityEdit *edit = tokensEdit();
        edit->setParent(parent);
        edit->resize(40, 20);
        edit->typeAgain(tip);
        return edit;
    });
    QTest::newRow("of an entry") << Make([](QWidget *parent, const QString &tip) {
        QuantityEdit *edit = tokensEdit();
        edit->setParent(parent);
        edit->setTip(tip);
        return edit;
    });
    QTest::newRow("of a slider") << Make([](QWidget *parent, const QString &tip) {
        return (new Amount({QStringLiteral("n"), QStringLiteral("u"), tip, tip, QStringLiteral("o")}, [](std::string_view) { return Parsed<std::int64_t>{}; }, parent))->slider();
    });
    QTest::newRow("of a segment") << Make([](QWidget *parent, const QString &tip) {
        auto *segments = new Segments(1, parent);
        segments->setChoices({{QStringLiteral("a"), QStringLiteral("A"), tip, QStringLiteral("segment")}});
        return segments->findChild<QWidget *>(QStringLiteral("segment"));
    });
    QTest::newRow("of an input") << Make([](QWidget *parent, const QString &tip) {
        auto *input = new QWidget(parent);
        describeInput(input, QStringLiteral("o"), QStringLiteral("n"), tip, tip);
        return input;
    });
}

void ControlsTest::tipsAreNoMarkup() {
    using Make = std::function<QWidget *(QWidget *parent, const QString &tip)>;
    QFETCH(Make, make);
    QWidget parent;
    const QString text = QStringLiteral("<b>bold</b><img src=x> R&D");
    const QWidget *widget = make(&parent, text);
    QVERIFY2(widget->toolTip().contains(text.toHtmlEscaped()), qPrintable(widget->toolTip()));
    QVERIFY(!widget->toolTip().contains(text));
    QVERIFY(!widget->toolTip().contains(QStringLiteral("amp;amp")));
}

KV_TEST(ControlsTest)
#include "controlstest.moc"
