// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a window works on: the scenarios on the table, the plan of the current one, the steps to take back and the file it came from.
//
// An edit is a function on the scenario. It changes the value at once; the plan is made once per turn of the event loop however many
// edits came, and then `changed` tells everybody. Edits of one gesture (ui/gesture.h) are one step: each is applied to what was
// before the gesture, so that going back to the start leaves no step and nothing that was clipped on the way stays clipped.
// A scenario that evaluate() refuses stays on the controls; the last one that could be planned is kept beside it for the charts, each
// scenario's own for as long as it is refused.

#include "core/plan/plan.h"
#include "core/scenario/scenariofile.h"

#include <QByteArray>
#include <QObject>
#include <QUndoStack>

#include <functional>

namespace kv {

class Latest;

class Document : public QObject {
    Q_OBJECT

public:
    using Change = std::function<void(Scenario &)>;
    using DocumentChange = std::function<void(ScenarioDocument &)>;

    explicit Document(ScenarioDocument initial, QObject *parent = nullptr);

    const ScenarioDocument &value() const { return m_value; }
    const Scenario &scenario() const;
    /// The plan of scenario(), made first if an edit is waiting.
    const Plan &plan();
    /// The last scenario that could be planned, with its plan; the present one unless that is refused.
    const Scenario &goodScenario();
    const Plan &goodPlan();
    bool isRefused() { return !plan().ok(); }
    /// How long the last plan took to make.
    double planMicroseconds() const { return m_microseconds; }

    void edit(const QString &text, int gesture, const Change &change);
    /// The same over all scenarios: adding, removing, ordering and naming them.
    void editAll(const QString &text, int gesture, const DocumentChange &change);
    /// Puts a scenario in another's place and looks at it; nothing happens where there is no such place.
    void moveScenario(const QString &text, std::size_t from, std::size_t to);
    /// Looks at another scenario. A way to look is no step to take back; taking back a step of another scenario returns to it.
    void setCurrent(std::size_t index);
    QUndoStack *undoStack() { return &m_undo; }
    /// Plans anew what has not changed: a list that plans look things up in has. No scenario is the same as before to whoever kept one
    /// with what was computed of it.
    void replan();
    /// Makes the plan and tells everybody now, if an edit is waiting.
    void flush();

    /// The file this document is; empty while it was never saved. The hash is of what stood there when it was read or written, so
    /// that another's change since is noticed before it is overwritten.
    const QString &fileName() const { return m_fileName; }
    const QByteArray &fileHash() const { return m_fileHash; }
    static QByteArray hashOf(const QByteArray &content);
    void setFile(const QString &fileName, const QByteArray &hash);
    /// Another document takes this one's place; its steps are forgotten.
    void replace(const ScenarioDocument &value, const QString &fileName, const QByteArray &hash);
    bool isModified() const { return !m_undo.isClean(); }
    void setSaved();
    void setUnsaved() { m_undo.resetClean(); }
    /// Never touched and never saved: another may take its place unasked.
    bool isPristine() const { return m_fileName.isEmpty() && m_undo.isClean() && m_undo.count() == 0; }

signals:
    void changed(const kv::Scenario &scenario, const kv::Plan &plan);
    /// Another scenario is about to be looked at: what is half typed still belongs to this one.
    void turning();
    void fileChanged();

private:
    class ChangeDocument;

    /// Of a refused scenario that is not looked at: what its figures were last.
    struct Kept {
        Scenario refused, good;
        Plan plan;
    };

    void set(const ScenarioDocument &value);
    void put(const ScenarioDocument &value);
    void keepGood();
    void findGood();
    void readDraft();

    ScenarioDocument m_value;
    Latest *m_draft; ///< reads the model that drafts
    Plan m_plan;
    Scenario m_goodScenario;
    Plan m_goodPlan;
    std::vector<Kept> m_kept;
    QUndoStack m_undo;
    QString m_fileName;
    QByteArray m_fileHash;
    double m_microseconds = 0;
    bool m_waiting = true; ///< the plan is not of the value yet
    bool m_posted = false; ///< a turn of the event loop will make it
};

} // namespace kv
