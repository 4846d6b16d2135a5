// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A chooser for long lists: a button that shows what is chosen and opens a list with a line to search by. Typing on the closed button
// opens it with what was typed; Down and Up walk the list while the line keeps the focus, Return takes, Escape leaves.

#include "ui/controls/choicemodel.h"

#include <QAbstractButton>
#include <QPointer>

class QLineEdit;
class QListView;

namespace kv {

class SearchPopup;

class SearchList : public QAbstractButton {
    Q_OBJECT

public:
    explicit SearchList(QWidget *parent = nullptr);
    void setChoices(const QList<Choice> &choices) { m_model.setChoices(choices); }
    /// What the closed button shows; `id` is marked in the list, where there is such a choice.
    void setCurrent(const QString &id, const QString &shown);
    QString currentId() const { return m_current; }
    QString shownText() const { return m_shown; }
    /// "Search 41 models": the line's placeholder, with the number of choices in place of %1.
    void setSearchHint(const QString &hint) { m_hint = hint; }
    /// Plain text, under the whole of a title that is cut.
    void setTip(const QString &tip);
    ChoiceModel *model() { return &m_model; }
    void open(const QString &typed = {});
    bool isOpen() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const QString &id);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void showTip();

    ChoiceModel m_model;
    QPointer<SearchPopup> m_popup;
    QString m_current, m_shown, m_hint, m_tip;
};

/// The opened list.
class SearchPopup : public QWidget {
    Q_OBJECT

public:
    SearchPopup(ChoiceModel *model, const QString &hint, const QString &current, QWidget *owner);
    void openUnder(const QWidget *owner, const QString &typed);

signals:
    void chosen(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void narrow(const QString &typed);
    void select(int row);
    void take(const QModelIndex &index);
    bool walk(int key);

    ChoiceModel *m_model;
    QLineEdit *m_line;
    QListView *m_list;
    QWidget *m_nothing;
    QString m_current;
};

} // namespace kv
