// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/textrecorder.h"
#include "ui/picture.h"
#include "ui/png.h"

#include <QBuffer>
#include <QElapsedTimer>
#include <QImageReader>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

QByteArray chunk(const QByteArray &type, const QByteArray &data, quint32 length) {
    QByteArray out(4, '\0');
    for (int i = 0; i < 4; ++i)
        out[i] = static_cast<char>(length >> (24 - 8 * i));
    return out + type + data + QByteArray("\0\0\0\0", 4);
}

QByteArray signature() { return QByteArray("\x89PNG\r\n\x1a\n", 8); }

QImage pattern(const QSize &size) {
    QImage image(size, QImage::Format_RGB32);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            image.setPixel(x, y, qRgb(x * 7 % 256, y * 13 % 256, (x ^ y) % 256));
    return image;
}

} // namespace

// Pictures as files: written as specified, read without trusting them.
class PictureTest : public QObject {
    Q_OBJECT

private slots:
    void pngIsOne_data();
    void pngIsOne();
    void textRides();
    void hostile_data();
    void hostile();
    void recordingOutlivesItsView();
    void stops();
    void emptyReplacesNothing_data();
    void emptyReplacesNothing();
    void captionIsNeverCut();
    void captionKeepsItsOrder();
    void forms_data();
    void forms();
};

void PictureTest::pngIsOne_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("one pixel") << QSize(1, 1) << 1.0;
    QTest::newRow("a width that is no multiple of four") << QSize(37, 5) << 2.0;
    QTest::newRow("a window") << QSize(1440, 900) << 3.0;
}

void PictureTest::pngIsOne() {
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QImage image = pattern(size);
    QByteArray png = writePng(image, scale, {}, {});
    QBuffer buffer(&png);
    QVERIFY(buffer.open(QIODevice::ReadOnly));
    QImageReader reader(&buffer);
    QCOMPARE(reader.format(), QByteArray("png"));
    const QImage read = reader.read();
    QCOMPARE(read.convertToFormat(QImage::Format_RGB32), image);
    QCOMPARE(read.dotsPerMeterX(), qRound(96 * scale / 0.0254));
}

void PictureTest::textRides() {
    const QByteArray text("eyJrdnBsYW4iOiAxfQ==");
    const QByteArray png = writePng(pattern({8, 8}), 1, "kvplan", text);
    QCOMPARE(textOfPng(png, "kvplan"), text);
    QCOMPARE(textOfPng(png, "kvplan2"), QByteArray());
    QCOMPARE(textOfPng(png, "kv"), QByteArray());
    QCOMPARE(pictureDocument(png), QByteArray("{\"kvplan\": 1}"));
    QImage image;
    QVERIFY(image.loadFromData(png));
    QCOMPARE(image.text(QStringLiteral("kvplan")), QString::fromLatin1(text)); // as other programs read it
    QByteArray bent = png;
    bent[bent.indexOf("eyJ") + 1] = 'z';
    QCOMPARE(textOfPng(bent, "kvplan"), QByteArray());
}

void PictureTest::hostile_data() {
    QTest::addColumn<QByteArray>("file");
    constexpr int many = 1'000'000;
    QByteArray streams("%PDF-1.4\n"), openings("%PDF-1.4\n"), chunks = signature();
    for (int i = 0; i < many; ++i) {
        streams += "stream\nx\x9c";
        openings += "<kvplanner:document>";
        chunks += chunk("teXt", {}, 0);
    }
    QTest::newRow("a million streams and one end") << streams + "\nendstream";
    QTest::newRow("a million openings and no end") << openings;
    QTest::newRow("a million openings and one end") << openings + "</kvplanner:document>";
    QTest::newRow("almost openings") << QByteArray("%PDF-1.4\n") + QByteArray("<kvplanner:documen").repeated(many);
    QTest::newRow("a million chunks") << chunks;
    QTest::newRow("a chunk of four gigabytes") << signature() + chunk("tEXt", "kvplan", 0xffffffffU);
    QTest::newRow("a chunk that goes on beyond the end") << signature() + chunk("tEXt", QByteArray("kvplan\0abc", 10), 11);
    QTest::newRow("no checksum") << signature() + chunk("tEXt", QByteArray("kvplan\0e30=", 11), 11);
    QTest::newRow("a keyword that does not end") << signature() + chunk("tEXt", "kvplan", 6);
    QTest::newRow("a deflate stream that would be a terabyte") << signature() + chunk("zTXt", QByteArray("kvplan\0\0", 8) + QByteArray(1'000'000, '\0'), 1'000'008);
    QTest::newRow("a PDF's stream that would be a gigabyte") << QByteArray("%PDF-1.4\nstream\n") + qCompress(QByteArray(64'000'000, '{'), 9).mid(4) + "\nendstream\n";
    QTest::newRow("no base64") << QByteArray("%PDF-1.4\n<kvplanner:document>e30=!</kvplanner:document>");
    QTest::newRow("a signature alone") << signature();
    QTest::newRow("half a signature") << signature().first(5);
    QTest::newRow("nothing") << QByteArray();
}

void PictureTest::hostile() {
    QFETCH(QByteArray, file);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(pictureDocument(file), QByteArray());
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed()))); // a quadratic look at these takes hours
}

void PictureTest::recordingOutlivesItsView() {
    Recording recording;
    {
        QLabel label(QStringLiteral("words"));
        label.resize(200, 40);
        recording = Recording(label, {{QStringLiteral("a caption")}, QByteArray("{\"kvplan\": 1}")});
    }
    const QImage image = imageOf(recording, 2);
    QCOMPARE(image.size(), recording.size() * 2);
    const QByteArray svg = bytesOf(recording, PictureForm::Svg, 1);
    for (const char *word : {"words", "a caption"})
        QVERIFY2(svg.contains(word), word);
    QCOMPARE(pictureDocument(bytesOf(recording, PictureForm::Png, 1)), QByteArray("{\"kvplan\": 1}"));
    QCOMPARE(pictureDocument(bytesOf(recording, PictureForm::Pdf, 1)), QByteArray("{\"kvplan\": 1}"));
    QCOMPARE(bytesOf(recording, PictureForm::Png, 1), bytesOf(recording, PictureForm::Png, 1));
}

void PictureTest::stops() {
    QLabel label(QStringLiteral("words"));
    label.resize(200, 3000);
    const Recording recording(label, {});
    int asked = 0;
    QVERIFY(bytesOf(recording, PictureForm::Png, 1, [&asked] { return ++asked < 3; }).isEmpty());
    QCOMPARE(asked, 3); // of six bands the third
}

void PictureTest::emptyReplacesNothing_data() {
    QTest::addColumn<bool>("stopped");
    QTest::newRow("no memory") << false; // as a picture without a pixel: an image that is none
    QTest::newRow("stopped") << true;
}

void PictureTest::emptyReplacesNothing() {
    QFETCH(bool, stopped);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.png"));
    QFile old(path);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("as it was") == 9);
    old.close();
    QLabel label(QStringLiteral("words"));
    const Recording recording = stopped ? Recording(label, {}) : Recording();
    const QString said = writePicture(path, recording, PictureForm::Png, 1, [stopped] { return !stopped; });
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("as it was"));
    QCOMPARE(said, stopped ? QString() : noRoomForPicture());
}

void PictureTest::captionIsNeverCut() {
    QLabel label;
    label.resize(220, 30);
    const QString name = QStringLiteral("an-organisation/a-model-with-a-very-long-name-that-no-line-of-this-width-can-hold-at-once");
    const QByteArray svg = bytesOf(Recording(label, {{name, QStringLiteral("8 × H100")}, {}}), PictureForm::Svg, 1);
    QString all;
    const QString drawn = QString::fromUtf8(svg).section(QStringLiteral("</desc>"), 1);
    for (qsizetype at = 0; (at = drawn.indexOf(QLatin1String("<text "), at)) >= 0; ++at)
        all += drawn.mid(drawn.indexOf(QLatin1Char('>'), at) + 1).section(QLatin1Char('<'), 0, 0).trimmed();
    QVERIFY2(all.contains(name), qPrintable(all));
    QVERIFY(!all.contains(QChar(0x2026)));
}

// A name that runs from the right stands where it is said, and what follows it too.
void PictureTest::captionKeepsItsOrder() {
    QLabel label;
    label.resize(900, 30);
    const QString name = QString::fromUtf8("خطة اليوم");
    const auto places = [&label](const QStringList &caption) {
        const Recording recording(label, {caption, {}});
        TextRecorder recorder(recording.size());
        QPainter painter(&recorder);
        recording.paint(painter);
        painter.end();
        return recorder.texts();
    };
    const DrawnTexts texts = places({name, QStringLiteral("8 × H100"), QStringLiteral("KV Planner")});
    double nameEnds = 0, cardsBegin = 1e9;
    for (const DrawnText &text : texts.drawn()) {
        if (text.text.contains(name.left(3)))
            nameEnds = text.rect.right();
        if (text.text.contains(QStringLiteral("8 × H100")))
            cardsBegin = text.rect.left();
    }
    QVERIFY2(nameEnds > 0 && nameEnds <= cardsBegin + 1, qPrintable(texts.texts().join(QLatin1Char('|'))));
    const QString plain = places({QStringLiteral("today"), QStringLiteral("8 × H100")}).texts().join(QString());
    QVERIFY2(!plain.contains(QChar(0x2068)) && plain.contains(QStringLiteral("today · 8 × H100")), qPrintable(plain));
}

void PictureTest::forms_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("form");
    QTest::newRow("png") << QStringLiteral("a.b.PNG") << int(PictureForm::Png);
    QTest::newRow("svg") << QStringLiteral("/x/a.svg") << int(PictureForm::Svg);
    QTest::newRow("pdf") << QStringLiteral("a.pdf") << int(PictureForm::Pdf);
    QTest::newRow("gif") << QStringLiteral("a.gif") << -1;
    QTest::newRow("none") << QStringLiteral("png") << -1;
}

void PictureTest::forms() {
    QFETCH(QString, path);
    const auto form = pictureForm(path);
    QTEST(form ? int(*form) : -1, "form");
}

KV_TEST(PictureTest)
#include "picturetest.moc"
