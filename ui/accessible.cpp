// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessible.h"

#include "ui/controls/logslider.h"
#include "ui/controls/searchlist.h"
#include "ui/panels/messagestrip.h"
#include "ui/panels/tile.h"
#include "ui/panels/verdictbar.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace kv {

namespace {

class AccessibleSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleSlider(LogSlider *slider) : QAccessibleWidget(slider, QAccessible::Slider), m_slider(slider) {}

    void *interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface *>(this) : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_slider->spoken() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return QVariant::fromValue<qlonglong>(m_slider->value()); }
    void setCurrentValue(const QVariant &value) override { m_slider->move(value.toLongLong()); }
    QVariant minimumValue() const override { return QVariant::fromValue<qlonglong>(m_slider->scale().low); }
    QVariant maximumValue() const override { return QVariant::fromValue<qlonglong>(m_slider->scale().high); }
    QVariant minimumStepSize() const override { return QVariant::fromValue<qlonglong>(1); }

private:
    LogSlider *m_slider;
};

class AccessibleChooser : public QAccessibleWidget {
public:
    explicit AccessibleChooser(SearchList *list) : QAccessibleWidget(list, QAccessible::ComboBox), m_list(list) {}

    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_list->shownText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.hasPopup = true;
        state.expandable = true;
        state.expanded = m_list->isOpen();
        return state;
    }
    QStringList actionNames() const override { return {showMenuAction(), setFocusAction()}; }
    void doAction(const QString &name) override {
        if (name == showMenuAction())
            m_list->click();
        else
            QAccessibleWidget::doAction(name);
    }

private:
    SearchList *m_list;
};

QAccessibleInterface *make(const QString &, QObject *object) {
    if (auto *slider = qobject_cast<LogSlider *>(object))
        return new AccessibleSlider(slider);
    if (auto *list = qobject_cast<SearchList *>(object))
        return new AccessibleChooser(list);
    if (qobject_cast<Tile *>(object) || qobject_cast<VerdictBar *>(object))
        return new QAccessibleWidget(static_cast<QWidget *>(object), QAccessible::StaticText);
    if (qobject_cast<MessageStrip *>(object))
        return new QAccessibleWidget(static_cast<QWidget *>(object), QAccessible::AlertMessage);
    return nullptr;
}

} // namespace

void installAccessibility() {
    QAccessible::removeFactory(make);
    QAccessible::installFactory(make);
}

} // namespace kv
