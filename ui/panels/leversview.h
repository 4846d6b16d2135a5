// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ways to make the scenario fit, or fit more (core/plan/levers.h), each a button: pointing at one, or reaching it by keyboard, shows
// what it would give as a ghost on the charts; a click takes it in one step. They are looked for off the GUI thread; the list before stands
// until the new one is there, and fades only where that takes long.

#include "core/plan/levers.h"
#include "ui/view.h"

#include <optional>

class QPushButton;
class QTimer;
class QVBoxLayout;

namespace kv {

class Label;
class Latest;
class LeverButton;
struct LeverFace;

class LeversView : public View {
    Q_OBJECT

public:
    explicit LeversView(QWidget *parent = nullptr);
    void present(const Shown &shown) override;
    void settle() override;
    bool isSettled() const override;
    ViewExports exports() override;
    QSize minimumSizeHint() const override;

protected:
    void hideEvent(QHideEvent *event) override;

private:
    struct Found {
        Scenario scenario;
        Levers levers;
    };
    QWidget *buildPage();
    void look(const Scenario &scenario);
    void take(std::shared_ptr<const Found> found);
    void write();
    void writeCards();
    void writeRows();
    std::vector<const Lever *> listed(bool all) const;
    LeverButton *button(QList<LeverButton *> &buttons, qsizetype at, bool card);
    LeverFace faceOf(const Lever &lever, bool card) const;
    const Lever *named(const std::string &id) const;
    void point(LeverButton *button, bool pointed);
    void preview();
    void apply(const LeverButton *button);
    void fade(bool faded);

    Latest *m_latest;
    QTimer *m_slow;
    std::optional<Scenario> m_asked;      ///< what is shown, or looked for
    std::shared_ptr<const Found> m_found; ///< what the list is of
    const LeverButton *m_pointedAt = nullptr; ///< compared only
    std::string m_pointed;                ///< id of the lever that is previewed; empty: none
    bool m_all = false;                   ///< not only the first of the list
    Label *m_cardsTitle, *m_rowsTitle, *m_nothing;
    QVBoxLayout *m_cardsColumn, *m_rowsColumn;
    QList<LeverButton *> m_cards, m_rows;
    QPushButton *m_more;
};

} // namespace kv
