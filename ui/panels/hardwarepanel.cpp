// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/hardwarepanel.h"

#include "core/hardware/ownlist.h"
#include "core/scenario/machinecards.h"
#include "ui/controls/label.h"
#include "ui/controls/quantityedit.h"
#include "ui/controls/searchlist.h"
#include "ui/facts.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/owngpudialog.h"
#include "ui/panels/devicerows.h"
#include "ui/theme.h"
#include "ui/thismachine.h"
#include "ui/words.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace kv {

namespace {

constexpr std::int64_t percent = fractionOne / 100;

/// "10 %", "7.5 %"
QString percentText(std::int64_t fraction) {
    QString text = QString::number(static_cast<double>(fraction) / static_cast<double>(percent), 'f', 7);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return localNumbers(text + QStringLiteral(" %"));
}

/// What people type here is percent: "10" and "10 %" alike, and 0.1 as the fraction that engines are given.
Parsed<std::int64_t> readReserve(std::string_view text) {
    if (text.find('%') != std::string_view::npos || text.find('.') != std::string_view::npos)
        return readFraction(text, "reserve");
    return readFraction(std::string(text) + " %", "reserve");
}

} // namespace

HardwarePanel::HardwarePanel(QWidget *parent)
    : Panel(parent), m_chooser(new SearchList), m_facts(new Label(Label::Voice::Small)), m_grid(new QGridLayout), m_devices(new DeviceRows) {
    auto *title = new Label(Label::Voice::Section, tr("Hardw&are"));
    title->setBuddy(m_chooser);
    describeInput(m_chooser, QStringLiteral("gpuChooser"), tr("GPU"), tr("The accelerator that the model runs on."),
                  tr("The accelerator, with its memory. The textbook counts the memory that the box states, in GB of 10⁹ bytes; "
                     "the engines count what a program gets. Type a name, a maker or a size to search."));
    m_chooser->setChoices(gpuChoices());
    m_chooser->setSearchHint(tr("Search %1 accelerators"));
    m_facts->setObjectName(QStringLiteral("gpuFacts"));
    m_facts->setEliding(true);
    m_count = addCount(tr("&GPUs"), QStringLiteral("gpuCountEdit"), tr("Number of GPUs"), tr("How many GPUs in all."),
                       tr("All GPUs of the deployment: TP × PP × DP."));
    m_tp = addCount(tr("&TP"), QStringLiteral("tpEdit"), tr("Tensor parallel degree"), tr("Tensor parallel: GPUs that share every layer."),
                    tr("Each layer is cut over this many GPUs; where it exceeds the KV heads, engines keep copies of them."));
    m_pp = addCount(tr("&PP"), QStringLiteral("ppEdit"), tr("Pipeline parallel degree"),
                    tr("Pipeline parallel: stages that hold a part of the layers each."),
                    tr("The layers are dealt to this many stages; each stage caches for its own layers."));
    m_dp = addCount(tr("&DP"), QStringLiteral("dpEdit"), tr("Data parallel degree"), tr("Data parallel: copies of the whole model."),
                    tr("This many replicas, each with all weights, share out the sequences."));
    addReserve();
    connectFields();
    connectDevices();

    m_grid->setHorizontalSpacing(em(0.4));
    m_grid->setVerticalSpacing(em(0.2));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addWidget(title);
    column->addWidget(m_chooser);
    column->addWidget(m_facts);
    column->addLayout(m_grid);
    column->addWidget(m_devices);
    // A list of one's own that cannot be read is said once, when there is somebody to hear it.
    QMetaObject::invokeMethod(this, [this] {
            static std::string told;
            if (const Notes &faults = ownGpuFaults(); !faults.empty() && faults.front().text != told) {
                told = faults.front().text;
                emit remarked(translated(told));
            }
        }, Qt::QueuedConnection);
}

HardwarePanel::Field HardwarePanel::addCount(const QString &name, const QString &objectName, const QString &accessible,
                                             const QString &tip, const QString &whatsThis) {
    Field field{new Label(Label::Voice::Small, name),
                new QuantityEdit(
                    [](std::string_view text) {
                        const auto count = readCount(text, "GPUs");
                        return Parsed<std::int64_t>{count ? std::optional(count->value) : std::nullopt, count.notes};
                    },
                    [](std::int64_t value) { return translated(writeNumber(value)); })};
    field.label->setBuddy(field.edit);
    describeInput(field.edit, objectName, accessible, tip, whatsThis);
    field.edit->setTip(tip);
    field.edit->setMinimumWidth(em(2));
    field.edit->setStep([](std::int64_t value, int direction) { return std::max<std::int64_t>(1, value + direction); });
    const int at = m_grid->columnCount() == 1 && m_grid->count() == 0 ? 0 : m_grid->columnCount();
    m_grid->addWidget(field.label, 0, at);
    m_grid->addWidget(field.edit, 1, at);
    m_grid->setColumnStretch(at, 4);
    connect(field.edit, &QuantityEdit::refused, this, &Panel::refused);
    return field;
}

void HardwarePanel::addReserve() {
    m_reserve = {new Label(Label::Voice::Small, tr("&Reserve")), new QuantityEdit(readReserve, percentText)};
    m_reserve.label->setBuddy(m_reserve.edit);
    describeInput(m_reserve.edit, QStringLiteral("reserveEdit"), tr("Reserve"),
                  tr("The share of each GPU's memory that is not planned with."),
                  tr("Room for activations, fragments and what else runs on the card. The textbook takes it off the stated memory; "
                     "engines have their own setting in its place."));
    m_reserve.edit->setTip(m_reserve.edit->accessibleDescription());
    m_reserve.edit->setMinimumWidth(em(2.4));
    m_reserve.edit->setStep([](std::int64_t value, int direction) {
        return std::clamp<std::int64_t>(value + direction * percent, 0, fractionOne);
    });
    const int at = m_grid->columnCount();
    m_grid->addWidget(m_reserve.label, 0, at);
    m_grid->addWidget(m_reserve.edit, 1, at);
    m_grid->setColumnStretch(at, 5);
    connect(m_reserve.edit, &QuantityEdit::refused, this, &Panel::refused);
}

void HardwarePanel::connectFields() {
    connect(m_chooser, &SearchList::chosen, this, &HardwarePanel::choose);
    connect(m_count.edit, &QuantityEdit::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Number of GPUs"), gesture, [value](Scenario &s) { setGpuCount(s, value); });
    });
    const auto degree = [this](const Field &field, const QString &text, std::int64_t Degrees::*member) {
        connect(field.edit, &QuantityEdit::edited, this, [this, text, member](qint64 value, int gesture) {
            emit edited(text, gesture, [value, member](Scenario &s) {
                Degrees degrees = degreesOf(s);
                degrees.*member = value;
                setDegrees(s, degrees);
            });
        });
    };
    degree(m_tp, tr("Change Tensor Parallelism"), &Degrees::tp);
    degree(m_pp, tr("Change Pipeline Parallelism"), &Degrees::pp);
    degree(m_dp, tr("Change Data Parallelism"), &Degrees::dp);
    connect(m_reserve.edit, &QuantityEdit::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Reserve"), gesture, [value](Scenario &s) { s.hardware.reserve = value; });
    });
}

void HardwarePanel::connectDevices() {
    const auto edit = [this](const QString &text, int gesture, auto change) {
        emit edited(text, gesture, [change](Scenario &s) {
            std::vector<Device> devices = devicesOf(s);
            change(devices);
            setDevices(s, std::move(devices));
        });
    };
    connect(m_devices, &DeviceRows::cardChosen, this, [edit](int device, const QString &id) {
        edit(tr("Change Card"), 0, [at = static_cast<std::size_t>(device), id = utf8(id)](std::vector<Device> &devices) {
            if (at < devices.size())
                devices[at].gpu = id;
        });
    });
    connect(m_devices, &DeviceRows::countEdited, this, [edit](int device, qint64 count, int gesture) {
        edit(tr("Change Number of Cards"), gesture, [at = static_cast<std::size_t>(device), count](std::vector<Device> &devices) {
            if (at < devices.size())
                devices[at].count = Count(count);
        });
    });
    connect(m_devices, &DeviceRows::removed, this, [edit](int device) {
        edit(tr("Take Card Out"), 0, [at = static_cast<std::ptrdiff_t>(device)](std::vector<Device> &devices) {
            if (at < std::ssize(devices))
                devices.erase(devices.begin() + at);
        });
    });
    connect(m_devices, &DeviceRows::added, this, [edit] {
        edit(tr("Add Kind of Card"), 0, [](std::vector<Device> &devices) {
            // One that is not there yet, of a usual desktop: the chooser beside it says what it really is.
            for (const char *id : {"rtx-3060-12gb", "rtx-4090-24gb", "rtx-3090-24gb", "rtx-5090-32gb"})
                if (findGpu(id) && std::ranges::find(devices, id, &Device::gpu) == devices.end())
                    return devices.push_back({id, Count(1)});
            for (const Gpu &gpu : gpus())
                if (std::ranges::find(devices, gpu.id, &Device::gpu) == devices.end())
                    return devices.push_back({gpu.id, Count(1)});
        });
    });
    connect(m_devices, &DeviceRows::refused, this, &Panel::refused);
}

void HardwarePanel::choose(const QString &id) {
    if (id == thisMachineId)
        return askThisMachine();
    if (id == ownGpuId)
        return askForOwnGpu();
    takeCard(utf8(id));
}

void HardwarePanel::takeCard(const std::string &id) {
    emit edited(tr("Change GPU"), 0, [id](Scenario &s) {
        if (!s.hardware.devices.empty() && takesUnlikeCards(s.engine.id)) {
            std::vector<Device> devices = s.hardware.devices;
            devices.front().gpu = id;
            return setDevices(s, std::move(devices));
        }
        s.hardware.gpu = id;
        s.hardware.memory.reset(); // given for another card
        s.hardware.devices.clear();
    });
}

void HardwarePanel::askForOwnGpu() {
    auto *dialog = new OwnGpuDialog(m_shownGpu, window());
    connect(dialog, &OwnGpuDialog::saved, this, [this](const QString &id) {
        m_chooser->setChoices(gpuChoices());
        takeCard(utf8(id));
        emit cardChanged();
    });
    connect(dialog, &OwnGpuDialog::removed, this, [this] { m_chooser->setChoices(gpuChoices()); });
    dialog->open();
}

void HardwarePanel::askThisMachine() {
    emit remarked(tr("Asking the drivers of this machine…"));
    const auto added = std::make_shared<std::vector<std::pair<Gpu, std::optional<Note>>>>();
    const auto keep = [added](const Machine &machine) {
        for (const MachineCard &card : machine.cards)
            if (!card.known && !findGpu(card.gpu.id))
                added->emplace_back(card.gpu, addOwnGpu(card.gpu));
    };
    readThisMachine(this, keep, [this, added](const Machine &machine) { takeThisMachine(machine, *added); });
}

/// `added`: the cards that nobody knew, and why one could not be kept.
void HardwarePanel::takeThisMachine(const Machine &machine, const std::vector<std::pair<Gpu, std::optional<Note>>> &added) {
    if (machine.cards.empty())
        return emit refused(machine.notes.empty() ? tr("No GPU was found.") : translated(machine.notes.back()));
    QStringList said;
    Machine here = machine;
    for (const auto &[gpu, fault] : added)
        said += fault ? translated(*fault) : tr("%1 was not in the list and stands among your own GPUs now.").arg(words(gpu.name));
    m_chooser->setChoices(gpuChoices());
    std::string sentence;
    emit edited(tr("Take This Machine"), 0, [&here, &sentence](Scenario &s) { sentence = takeMachine(s, here); });
    said.prepend(translated(sentence));
    for (const Note &note : machine.notes)
        said += translated(note) + joint(".");
    emit remarked(said.join(QLatin1Char(' ')));
}

void HardwarePanel::present(const Scenario &scenario, const Plan &, SizeUnit) {
    m_shownGpu = scenario.hardware.gpu;
    if (const Gpu *list = gpus().data(); list != m_listed) { // another window may have added one
        m_listed = list;
        m_chooser->setChoices(gpuChoices());
    }
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    m_chooser->setCurrent(gpu ? words(gpu->id) : QString(), gpu ? words(gpu->name) : words(scenario.hardware.gpu));
    showMemory(scenario);
    const Degrees degrees = degreesOf(scenario);
    const bool unlike = !scenario.hardware.devices.empty(), takesUnlike = takesUnlikeCards(scenario.engine.id);
    const Count first = unlike ? scenario.hardware.devices.front().count : scenario.hardware.count;
    m_devices->setVisible(takesUnlike);
    if (takesUnlike)
        m_devices->present(scenario.hardware.devices);
    for (const Field &field : {m_tp, m_pp, m_dp}) {
        field.label->setVisible(!unlike); // the layers are split by memory then
        field.edit->setVisible(!unlike);
    }
    const std::pair<QuantityEdit *, std::int64_t> shown[]{{m_count.edit, first.value},
                                                          {m_tp.edit, degrees.tp},
                                                          {m_pp.edit, degrees.pp},
                                                          {m_dp.edit, degrees.dp},
                                                          {m_reserve.edit, scenario.hardware.reserve}};
    for (const auto &[edit, value] : shown) {
        const QSignalBlocker quiet(edit);
        edit->setValue(value);
    }
    const bool textbook = scenario.engine.id == "textbook";
    m_reserve.label->setVisible(textbook);
    m_reserve.edit->setVisible(textbook);
    m_grid->setColumnStretch(m_grid->columnCount() - 1, textbook ? 5 : 0);
}

void HardwarePanel::setCompact(bool compact) { m_facts->setVisible(!compact); }

void HardwarePanel::showMemory(const Scenario &scenario) {
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    QString text = gpu ? gpuFacts(*gpu) : QString();
    if (scenario.hardware.memory)
        text = tr("%1 by hand").arg(translated(writeBytes(*scenario.hardware.memory, SizeUnit::Decimal)));
    if (!scenario.hardware.devices.empty()) {
        QStringList cards;
        for (const Device &device : scenario.hardware.devices) {
            const Gpu *card = findGpu(device.gpu);
            cards += QStringLiteral("%1 × %2").arg(device.count.value).arg(words(card ? card->name : device.gpu));
        }
        text = cards.join(QStringLiteral(" + "));
    }
    m_facts->setWholeText(text);
    m_chooser->setTip(text + QLatin1Char('\n') + tr("The accelerator that the model runs on."));
}

} // namespace kv
