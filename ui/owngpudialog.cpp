// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owngpudialog.h"

#include "core/base/quantity.h"
#include "core/hardware/gpurow.h"
#include "core/hardware/ownlist.h"
#include "ui/aside.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/mnemonic.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>

namespace kv {

namespace {

/// A decimal as people write it here, so that it reads back the same: "1.008", "24.567"
QString decimalText(double value) {
    QString text = QString::number(value, 'f', 6);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return localNumbers(text);
}

QString rateText(double gigabytes) { return gigabytes > 0 ? decimalText(gigabytes) + QStringLiteral(" GB/s") : QString(); }

/// The whole of it in the unit that it is a whole number of.
QString memoryText(Bytes bytes, bool binary) {
    const std::int64_t value = bytes.value;
    if (value <= 0)
        return {};
    if (binary)
        return value % gibibyte == 0   ? QStringLiteral("%1 GiB").arg(value / gibibyte)
               : value % mebibyte == 0 ? QStringLiteral("%1 MiB").arg(value / mebibyte)
                                   : QStringLiteral("%1 B").arg(value);
    return value % (gigabyte / 1000) == 0 ? decimalText(static_cast<double>(value) / gigabyte) + QStringLiteral(" GB") : QStringLiteral("%1 B").arg(value);
}

} // namespace

OwnGpuDialog::OwnGpuDialog(const std::string &id, QWidget *parent)
    : QDialog(parent), m_choice(new QComboBox), m_kind(new QComboBox), m_fault(new Label(Label::Voice::Body)) {
    setObjectName(QStringLiteral("ownGpuDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Own GPU"));
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(em(1.2), em(1.2), em(1.2), em(1));
    grid->setHorizontalSpacing(em(0.8));
    grid->setVerticalSpacing(em(0.45));
    grid->setColumnStretch(1, 1);
    describeInput(m_choice, QStringLiteral("ownGpuChoice"), tr("Which GPU"), tr("A new one, or one of yours to change or remove."),
                  tr("Your own GPUs are kept in gpus.json of the program's data folder."));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addRow(0, tr("&GPU"), m_choice, {});
    m_name = addLine(1, "ownGpuName", tr("&Name"), tr("My workstation card"), tr("What it is called in lists and pictures."));
    m_memory = addLine(2, "ownGpuMemory", tr("&Memory"), tr("24 GB"), tr("As on the box: 24 GB. Or what a program gets: 24 GiB, 24095 MiB."));
    m_usable = addLine(3, "ownGpuUsable", tr("A program gets"), tr("24095 MiB (if known)"),
                       tr("What CUDA, ROCm or Metal gives a program, which is less than the label. The engines count from it; without it they count the label, and say so."));
    m_bandwidth = addLine(4, "ownGpuBandwidth", tr("&Bandwidth"), tr("1.01 TB/s (if known)"), tr("Of its memory: the bound of decoding hangs on it."));
    describeInput(m_kind, QStringLiteral("ownGpuKind"), tr("Kind"), tr("Whether it has memory of its own."), tr("Discrete: memory of its own. Unified: the computer's memory, as in a Mac."));
    m_kind->addItem(tr("discrete: memory of its own"), QStringLiteral("discrete"));
    m_kind->addItem(tr("unified: the computer's memory"), QStringLiteral("unified"));
    addRow(5, tr("&Kind"), m_kind, {});
    m_perNode = addLine(6, "ownGpuPerNode", tr("Cards per n&ode"), tr("8 (if known)"), tr("How many of them a node has, where nodes are counted."));
    m_maker = addLine(7, "ownGpuMaker", tr("Mak&er"), tr("NVIDIA, AMD, Apple (if it matters)"), tr("Engines reserve more on some makers' cards."));
    m_fault->setObjectName(QStringLiteral("ownGpuFault"));
    m_fault->setWordWrap(true);
    m_fault->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_fault->hide();
    grid->addWidget(m_fault, 8, 0, 1, 2);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_save = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
    m_remove = buttons->addButton(tr("&Remove"), QDialogButtonBox::DestructiveRole);
    m_save->setObjectName(QStringLiteral("ownGpuSave"));
    m_save->setDefault(true);
    m_remove->setObjectName(QStringLiteral("ownGpuRemove"));
    m_remove->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("ownGpuCancel"));
    grid->addWidget(buttons, 9, 0, 1, 2);
    connect(m_save, &QPushButton::clicked, this, &OwnGpuDialog::save);
    connect(m_remove, &QPushButton::clicked, this, &OwnGpuDialog::removeShown);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &OwnGpuDialog::show);
    fillChoice(id);
    resize(std::max(em(32), sizeHint().width()), sizeHint().height());
    m_name->setFocus();
}

void OwnGpuDialog::addRow(int row, const QString &label, QWidget *entry, const QString &hint) {
    auto *grid = static_cast<QGridLayout *>(layout());
    auto *words = new Label(Label::Voice::Body, label);
    words->setBuddy(entry);
    grid->addWidget(words, row, 0);
    grid->addWidget(entry, row, 1);
    if (!hint.isEmpty())
        entry->setToolTip(plainTip(hint));
}

QLineEdit *OwnGpuDialog::addLine(int row, const char *name, const QString &label, const QString &example, const QString &hint) {
    auto *line = new QLineEdit;
    describeInput(line, QString::fromLatin1(name), withoutMnemonic(label), hint, hint);
    line->setPlaceholderText(localNumbers(example));
    line->setMinimumWidth(em(16));
    connect(line, &QLineEdit::textEdited, this, [this] { say({}); });
    addRow(row, label, line, hint);
    return line;
}

void OwnGpuDialog::fillChoice(const std::string &id) {
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        m_choice->addItem(tr("a new one"), QString());
        for (const Gpu &gpu : gpus())
            if (gpu.origin == GpuOrigin::Own)
                m_choice->addItem(words(gpu.name), words(gpu.id));
        m_choice->setCurrentIndex(std::max(0, m_choice->findData(words(id))));
    }
    show(m_choice->currentIndex());
    // A file that cannot be read is said at once, not after somebody typed.
    if (const Notes &faults = ownGpuFaults(); !faults.empty())
        say(translated(faults.front()));
}

void OwnGpuDialog::show(int index) {
    const Gpu *gpu = index > 0 ? findGpu(utf8(m_choice->itemData(index).toString())) : nullptr;
    const Gpu shown = gpu ? *gpu : Gpu{};
    const bool programs = shown.framework > Bytes(0) && shown.framework == shown.marketed;
    m_name->setText(words(shown.name));
    m_memory->setText(memoryText(shown.marketed, programs));
    m_usable->setText(programs ? QString() : memoryText(shown.framework > Bytes(0) ? shown.framework : shown.driver, true));
    m_bandwidth->setText(rateText(shown.bandwidthGBs));
    m_kind->setCurrentIndex(shown.formFactor.find("unified") != std::string::npos ? 1 : 0);
    m_perNode->setText(shown.gpusPerNode > 0 ? QString::number(shown.gpusPerNode) : QString());
    m_maker->setText(words(shown.vendor));
    m_remove->setEnabled(gpu != nullptr);
    m_save->setText(gpu ? tr("&Save") : tr("&Add"));
    say({});
}

void OwnGpuDialog::save() {
    const auto number = [](const QLineEdit *line) { return utf8(plainNumber(line->text().trimmed())); };
    const GpuByHand typed{utf8(m_name->text()),      number(m_memory),  number(m_usable), number(m_bandwidth),
                          utf8(m_kind->currentData().toString()), number(m_perNode), utf8(m_maker->text())};
    Parsed<Gpu> gpu = gpuByHand(typed);
    if (!gpu) {
        QStringList sentences;
        for (const Note &note : gpu.notes)
            sentences += translated(note);
        return say(sentences.join(QLatin1Char('\n')));
    }
    const std::string changed = utf8(m_choice->currentData().toString());
    if (const Gpu *before = changed.empty() ? nullptr : findGpu(changed)) {
        // What the dialog does not show stays.
        Gpu kept = *before;
        kept.name = gpu->name;
        kept.vendor = gpu->vendor;
        kept.formFactor = kept.formFactor.find("unified") != std::string::npos && gpu->formFactor == "unified" ? kept.formFactor : gpu->formFactor;
        kept.marketed = gpu->marketed;
        if (gpu->framework != kept.driver || kept.framework > Bytes(0))
            kept.framework = gpu->framework;
        if (kept.framework == Bytes(0) && gpu->framework == Bytes(0))
            kept.driver = Bytes(0);
        kept.bandwidthGBs = gpu->bandwidthGBs;
        kept.gpusPerNode = gpu->gpusPerNode;
        gpu.value = kept;
    }
    std::optional<Note> fault;
    aside([&] { fault = changed.empty() ? addOwnGpu(*gpu) : changeOwnGpu(changed, *gpu); });
    if (fault)
        return say(translated(*fault));
    const QString id = words(gpu->id);
    accept();
    emit saved(id);
}

void OwnGpuDialog::removeShown() {
    const QString id = m_choice->currentData().toString();
    const Gpu *gpu = findGpu(utf8(id));
    if (id.isEmpty() || !gpu)
        return;
    const Gpu kept = *gpu;
    std::optional<Note> fault;
    aside([&] {
        fault = removeOwnGpu(kept.id);
        if (!fault)
            adoptGpu(kept); // scenarios that use it go on
    });
    if (fault)
        return say(translated(*fault));
    emit removed(id);
    fillChoice({});
}

void OwnGpuDialog::say(const QString &sentence) {
    m_fault->setWholeText(sentence);
    m_fault->setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty())
        resize(width(), std::max(height(), sizeHint().height()));
}

} // namespace kv
