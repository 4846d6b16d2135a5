// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "ui/charts/chartstyle.h"
#include "ui/theme.h"

#include <QTest>

using namespace kv;

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void wordsCanBeRead_data();
    void wordsCanBeRead();
    void palettesAreTheirColors();
    void sizesFollowTheFont();
};

void ThemeTest::wordsCanBeRead_data() {
    QTest::addColumn<QColor>("words");
    QTest::addColumn<QColor>("ground");
    for (const Colors &c : {lightColors(), darkColors()}) {
        const char *name = c.dark ? "dark" : "light";
        const std::pair<const char *, QColor> words[]{{"text", c.text},         {"muted", c.muted},         {"accent", c.accentText}, {"cache", c.kvText},
                                                      {"good", c.goodText},     {"tight", c.tightText},     {"bad", c.badText}};
        for (const auto &[word, color] : words)
            for (const auto &[place, ground] : {std::pair("card", c.card), std::pair("ground", c.ground), std::pair("field", c.field)})
                QTest::addRow("%s, %s on %s", name, word, place) << color << ground;
        QTest::addRow("%s, chosen", name) << c.onAccent << c.accent;
    }
}

void ThemeTest::wordsCanBeRead() {
    QFETCH(QColor, words);
    QFETCH(QColor, ground);
    const double found = contrast(words, ground);
    QVERIFY2(found >= 4.5, qPrintable(QString::number(found)));
}

void ThemeTest::palettesAreTheirColors() {
    QVERIFY(!colorsOf(paletteOf(lightColors())).dark);
    QVERIFY(colorsOf(paletteOf(darkColors())).dark);
    QCOMPARE(paletteOf(darkColors()).color(QPalette::Window), darkColors().ground);
}

void ThemeTest::sizesFollowTheFont() {
    const QFont before = QApplication::font();
    const int small = em(10);
    QFont large = before;
    large.setPointSizeF(before.pointSizeF() * 2);
    QApplication::setFont(large);
    QVERIFY(em(10) > small * 3 / 2);
    QCOMPARE(scaledFont(0.5).pointSizeF(), before.pointSizeF());
    QApplication::setFont(before);
}

KV_TEST(ThemeTest)
#include "themetest.moc"
