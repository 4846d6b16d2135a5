// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/enginepanel.h"

#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "ui/controls/label.h"
#include "ui/controls/quantityedit.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/panels/launchbar.h"
#include "ui/theme.h"
#include "ui/thismachine.h"
#include "ui/words.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kv {

namespace {

bool isNumber(OptionKind kind) { return kind == OptionKind::Whole || kind == OptionKind::Size || kind == OptionKind::Fraction || kind == OptionKind::Ratio; }

/// What was typed, as a value of JSON where it is one: numbers and lists; else the text, which core reads or refuses. Numbers come in the
/// locale's marks and are kept in plain ones.
Json valueOf(OptionKind kind, const QString &typed) {
    const std::string text = utf8(isNumber(kind) ? plainNumber(typed.trimmed()) : typed.trimmed());
    if (kind == OptionKind::Word || kind == OptionKind::Type)
        return Json(text);
    const auto parsed = parseJson(text, "option");
    return parsed && (parsed->isNumber() || parsed->isArray()) ? *parsed : Json(text);
}

QString textOf(OptionKind kind, const Json *value) {
    if (!value || value->isNull())
        return {};
    const QString text = words(value->isString() ? value->text() : writeJson(*value));
    return isNumber(kind) && !value->isArray() ? localNumbers(text) : text;
}

QStringList wordsOf(const Engine &engine, const EngineOption &option) {
    QStringList result;
    if (option.kind == OptionKind::Bool)
        return {QStringLiteral("true"), QStringLiteral("false")};
    if (option.name == "version")
        for (const std::string_view version : engine.versions())
            result += words(version);
    if (result.isEmpty() && option.kind == OptionKind::Word)
        result = words(option.words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return result;
}

/// "vLLM 0.24": with the version that counts, the newest known where none is named.
QString titleOf(const Engine &engine, const QString &version) {
    QString name = translated(engine.name());
    if (engine.versions().empty())
        return name;
    return name + QLatin1Char(' ') + (version.isEmpty() ? words(engine.versions().front()) : version);
}

/// An option's entry: while nothing is typed, undo is the document's.
class OptionLine : public QLineEdit {
public:
    OptionLine() { setAcceptDrops(false); }

protected:
    bool event(QEvent *event) override {
        if (event->type() == QEvent::ShortcutOverride && !isModified()) {
            const auto *key = static_cast<QKeyEvent *>(event);
            if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
                event->ignore();
                return true;
            }
        }
        return QLineEdit::event(event);
    }
};

} // namespace

EnginePanel::EnginePanel(QWidget *parent)
    : Panel(parent), m_chooser(new QComboBox), m_fold(new QPushButton), m_changed(new Label(Label::Voice::Small)), m_launch(new LaunchBar) {
    auto *title = new Label(Label::Voice::Section, tr("Count &like"));
    title->setBuddy(m_chooser);
    describeInput(m_chooser, QStringLiteral("engineCombo"), tr("Count like"), tr("Whose rules the plan follows."),
                  tr("The textbook counts what the attention must keep. An engine also has pages, padding, overhead and a memory "
                     "budget of its own; its figures are what it would report itself."));
    for (const Engine *engine : engines())
        m_chooser->addItem(translated(engine->name()), words(engine->id()));
    describeInput(m_fold, QStringLiteral("engineOptionsFold"), tr("Engine options"), tr("Show or hide the options of this engine."),
                  tr("The engine's own options; an empty one keeps the engine's default, which is shown in grey."));
    m_fold->setText(tr("&Options ▾"));
    m_fold->setCheckable(true);
    connect(m_chooser, &QComboBox::activated, this, &EnginePanel::chooseEngine);
    connect(m_fold, &QPushButton::toggled, this, [this](bool open) {
        m_fold->setText(open ? tr("&Options ▴") : tr("&Options ▾"));
        if (m_options)
            m_options->setVisible(open);
    });

    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(m_changed);
    auto *choice = new QHBoxLayout;
    choice->setSpacing(em(0.4));
    choice->addWidget(m_chooser, 1);
    choice->addWidget(m_fold);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addLayout(head);
    column->addLayout(choice);
    column->addWidget(m_launch);
    connect(m_launch, &LaunchBar::pasteAsked, this, &EnginePanel::pasteAsked);
}

void EnginePanel::present(const Scenario &scenario, const Plan &plan, SizeUnit) {
    m_launch->present(scenario);
    const QSignalBlocker quiet(m_chooser);
    const Engine *engine = findEngine(scenario.engine.id);
    const int current = m_chooser->findData(words(scenario.engine.id));
    for (int i = 0; i < m_chooser->count(); ++i) {
        const Engine *listed = findEngine(utf8(m_chooser->itemData(i).toString()));
        const bool chosen = i == current && listed && plan.engine.id == listed->id();
        m_chooser->setItemText(i, titleOf(*listed, chosen ? words(plan.engine.version) : QString()));
    }
    m_chooser->setCurrentIndex(current);
    if (engine != m_engine)
        buildRows(engine);
    if (m_display) {
        const QSignalBlocker quietDisplay(m_display);
        m_display->setValue(scenario.hardware.display.value);
        if (measuredDisplay() != m_toldDisplay)
            tellDisplay();
    }
    int given = 0;
    for (const Row &row : m_rows) {
        const Json *value = scenario.engine.options.find(row.option->name);
        const QString text = textOf(row.option->kind, value);
        given += text.isEmpty() ? 0 : 1;
        if (row.choice) {
            const QSignalBlocker quietChoice(row.choice);
            int at = row.choice->findData(text);
            if (at < 0) { // a value that the table does not list is shown as it is; core says what is wrong with it
                row.choice->addItem(text, text);
                at = row.choice->count() - 1;
            }
            row.choice->setCurrentIndex(at);
        } else if (row.line->text() != text && !row.line->isModified()) {
            row.line->setText(text);
        }
    }
    m_changed->setWholeText(given == 0 ? QString() : tr("%1 of its options set").arg(given));
}

void EnginePanel::buildRows(const Engine *engine) {
    m_engine = engine;
    m_rows.clear();
    delete m_options;
    m_options = nullptr;
    m_display = nullptr;
    m_fold->setVisible(engine && !engine->options().empty());
    if (!engine || engine->options().empty())
        return;
    m_options = new QWidget;
    auto *grid = new QGridLayout(m_options);
    grid->setContentsMargins(em(0.3), 0, 0, 0);
    grid->setVerticalSpacing(em(0.2));
    int row = 0;
    for (const EngineOption &option : engine->options())
        addRow(*engine, option, row++);
    addDisplay(row);
    static_cast<QVBoxLayout *>(layout())->addWidget(m_options);
    m_options->setVisible(m_fold->isChecked());
}

void EnginePanel::addRow(const Engine &engine, const EngineOption &option, int row) {
    auto *grid = static_cast<QGridLayout *>(m_options->layout());
    const QString name = words(option.name), help = translated(option.help), standard = translated(option.standard);
    auto *label = new Label(Label::Voice::Small, name);
    label->setToolTip(plainTip(help));
    Row made{&option, nullptr, nullptr};
    QWidget *input = nullptr;
    if (const QStringList listed = wordsOf(engine, option); !listed.isEmpty()) {
        made.choice = new QComboBox;
        made.choice->addItem(standard.isEmpty() ? tr("default") : tr("default: %1").arg(standard), QString());
        for (const QString &word : listed)
            made.choice->addItem(word, word);
        made.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made.choice->setMinimumContentsLength(6);
        connect(made.choice, &QComboBox::activated, this, [this, made](int at) {
            const QString word = made.choice->itemData(at).toString();
            const bool truth = made.option->kind == OptionKind::Bool;
            setOption(std::string(made.option->name),
                      word.isEmpty() ? Json() : truth ? Json(word == QLatin1String("true")) : Json(utf8(word)), 0);
        });
        input = made.choice;
    } else {
        made.line = new OptionLine;
        made.line->setPlaceholderText(standard);
        connect(made.line, &QLineEdit::editingFinished, this, [this, made] {
            if (!made.line->isModified())
                return;
            made.line->setModified(false);
            const QString typed = made.line->text().trimmed();
            setOption(std::string(made.option->name), typed.isEmpty() ? Json() : valueOf(made.option->kind, typed), 0);
        });
        input = made.line;
    }
    describeInput(input, QStringLiteral("option_") + name, name, help, help);
    input->setToolTip(plainTip(tr("%1\nDefault: %2").arg(help, standard)));
    label->setBuddy(input);
    grid->addWidget(label, row, 0);
    grid->addWidget(input, row, 1);
    grid->setColumnStretch(1, 1);
    m_rows += made;
}

void EnginePanel::tellDisplay() {
    m_toldDisplay = measuredDisplay();
    QString hint = tr("What the desktop and other programs take of a GPU before the engine starts: 1 GiB where a display hangs on it. "
                      "llama.cpp: of the first GPU; all others count as the fullest does.");
    if (m_toldDisplay)
        hint += QLatin1Char('\n') + tr("In this machine it is %1 now.").arg(translated(writeBytes(*m_toldDisplay, SizeUnit::Binary)));
    m_display->setTip(hint);
}

void EnginePanel::addDisplay(int row) {
    auto *grid = static_cast<QGridLayout *>(m_options->layout());
    auto *label = new Label(Label::Voice::Small, tr("display"));
    m_display = new QuantityEdit(
        [](std::string_view text) {
            const auto bytes = readBytes(text, "display");
            return Parsed<std::int64_t>{bytes ? std::optional(bytes->value) : std::nullopt, bytes.notes};
        },
        [](std::int64_t value) {
            const bool exact = value % mebibyte == 0 && value % (1024 * mebibyte) != 0;
            return value == 0 ? QStringLiteral("0") : exact ? translated(writeNumber(value / mebibyte)) + QStringLiteral(" MiB") : translated(writeBytes(Bytes(value), SizeUnit::Binary));
        });
    const QString what = tr("What the desktop and other programs take of a GPU.");
    describeInput(m_display, QStringLiteral("displayEdit"), tr("Display"), what, what);
    label->setBuddy(m_display);
    grid->addWidget(label, row, 0);
    grid->addWidget(m_display, row, 1);
    connect(m_display, &QuantityEdit::edited, this, [this](qint64 value, int gesture) {
        emit edited(tr("Change Display"), gesture, [value](Scenario &s) { s.hardware.display = Bytes(value); });
    });
    connect(m_display, &QuantityEdit::refused, this, &Panel::refused);
    tellDisplay();
}

void EnginePanel::setOption(const std::string &name, const Json &value, int gesture) {
    emit edited(tr("Change %1").arg(words(name)), gesture, [name, value](Scenario &s) {
        if (value.isNull())
            s.engine.options.erase(name);
        else
            s.engine.options.set(name, value);
    });
}

void EnginePanel::chooseEngine(int row) {
    const Engine *engine = findEngine(utf8(m_chooser->itemData(row).toString()));
    if (!engine)
        return;
    QString remark;
    emit edited(tr("Count Like %1").arg(translated(engine->name())), 0, [engine, &remark](Scenario &s) {
        if (s.engine.id != engine->id())
            remark = switchEngine(s, *engine);
    });
    if (!remark.isEmpty())
        emit remarked(remark);
}

QString switchEngine(Scenario &scenario, const Engine &engine) {
    scenario.engine.id = std::string(engine.id());
    scenario.engine.options = Json::object();
    const auto takes = [&engine](ElementType type) {
        return type == ElementType::Auto || std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end();
    };
    const auto bits = [](ElementType type) {
        return static_cast<double>(info(type).blockBytes) / static_cast<double>(info(type).blockElements);
    };
    const auto nearest = [&](ElementType from) {
        ElementType best = ElementType::Auto;
        for (const ElementType type : engine.kvTypes())
            if (bits(type) >= bits(from) && (best == ElementType::Auto || bits(type) < bits(best)))
                best = type;
        return best;
    };
    const KvChoice before = scenario.kv;
    if (!takes(scenario.kv.key))
        scenario.kv.key = nearest(scenario.kv.key);
    if (!takes(scenario.kv.value))
        scenario.kv.value = nearest(scenario.kv.value);
    if (scenario.kv.key != scenario.kv.value && !engine.splitsKeyAndValueTypes())
        scenario.kv.value = scenario.kv.key;
    if (scenario.kv == before)
        return {};
    const QString now = scenario.kv.key == ElementType::Auto ? EnginePanel::tr("its own choice") : words(info(scenario.kv.key).label);
    return EnginePanel::tr("%1 does not keep its cache in %2; it is %3 now. Undo takes both back.")
        .arg(translated(engine.name()), words(info(takes(before.key) ? before.value : before.key).label), now);
}

} // namespace kv
