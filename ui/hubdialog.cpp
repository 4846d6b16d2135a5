// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hubdialog.h"

#include "core/base/quantity.h"
#include "ui/controls/label.h"
#include "ui/language/translate.h"
#include "ui/latest.h"
#include "ui/panels/panel.h"
#include "ui/settings.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QAccessible>
#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace kv {

namespace {
constexpr int mostFilesShown = 8;
}

HubDialog::HubDialog(Settings *settings, QWidget *parent)
    : QDialog(parent), m_keeper(settings), m_settings(hubSettings(systemEnvironment())), m_token(new Latest(this)), m_name(new QComboBox), m_files(new QListWidget), m_what(new Label(Label::Voice::Small)), m_status(new Label(Label::Voice::Small)),
      m_fault(new Label(Label::Voice::Body)), m_bar(new QProgressBar), m_fetch(new QPushButton(tr("&Fetch"))), m_cancel(new QPushButton(tr("Cancel"))) {
    setObjectName(QStringLiteral("hubDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("From the Hub"));
    build();
    connect(m_fetch, &QPushButton::clicked, this, &HubDialog::fetch);
    connect(m_cancel, &QPushButton::clicked, this, &HubDialog::reject);
    connect(m_files, &QListWidget::itemActivated, this, &HubDialog::fetch);
    connect(m_name, &QComboBox::editTextChanged, this, &HubDialog::takeName);
    connect(&m_job, &HubJob::progressed, this, &HubDialog::progress);
    connect(&m_job, &HubJob::finished, this, &HubDialog::finish);
    showBusy(false);
    takeName();
    showWhat();
    lookForToken();
}

/// It may be kept in a file, on whatever disk.
void HubDialog::lookForToken() {
    m_token->ask([this, settings = m_settings](const Latest::GoOn &) -> Latest::Answer {
        HubSettings read = settings;
        readTokenFile(read);
        return [this, read] {
            m_settings = read;
            showWhat();
        };
    });
}

void HubDialog::build() {
    auto *title = new QLabel(tr("&Model"));
    title->setBuddy(m_name);
    m_name->setEditable(true);
    m_name->setInsertPolicy(QComboBox::NoInsert);
    m_name->addItems(m_keeper->hubNames());
    m_name->setCurrentIndex(-1);
    m_name->lineEdit()->setPlaceholderText(QStringLiteral("Qwen/Qwen3-32B"));
    m_name->completer()->setCompletionMode(QCompleter::PopupCompletion);
    describeInput(m_name, QStringLiteral("hubName"), tr("Model on the Hub"), tr("The model’s name on the Hub, or the address of its page"),
                  tr("The model as the Hub calls it: maker/name, maker/name@revision, hf://maker/name, or the address of its page or of one of its files. Names that were "
                     "fetched before are offered."));
    auto *example = new Label(Label::Voice::Small, tr("For example Qwen/Qwen3-32B, meta-llama/Llama-3.1-8B@main, or https://huggingface.co/…"));
    m_files->setObjectName(QStringLiteral("hubFiles"));
    m_files->setAccessibleName(tr("Models in this repository"));
    m_what->setObjectName(QStringLiteral("hubWhat"));
    m_status->setObjectName(QStringLiteral("hubStatus"));
    m_fault->setObjectName(QStringLiteral("hubFault"));
    m_fault->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_bar->setObjectName(QStringLiteral("hubProgress"));
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setTextVisible(false);
    m_fetch->setObjectName(QStringLiteral("hubFetch"));
    m_cancel->setObjectName(QStringLiteral("hubCancel"));
    m_cancel->setAutoDefault(false);
    m_fetch->setDefault(true);
    for (Label *label : {example, m_what, m_fault})
        label->setWordWrap(true);
    m_status->setEliding(true);

    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_status, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_fetch);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(em(1.2), em(1.2), em(1.2), em(1));
    column->setSpacing(em(0.6));
    for (QWidget *widget : {static_cast<QWidget *>(title), static_cast<QWidget *>(m_name), static_cast<QWidget *>(example), static_cast<QWidget *>(m_files),
                            static_cast<QWidget *>(m_what), static_cast<QWidget *>(m_fault), static_cast<QWidget *>(m_bar)})
        column->addWidget(widget);
    column->addStretch(1);
    column->addLayout(buttons);
    setMinimumWidth(em(34));
}

void HubDialog::setName(const QString &name) {
    if (m_job.isBusy())
        return;
    m_name->setEditText(name);
    m_name->setFocus();
}

void HubDialog::takeName() {
    m_fault->hide();
    if (m_name->currentText().trimmed() != m_offeredFor) {
        m_offeredFor.clear();
        m_files->hide();
    }
    m_fetch->setEnabled(!m_job.isBusy() && !m_name->currentText().trimmed().isEmpty());
}

void HubDialog::showWhat() {
    QStringList parts;
    if (!m_settings.offlineBy.isEmpty())
        parts += tr("%1 is set: nothing is fetched, only what is on this machine is opened.").arg(m_settings.offlineBy);
    else
        parts += tr("Fetched from %1: the config and the headers of the weights, never the weights themselves; most often less than a megabyte. It is kept, and opens without a network later.")
                     .arg(m_settings.endpoint.host());
    if (m_settings.offlineBy.isEmpty() && m_settings.mayCarryToken(m_settings.endpoint))
        parts += tr("Your access token is sent to this host and to no other.");
    for (const Note &note : m_settings.notes)
        parts += translated(note);
    m_what->setWholeText(parts.join(QLatin1Char(' ')));
}

void HubDialog::fetch() {
    if (m_job.isBusy())
        return;
    const Parsed<HubName> typed = readHubName(m_name->currentText(), m_settings.endpoint);
    if (!typed)
        return showFault(translated(typed.notes.front()));
    HubName name = *typed;
    if (const QListWidgetItem *chosen = m_files->currentItem(); chosen && !m_files->isHidden()) {
        name = m_several;
        name.variant.clear();
        name.file = chosen->text();
    }
    m_fault->setWholeText({}); // it was about another name, or an earlier try
    showBusy(true);
    m_job.start(name, hubSettings(systemEnvironment())); // the token is read anew, where it is fetched
}

void HubDialog::reject() {
    if (!m_job.isBusy())
        return QDialog::reject();
    stop();
}

void HubDialog::stop() {
    m_job.cancel();
    showBusy(false);
    m_status->setWholeText(tr("Cancelled; nothing was changed."));
    m_name->setFocus();
}

void HubDialog::progress(const HubProgress &progress) {
    m_bar->setRange(0, progress.files); // 0 to 0: busy
    m_bar->setValue(progress.done);
    const QString size = translated(writeBytes(Bytes(progress.bytes), SizeUnit::Decimal));
    m_status->setWholeText(progress.file.isEmpty() ? tr("The list of files · %1").arg(size) : tr("%1 · %2 in all").arg(progress.file, size));
}

void HubDialog::finish(const HubFetched &fetched) {
    showBusy(false);
    m_status->setWholeText({});
    if (!fetched.several.isEmpty())
        return offer(fetched);
    if (fetched.folder.isEmpty()) {
        const Note *error = firstError(fetched.notes);
        return showFault(error ? translated(*error) : tr("Nothing was fetched."));
    }
    m_keeper->addHubName(textOf(fetched.name));
    emit this->fetched(fetched);
    accept();
}

void HubDialog::offer(const HubFetched &fetched) {
    m_several = fetched.name;
    m_offeredFor = m_name->currentText().trimmed();
    m_files->clear();
    m_files->addItems(fetched.several);
    m_files->setCurrentRow(0);
    m_files->setFixedHeight(m_files->sizeHintForRow(0) * std::min<int>(mostFilesShown, static_cast<int>(fetched.several.size())) + 2 * m_files->frameWidth());
    m_files->show();
    m_files->setFocus();
    m_status->setWholeText(tr("This repository holds several models: choose one."));
    adjustSize();
}

void HubDialog::showBusy(bool busy) {
    m_bar->setRange(0, 0);
    m_bar->setVisible(busy);
    if (!busy && m_offeredFor.isEmpty())
        m_files->hide();
    m_fault->setHidden(busy || m_fault->text().isEmpty());
    m_name->setEnabled(!busy);
    m_files->setEnabled(!busy);
    m_fetch->setEnabled(!busy && !m_name->currentText().trimmed().isEmpty());
    if (busy) {
        m_status->setWholeText(tr("Asking %1…").arg(m_settings.endpoint.host()));
        m_cancel->setFocus();
    }
}

void HubDialog::showFault(const QString &sentence) {
    m_fault->setWholeText(QStringLiteral("✕  ") + sentence);
    m_fault->setAccessibleName(tr("Refused") + QStringLiteral(": ") + sentence);
    m_fault->show();
    m_name->setFocus();
    m_name->lineEdit()->selectAll();
    adjustSize();
    QAccessibleEvent event(m_fault, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

} // namespace kv
