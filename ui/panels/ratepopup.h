// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sequences in flight from requests a second and seconds a request, and back: Little's law (core/workload/littleslaw.h) with two fields
// and its answer, under the button that opened it. The two numbers are a way to the sequences, no part of the scenario.

#include <QWidget>

#include <cstdint>
#include <optional>

class QGridLayout;
class QLineEdit;
class QPushButton;

namespace kv {

class Label;

class RatePopup : public QWidget {
    Q_OBJECT

public:
    /// `sequences` are those of the scenario, for the way back.
    RatePopup(std::int64_t sequences, QWidget *owner);
    void openUnder(const QWidget *button);

signals:
    void chosen(qint64 sequences);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QLineEdit *addField(QGridLayout *grid, const QString &name, const char *objectName, const QString &unit, const QString &tip);
    void answer();
    void take();

    std::int64_t m_sequences;
    std::optional<std::int64_t> m_answer;
    QLineEdit *m_rate;
    QLineEdit *m_seconds;
    Label *m_said;
    Label *m_back;
    QPushButton *m_take;
};

} // namespace kv
