// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/helpdialogs.h"

#include "ui/controls/label.h"
#include "ui/language/language.h"
#include "ui/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QGuiApplication>
#include <QIcon>
#include <QScrollArea>
#include <QTextBrowser>
#include <QTextTable>

namespace kv {

namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(kv::Help)
};

QDialog *makeDialog(QWidget *parent, const QString &objectName, const QString &title) {
    if (auto *open = parent->findChild<QDialog *>(objectName)) {
        open->raise();
        open->activateWindow();
        return nullptr;
    }
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(objectName);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    return dialog;
}

QDialogButtonBox *closeButton(QDialog *dialog) {
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    return buttons;
}

void addHeading(QGridLayout *grid, const QString &text) {
    const int row = grid->rowCount();
    grid->setRowMinimumHeight(row, em(1.9));
    grid->addWidget(new Label(Label::Voice::Section, text), row, 0, 1, 2, Qt::AlignBottom);
}

void addKey(QGridLayout *grid, const QString &what, const QString &key) {
    const int row = grid->rowCount();
    grid->addWidget(new Label(Label::Voice::Body, what), row, 0);
    grid->addWidget(new Label(Label::Voice::Strong, key), row, 1, Qt::AlignRight);
}

/// Markdown's tables have no lines of their own.
void styleTables(QTextDocument *document) {
    for (QTextFrame *frame : document->rootFrame()->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(QApplication::palette().brush(QPalette::Mid));
        format.setCellPadding(em(0.35));
        format.setTopMargin(em(0.4));
        format.setBottomMargin(em(0.8));
        table->setFormat(format);
    }
}

} // namespace

void showKeys(QWidget *parent, const QList<std::pair<QString, QString>> &menuKeys) {
    QDialog *dialog = makeDialog(parent, QStringLiteral("keysDialog"), Help::tr("Keyboard Shortcuts"));
    if (!dialog)
        return;
    auto *content = new QWidget;
    auto *grid = new QGridLayout(content);
    grid->setHorizontalSpacing(em(3));
    grid->setVerticalSpacing(em(0.25));
    addHeading(grid, Help::tr("Menus"));
    for (const auto &[what, key] : menuKeys)
        if (!key.isEmpty())
            addKey(grid, what, key);
    addHeading(grid, Help::tr("On a slider"));
    addKey(grid, Help::tr("One step"), Help::tr("Left, Right"));
    addKey(grid, Help::tr("Double, halve"), Help::tr("Page Up, Page Down"));
    addKey(grid, Help::tr("To the ends"), Help::tr("Home, End"));
    addKey(grid, Help::tr("Give a drag up"), Help::tr("Escape"));
    addHeading(grid, Help::tr("In an entry"));
    addKey(grid, Help::tr("Take what is typed"), Help::tr("Return, Tab"));
    addKey(grid, Help::tr("One step"), Help::tr("Up, Down"));
    addKey(grid, Help::tr("Give what is typed up"), Help::tr("Escape"));
    addHeading(grid, Help::tr("On a list"));
    addKey(grid, Help::tr("Open it, search in it"), Help::tr("Down, any letter"));
    addHeading(grid, Help::tr("On a chart"));
    addKey(grid, Help::tr("From value to value"), Help::tr("Left, Right, Up, Down"));
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    scroll->setMinimumSize(content->sizeHint().width() + em(2), em(26));
    auto *column = new QVBoxLayout(dialog);
    column->addWidget(scroll, 1);
    column->addWidget(closeButton(dialog));
    dialog->show();
}

QString accuracyPage() {
    const auto pageOf = [](const QString &code) {
        QFile file(QStringLiteral(":/help/accuracy%1.md").arg(code));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QString english = pageOf({});
    const QString page = pageOf(QLatin1Char('.') + spokenLanguage());
    if (page.isEmpty())
        return english;
    // The figures stand in the English page alone, where a test holds them to the rows they come from.
    const qsizetype begin = english.indexOf(QStringLiteral("| engine |")), body = english.indexOf(QLatin1Char('\n'), begin);
    const qsizetype end = english.indexOf(QStringLiteral("\n\n"), begin);
    const QString head = QStringLiteral("| %1 | %2 | %3 | %4 |").arg(Help::tr("Engine"), Help::tr("Cases"), Help::tr("Exact"), Help::tr("Within 1 %"));
    return QString(page).replace(QStringLiteral("{table}"), head + english.mid(body, (end < 0 ? english.size() : end) - body));
}

void showAccuracy(QWidget *parent) {
    QDialog *dialog = makeDialog(parent, QStringLiteral("accuracyDialog"), Help::tr("Accuracy and Limits"));
    if (!dialog)
        return;
    auto *reader = new QTextBrowser;
    reader->setObjectName(QStringLiteral("accuracyPage"));
    reader->setAccessibleName(Help::tr("Accuracy and Limits"));
    reader->setFrameShape(QFrame::NoFrame);
    reader->setOpenLinks(false);
    reader->document()->setDocumentMargin(em(0.8));
    reader->setMarkdown(accuracyPage());
    styleTables(reader->document());
    reader->moveCursor(QTextCursor::Start);
    auto *column = new QVBoxLayout(dialog);
    column->addWidget(reader, 1);
    column->addWidget(closeButton(dialog));
    dialog->resize(em(60), em(44));
    dialog->show();
}

void showAbout(QWidget *parent) {
    QDialog *dialog = makeDialog(parent, QStringLiteral("aboutDialog"), Help::tr("About KV Planner"));
    if (!dialog)
        return;
    auto *icon = new QLabel;
    icon->setPixmap(QIcon(QStringLiteral(":/icons/io.github.kvplanner.KVPlanner.svg")).pixmap(QSize(64, 64), parent->devicePixelRatioF()));
    auto *name = new Label(Label::Voice::Title, Help::tr("KV Planner %1").arg(QCoreApplication::applicationVersion()));
    auto *what = new Label(Label::Voice::Body, Help::tr("Does it fit, and how many users? Plans the memory of serving large language models."));
    auto *licence = new Label(Label::Voice::Small,
                              Help::tr("Free software under the GNU General Public License, version 3 or later. It comes without any warranty. "
                                       "Made with Qt %1, Qt Charts, nlohmann_json and CLI11.")
                                  .arg(QLatin1String(qVersion())));
    for (Label *label : {what, licence}) {
        label->setWordWrap(true);
        label->setMinimumWidth(em(22));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *grid = new QGridLayout(dialog);
    grid->setContentsMargins(em(1.2), em(1.2), em(1.2), em(1));
    grid->setHorizontalSpacing(em(1.2));
    grid->setVerticalSpacing(em(0.6));
    grid->addWidget(icon, 0, 0, 3, 1, Qt::AlignTop);
    grid->addWidget(name, 0, 1);
    grid->addWidget(what, 1, 1);
    grid->addWidget(licence, 2, 1);
    grid->addWidget(closeButton(dialog), 3, 0, 1, 2);
    dialog->show();
}

} // namespace kv
