// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

// The window of the built program comes up whatever it finds: settings that were damaged, folders that are not there or cannot be written,
// any locale, any scale (as the offscreen platform has them: what a display makes of a scale below 1 is not seen here). That it is up is seen from outside: the process lives, has kept what its window holds where there is a place for
// that, and rests.
using namespace kv::test;

class StartsTest : public QObject {
    Q_OBJECT

private slots:
    void damagedSettings_data();
    void damagedSettings();
    void settingsThatAreNoFile_data();
    void settingsThatAreNoFile();
    void surroundings_data();
    void surroundings();
};

namespace {

/// Folders of a person's own, and the program in them.
class Started {
public:
    Started() {
        for (const char *name : {"config", "data", "cache", "runtime"}) {
            QVERIFY(m_home.isValid() && QDir(m_home.path()).mkdir(QLatin1String(name)));
            QFile::setPermissions(m_home.filePath(QLatin1String(name)), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        m_environment = QProcessEnvironment::systemEnvironment();
        set("HOME", m_home.path());
        set("XDG_CONFIG_HOME", m_home.filePath(QStringLiteral("config")));
        set("XDG_DATA_HOME", m_home.filePath(QStringLiteral("data")));
        set("XDG_CACHE_HOME", m_home.filePath(QStringLiteral("cache")));
        set("XDG_RUNTIME_DIR", m_home.filePath(QStringLiteral("runtime")));
    }
    ~Started() {
        m_process.kill();
        m_process.waitForFinished();
    }
    void set(const QString &name, const QString &value) { m_environment.insert(name, value); }
    void set(const char *name, const QString &value) { set(QString::fromLatin1(name), value); }
    void unset(const QString &name) { m_environment.remove(name); }

    /// Where this program's settings are, below the folder of a person's configuration.
    QString settingsFile() const {
        const QString own = QDir(qEnvironmentVariable("XDG_CONFIG_HOME")).relativeFilePath(QSettings().fileName());
        const QString path = m_home.filePath(QStringLiteral("config/") + own);
        QDir().mkpath(QFileInfo(path).path());
        return path;
    }

    /// Empty, or why it is not up; `keeps`: it has a place for what its window holds.
    QString fault(const QStringList &arguments = {}, bool keeps = true) {
        m_process.setProcessEnvironment(m_environment);
        m_process.setWorkingDirectory(m_elsewhere.path());
        m_process.start(QString::fromUtf8(programPath()), arguments);
        if (!m_process.waitForStarted())
            return m_process.errorString();
        QElapsedTimer patience;
        patience.start();
        QByteArray before;
        for (int resting = 0; resting < 3 || (keeps && !hasKept());) {
            if (m_process.waitForFinished(100))
                return QStringLiteral("ended with %1: %2").arg(m_process.exitCode()).arg(QString::fromUtf8(m_process.readAllStandardError()));
            if (patience.elapsed() > 60'000)
                return QStringLiteral("not up after a minute");
            if (const QStringList strays = QDir(m_elsewhere.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); !strays.isEmpty())
                return QStringLiteral("left where it was started: ") + strays.join(QLatin1Char(' '));
            const QByteArray used = processorTime();
            resting = used == before ? resting + 1 : 0;
            before = used;
        }
        return {};
    }

private:
    /// proc(5): fields 14 and 15 of stat, of which the name of the program, in parentheses, is the second.
    QByteArray processorTime() const {
        QFile file(QStringLiteral("/proc/%1/stat").arg(m_process.processId()));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray stat = file.readAll();
        const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        return fields.value(11) + ' ' + fields.value(12);
    }
    bool hasKept() const {
        QDirIterator walk(m_home.path(), {QStringLiteral("*.window")}, QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        return walk.hasNext();
    }

    QTemporaryDir m_home, m_elsewhere;
    QProcessEnvironment m_environment;
    QProcess m_process;
};

void put(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

void StartsTest::damagedSettings_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("zeros") << QByteArray(4096, '\0');
    QTest::newRow("no settings at all") << QByteArray("\x7f" "ELF\x02\x01\x01\xff\xfe[[[===\n\n]]]%%%@@@\\x\\", 30);
    QTest::newRow("cut in a value") << QByteArray("[view]\nunit=Gi");
    QTest::newRow("cut in an escape") << QByteArray("[window]\ngeometry=@ByteArray(\\x1\\xd9\\xd0\\xc");
    QTest::newRow("a section that is not closed") << QByteArray("[view\nunit=GiB\n");
    QTest::newRow("values of other kinds") << QByteArray("[view]\nunit=@Variant(\\0\\0\\0\\x7f\\0\\0\\0\\x1)\ntheme=@Point(1 2)\nzoom=@ByteArray(x)\nlanguage=@Invalid()\n[files]\nrecent=@Size(1 1)\n");
    QTest::newRow("numbers out of range") << QByteArray("[view]\nzoom=999999999999999999999\n[pictures]\nscale=-1\n");
    QTest::newRow("geometry of another screen") << QByteArray("[window]\ngeometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3\\0\\0\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff)\n");
    QTest::newRow("a language that is not there") << QByteArray("[view]\nlanguage=../../../etc/passwd\n");
    QTest::newRow("files that are none") << QByteArray("[files]\nfolder=/dev/null\nrecent=/dev/zero, /proc/self/mem, relative, \"\", /nonexistent/\\x1.json\n");
    QTest::newRow("a very long line") << QByteArray("[files]\nrecent=") + QByteArray(4 << 20, 'a') + '\n';
    QTest::newRow("very many keys") << [] {
        QByteArray all("[files]\n");
        for (int i = 0; i < 100'000; ++i)
            all += "k" + QByteArray::number(i) + "=1\n";
        return all;
    }();
}

void StartsTest::damagedSettings() {
    QFETCH(QByteArray, bytes);
    Started program;
    put(program.settingsFile(), bytes);
    QCOMPARE(program.fault(), QString());
}

void StartsTest::settingsThatAreNoFile_data() {
    QTest::addColumn<QString>("what");
    for (const char *what : {"a folder", "a link to itself", "a link to nowhere", "a device"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void StartsTest::settingsThatAreNoFile() {
    QFETCH(QString, what);
    Started program;
    const QString path = program.settingsFile();
    if (what == QLatin1String("a folder"))
        QVERIFY(QDir().mkpath(path));
    else
        QVERIFY(QFile::link(what == QLatin1String("a device") ? QStringLiteral("/dev/full") : what == QLatin1String("a link to itself") ? path : QStringLiteral("/proc/none"), path));
    QCOMPARE(program.fault(), QString());
}

void StartsTest::surroundings_data() {
    QTest::addColumn<QStringList>("environment"); ///< "NAME=value", or "NAME" to take it away
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("keeps");
    const auto row = [](const char *name, const char *environment, bool keeps = true, const char *arguments = "") {
        QTest::newRow(name) << QString::fromLatin1(environment).split(QLatin1Char(' '), Qt::SkipEmptyParts) << QString::fromLatin1(arguments).split(QLatin1Char(' '), Qt::SkipEmptyParts) << keeps;
    };
    // Below /proc nobody can make a file, root neither.
    row("no folder of settings", "XDG_CONFIG_HOME=/proc/none/config");
    row("settings that cannot be written", "XDG_CONFIG_HOME=/proc/config");
    row("no cache", "XDG_CACHE_HOME=/proc/cache");
    row("no place for the session", "XDG_DATA_HOME=/proc/data", false);
    row("a home that is read only", "HOME=/proc XDG_CONFIG_HOME=/proc/c XDG_DATA_HOME=/proc/d XDG_CACHE_HOME=/proc/k XDG_RUNTIME_DIR=/proc/r", false);
    row("a home that is not there", "HOME=/proc/none XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR", false);
    row("none of the variables", "XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR");
    row("folders that are files", "XDG_CONFIG_HOME=/dev/null XDG_DATA_HOME=/dev/null XDG_CACHE_HOME=/dev/null", false);
    row("relative folders", "XDG_CONFIG_HOME=a XDG_DATA_HOME=b XDG_CACHE_HOME=c");
    row("German", "LC_ALL=de_DE.UTF-8");
    row("French", "LC_ALL=fr_FR.UTF-8");
    row("Indian groups", "LC_ALL=hi_IN.UTF-8");
    row("Arabic", "LC_ALL=ar_EG.UTF-8");
    row("Hebrew, from the right", "LC_ALL=he_IL.UTF-8", true, "-reverse");
    row("Chinese", "LC_ALL=zh_CN.UTF-8");
    row("Latin 1", "LC_ALL=de_DE.ISO-8859-1");
    row("no locale", "LC_ALL=C");
    row("a locale that is none", "LC_ALL=xx_YY.nothing LANGUAGE=:::");
    row("no locale variable", "LC_ALL");
    for (const char *scale : {"0.5", "0.75", "1.25", "1.5", "2", "3", "4"})
        row(qPrintable(QStringLiteral("scale ") + QLatin1String(scale)), qPrintable(QStringLiteral("QT_SCALE_FACTOR=") + QLatin1String(scale)));
    row("a scale that is none", "QT_SCALE_FACTOR=much");
}

void StartsTest::surroundings() {
    QFETCH(QStringList, environment);
    QFETCH(QStringList, arguments);
    QFETCH(bool, keeps);
    Started program;
    for (const QString &variable : environment)
        if (const qsizetype at = variable.indexOf(QLatin1Char('=')); at > 0)
            program.set(variable.left(at), variable.mid(at + 1));
        else
            program.unset(variable);
    QCOMPARE(program.fault(arguments, keeps), QString());
}

KV_TEST(StartsTest)
#include "startstest.moc"
