// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document.h"

#include "core/engine/draftmodel.h"
#include "core/engine/options.h"
#include "core/plan/evaluate.h"
#include "ui/latest.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>

namespace kv {

namespace {

constexpr int undoLimit = 200;
constexpr std::size_t mostKept = 32;

const Scenario &currentOf(const ScenarioDocument &document) {
    return document.scenarios[std::min(document.current, document.scenarios.size() - 1)];
}

} // namespace

class Document::ChangeDocument : public QUndoCommand {
public:
    /// The text stands in a menu, where & would mark a key: names may hold one.
    ChangeDocument(Document &document, const QString &text, int gesture, ScenarioDocument before, ScenarioDocument after)
        : QUndoCommand(QString(text).replace(QLatin1Char('&'), QLatin1String("&&"))), m_document(document), m_gesture(gesture), m_before(std::move(before)), m_after(std::move(after)) {}

    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    void undo() override { m_document.set(m_before); }
    void redo() override { m_document.set(m_after); }
    const ScenarioDocument &before() const { return m_before; }
    const ScenarioDocument &after() const { return m_after; }

    bool mergeWith(const QUndoCommand *later) override {
        const auto *next = static_cast<const ChangeDocument *>(later);
        // Where another scenario was turned to in between, the same slider goes on with another number: a step of its own.
        if (next->m_before != m_after)
            return false;
        m_after = next->m_after;
        setText(later->text());
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Document &m_document;
    int m_gesture;
    ScenarioDocument m_before, m_after;
};

Document::Document(ScenarioDocument initial, QObject *parent) : QObject(parent), m_value(std::move(initial)), m_draft(new Latest(this)) {
    readDraftModelsElsewhere();
    if (m_value.scenarios.empty())
        m_value.scenarios.push_back(firstScenario());
    m_undo.setUndoLimit(undoLimit);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::fileChanged);
}

const Scenario &Document::scenario() const { return currentOf(m_value); }

const Plan &Document::plan() {
    flush();
    return m_plan;
}

const Scenario &Document::goodScenario() {
    flush();
    return m_goodScenario;
}

const Plan &Document::goodPlan() {
    flush();
    return m_goodPlan;
}

void Document::edit(const QString &text, int gesture, const Change &change) {
    editAll(text, gesture, [&change](ScenarioDocument &document) {
        change(document.scenarios[std::min(document.current, document.scenarios.size() - 1)]);
    });
}

void Document::editAll(const QString &text, int gesture, const DocumentChange &change) {
    // The command on top is of this gesture only while nothing came between: then all of it is one function of its start.
    const auto *top = gesture != 0 && m_undo.canUndo() && !m_undo.isClean() && m_undo.index() == m_undo.count()
                          ? static_cast<const ChangeDocument *>(m_undo.command(m_undo.index() - 1))
                          : nullptr;
    if (top && (top->id() != gesture || top->after() != m_value))
        top = nullptr;
    ScenarioDocument after = top ? top->before() : m_value;
    change(after);
    if (after != m_value)
        m_undo.push(new ChangeDocument(*this, text, gesture, m_value, std::move(after)));
}

void Document::moveScenario(const QString &text, std::size_t from, std::size_t to) {
    if (std::max(from, to) >= m_value.scenarios.size())
        return;
    editAll(text, 0, [from, to](ScenarioDocument &document) {
        Scenario moved = std::move(document.scenarios[from]);
        document.scenarios.erase(document.scenarios.begin() + static_cast<std::ptrdiff_t>(from));
        document.scenarios.insert(document.scenarios.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
        document.current = to;
    });
}

void Document::setCurrent(std::size_t index) {
    if (index >= m_value.scenarios.size() || index == m_value.current)
        return;
    emit turning();
    ScenarioDocument other = m_value;
    other.current = index;
    set(other);
}

void Document::replan() {
    ScenarioDocument same = m_value;
    for (Scenario &scenario : same.scenarios)
        if (scenario.model.spec) // told apart by identity
            scenario.model.spec = std::make_shared<const ModelSpec>(*scenario.model.spec);
    set(same);
}

void Document::flush() {
    if (!m_waiting)
        return;
    m_waiting = false;
    QElapsedTimer timer;
    timer.start();
    m_plan = evaluate(scenario());
    readDraft();
    m_microseconds = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
    if (m_plan.ok() || !m_goodPlan.ok() || m_goodPlan.gpus.empty()) {
        m_goodScenario = scenario();
        m_goodPlan = m_plan;
    }
    emit changed(scenario(), m_plan);
}

/// Files are read beside, and the plan is made again when they are: another edit meanwhile asks anew.
void Document::readDraft() {
    if (m_plan.ok() || m_plan.refusal->code != "draft-being-read")
        return m_draft->forget();
    m_draft->ask([this, name = scenario().engine.options](const Latest::GoOn &) -> Latest::Answer {
        if (const auto path = OptionReader(name).word("draft_model"))
            draftModel(std::string(*path));
        return [this] { set(ScenarioDocument(m_value)); };
    });
}

void Document::set(const ScenarioDocument &value) {
    // Moved, or copied, it is the same as before.
    const bool another = (value.current != m_value.current || value.scenarios.size() != m_value.scenarios.size()) && currentOf(value) != scenario();
    if (another)
        keepGood();
    put(value);
    if (another)
        findGood();
}

/// Figures of one scenario must not stand in for those of another that cannot be planned.
void Document::keepGood() {
    flush();
    std::erase_if(m_kept, [this](const Kept &kept) { return kept.refused == scenario(); });
    if (!m_plan.ok() && m_goodPlan.ok())
        m_kept.push_back({scenario(), m_goodScenario, m_goodPlan});
    if (m_kept.size() > mostKept)
        m_kept.erase(m_kept.begin());
    m_goodPlan = {};
    m_goodScenario = {};
}

void Document::findGood() {
    const auto found = std::ranges::find(m_kept, scenario(), &Kept::refused);
    if (found == m_kept.end())
        return;
    m_goodScenario = found->good;
    m_goodPlan = found->plan;
}

void Document::put(const ScenarioDocument &value) {
    m_value = value;
    m_waiting = true;
    if (m_posted)
        return;
    m_posted = true;
    QMetaObject::invokeMethod(this, [this] {
            m_posted = false;
            flush();
        }, Qt::QueuedConnection);
}

QByteArray Document::hashOf(const QByteArray &content) { return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex(); }

void Document::setFile(const QString &fileName, const QByteArray &hash) {
    m_fileName = fileName;
    m_fileHash = hash;
    emit fileChanged();
}

void Document::replace(const ScenarioDocument &value, const QString &fileName, const QByteArray &hash) {
    if (value.scenarios.empty())
        return;
    m_undo.clear();
    m_goodPlan = {};
    m_goodScenario = {};
    m_kept.clear();
    put(value);
    setFile(fileName, hash);
}

void Document::setSaved() {
    m_undo.setClean();
    emit fileChanged();
}

} // namespace kv
