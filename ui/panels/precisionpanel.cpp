// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/precisionpanel.h"

#include "core/engine/engines.h"
#include "core/engine/support.h"
#include "core/weights/weighttypes.h"
#include "ui/controls/label.h"
#include "ui/controls/quantityedit.h"
#include "ui/controls/segments.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QActionGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace kv {

namespace {

/// What the engine reads the weights from.
WeightFile fileOf(const Scenario &scenario) {
    const Engine *engine = findEngine(scenario.engine.id);
    return engine && engine->readsGguf() ? WeightFile::Gguf : WeightFile::Checkpoint;
}

constexpr char byHandId[] = "by-hand";
constexpr int segmentCount = 4;

/// The types most people choose among, in the order of the segments; the first four that an engine takes are shown.
constexpr ElementType usual[]{ElementType::Bf16, ElementType::Fp16, ElementType::Fp8,   ElementType::Int8,  ElementType::Int4,
                              ElementType::Q8_0, ElementType::Q5_1, ElementType::Q4_0, ElementType::Nvfp4, ElementType::Mxfp8};

bool takes(const Engine &engine, ElementType type) {
    return std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end();
}

QString labelOf(ElementType type) { return words(info(type).label); }

/// "kvBf16", "kvQ8_0"
QString objectNameOf(ElementType type) {
    QString name = words(info(type).name);
    name[0] = name.at(0).toUpper();
    return QStringLiteral("kv") + name;
}

QList<Segments::Choice> segmentsOf(const Engine &engine, const Gpu *gpu) {
    QList<Segments::Choice> choices;
    bool sixteen = false;
    for (const ElementType type : usual) {
        const bool half = type == ElementType::Bf16 || type == ElementType::Fp16;
        if (!takes(engine, type) || (half && sixteen) || choices.size() == segmentCount)
            continue;
        sixteen |= half;
        QString label = labelOf(type);
        label = label.left(label.indexOf(QLatin1String(" ("))); // "FP8 (E4M3)": the short part
        QString tip = PrecisionPanel::tr("Keep keys and values in %1.").arg(labelOf(type));
        if (isBeyondCard(engine, gpu, type))
            tip = PrecisionPanel::tr("%1 %2 would not start with it on these cards: its kernels need Blackwell.").arg(tip, translated(engine.name()));
        choices += Segments::Choice{words(info(type).name), label, tip, objectNameOf(type)};
    }
    return choices;
}

QString weightLine(const QString &scheme, Bytes bytes, SizeUnit unit) {
    return scheme + QStringLiteral(" · ") + translated(writeBytes(bytes, unit));
}

} // namespace

PrecisionPanel::PrecisionPanel(QWidget *parent)
    : Panel(parent), m_weights(new QComboBox), m_bytesLabel(new Label(Label::Voice::Body, tr("Si&ze"))),
      m_bytes(new QuantityEdit(
          [](std::string_view text) {
              const auto bytes = readBytes(text, "weights");
              return Parsed<std::int64_t>{bytes ? std::optional(bytes->value) : std::nullopt, bytes.notes};
          },
          [this](std::int64_t bytes) { return translated(writeBytes(Bytes(bytes), m_unit)); })),
      m_cache(new Segments(segmentCount)), m_menu(new QMenu(this)) {
    auto *weightsLabel = new Label(Label::Voice::Body, tr("&Weights"));
    weightsLabel->setBuddy(m_weights);
    describeInput(m_weights, QStringLiteral("weightsCombo"), tr("Weights"), tr("The type the weights are stored in, and their size."),
                  tr("What the weights take is not there for the cache. As stored is what the model's files hold; another type "
                     "is an estimate from the number of parameters, with embedding, head and norms left in 16 bit."));
    m_weights->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_weights->setMinimumContentsLength(8);
    m_bytesLabel->setBuddy(m_bytes);
    describeInput(m_bytes, QStringLiteral("weightsBytesEdit"), tr("Size of the weights"),
                  tr("The size of the weights by hand: 141.1 GB, 35 GiB."), tr("Wins over what the model's files say."));
    describeInput(m_cache, QStringLiteral("kvTypes"), tr("KV cache type"), tr("The type that keys and values are kept in."),
                  tr("Every token keeps a key and a value at each layer; half the bits are half the memory."));
    m_cache->setToolTip({}); // each segment has its own
    m_cache->setMore(tr("more…"), QStringLiteral("kvMore"), m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &PrecisionPanel::fillMenu);
    connect(m_weights, &QComboBox::activated, this, &PrecisionPanel::chooseWeights);
    connect(m_bytes, &QuantityEdit::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Size of Weights"), gesture, [value](Scenario &s) { s.weights.bytes = Bytes(value); });
    });
    connect(m_bytes, &QuantityEdit::refused, this, &Panel::refused);
    connect(m_cache, &Segments::chosen, this, [this](const QString &id) {
        if (const auto type = elementTypeFromName(utf8(id)))
            chooseCache(*type, true, true);
    });

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(em(0.8));
    grid->setVerticalSpacing(em(0.35));
    grid->addWidget(weightsLabel, 0, 0);
    grid->addWidget(m_weights, 0, 1);
    grid->addWidget(m_bytesLabel, 1, 0);
    grid->addWidget(m_bytes, 1, 1);
    grid->setColumnStretch(1, 1);
    auto *title = new Label(Label::Voice::Section, tr("&KV cache"));
    title->setBuddy(m_cache);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addLayout(grid);
    column->addSpacing(em(0.15));
    column->addWidget(title);
    column->addWidget(m_cache);
}

void PrecisionPanel::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    m_unit = unit;
    presentWeights(scenario, plan, unit);
    presentCache(scenario, plan);
}

void PrecisionPanel::presentWeights(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    if (m_listedModel && m_listedModel == scenario.model.spec && m_listedChoice == scenario.weights && m_listedUnit == unit && m_listedFile == fileOf(scenario))
        return;
    m_listedModel = scenario.model.spec;
    m_listedChoice = scenario.weights;
    m_listedUnit = unit;
    m_listedFile = fileOf(scenario);
    const QSignalBlocker quiet(m_weights), quietBytes(m_bytes);
    QList<std::pair<QString, QString>> rows; // id, what it says
    if (scenario.model.spec) {
        const WeightSpec &spec = scenario.model.spec->weights;
        rows += {QString(), spec.source == WeightSource::Unknown ? tr("As stored · size not known")
                                                                 : weightLine(translated(spec.scheme), spec.stored, unit)};
        for (const WeightType &type : weightTypes())
            if (const auto typed = bytesInType(spec, type.name, fileOf(scenario)))
                rows += {words(type.name), weightLine(words(type.label), typed->bytes, unit)};
    }
    rows += {QLatin1String(byHandId), scenario.weights.bytes ? weightLine(tr("By hand"), *scenario.weights.bytes, unit) : tr("By hand…")};
    for (int i = 0; i < rows.size(); ++i) {
        if (i == m_weights->count())
            m_weights->addItem({});
        if (m_weights->itemText(i) != rows.at(i).second)
            m_weights->setItemText(i, rows.at(i).second);
        m_weights->setItemData(i, rows.at(i).first);
    }
    while (m_weights->count() > rows.size())
        m_weights->removeItem(m_weights->count() - 1);
    showChosenWeights();
    const QString source = translated(weightSourceName(plan.weights.source));
    m_weights->setToolTip(plainTip(tr("The type the weights are stored in, and their size: %1%2.")
                                       .arg(source, plan.weights.estimate ? tr(", an estimate") : QString())));
    m_bytesLabel->setVisible(scenario.weights.bytes.has_value());
    m_bytes->setVisible(scenario.weights.bytes.has_value());
    m_bytes->setValue(scenario.weights.bytes.value_or(Bytes(0)).value);
    m_bytes->refresh();
}

void PrecisionPanel::showChosenWeights() {
    const QString id = m_listedChoice.bytes ? QLatin1String(byHandId) : words(m_listedChoice.dtype);
    m_weights->setCurrentIndex(m_weights->findData(id));
}

void PrecisionPanel::presentCache(const Scenario &scenario, const Plan &plan) {
    m_engine = findEngine(scenario.engine.id);
    m_choice = scenario.kv;
    m_actual = plan.kv.types;
    if (!m_engine)
        return;
    m_cache->setChoices(segmentsOf(*m_engine, findGpu(scenario.hardware.gpu)));
    const ElementType key = m_choice.key == ElementType::Auto ? m_actual.key : m_choice.key;
    const ElementType value = m_choice.value == ElementType::Auto ? m_actual.value : m_choice.value;
    if (key == value)
        m_cache->setCurrent(words(info(key).name), labelOf(key));
    else
        m_cache->setCurrent(QStringLiteral("unlike"), labelOf(key) + QLatin1Char('/') + labelOf(value));
}

void PrecisionPanel::fillMenu() {
    m_menu->clear();
    if (!m_engine)
        return;
    addTypes(m_menu, true, true);
    if (m_engine->splitsKeyAndValueTypes()) {
        m_menu->addSeparator();
        addTypes(m_menu->addMenu(tr("&Keys Alone")), true, false);
        addTypes(m_menu->addMenu(tr("&Values Alone")), false, true);
    }
}

void PrecisionPanel::addTypes(QMenu *menu, bool keys, bool values) {
    auto *group = new QActionGroup(menu);
    const auto add = [&](ElementType type, const QString &text) {
        QAction *action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked((!keys || m_choice.key == type) && (!values || m_choice.value == type));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, type, keys, values] { chooseCache(type, keys, values); });
    };
    add(ElementType::Auto, tr("&Automatic: what %1 takes by itself").arg(translated(m_engine->name())));
    menu->addSeparator();
    for (const ElementType type : m_engine->kvTypes())
        add(type, labelOf(type) + (info(type).remark.empty() ? QString() : QStringLiteral(" · ") + translated(info(type).remark)));
}

void PrecisionPanel::chooseWeights(int row) {
    const QString id = m_weights->itemData(row).toString();
    showChosenWeights(); // what the scenario says; the edit will show what it made of the choice
    if (id == QLatin1String(byHandId)) {
        // Starts from the size shown now, so that choosing it changes nothing yet.
        return emit edited(tr("Give Size of Weights"), 0, [](Scenario &s) {
            if (s.weights.bytes || !s.model.spec)
                return;
            const auto typed = bytesInType(s.model.spec->weights, s.weights.dtype, fileOf(s));
            s.weights.bytes = s.weights.dtype.empty() || !typed ? s.model.spec->weights.stored : typed->bytes;
        });
    }
    emit edited(tr("Change Type of Weights"), 0, [dtype = utf8(id)](Scenario &s) { s.weights = {dtype, std::nullopt}; });
}

void PrecisionPanel::chooseCache(ElementType type, bool keys, bool values) {
    emit edited(tr("Change KV Cache Type"), 0, [type, keys, values](Scenario &s) {
        if (keys)
            s.kv.key = type;
        if (values)
            s.kv.value = type;
    });
}

} // namespace kv
