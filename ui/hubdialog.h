// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks for the name of a model on the Hub, says what will be fetched, and fetches it when told to: with progress, a way to stop, and
// whatever goes wrong said in place. The window behind it stays as it is and usable.

#include "ui/hub/hubjob.h"

#include <QDialog>

class QComboBox;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace kv {

class Label;
class Latest;
class Settings;

class HubDialog : public QDialog {
    Q_OBJECT

public:
    /// `settings` keeps the names that were fetched; they are offered again.
    HubDialog(Settings *settings, QWidget *parent);
    void setName(const QString &name);

signals:
    void fetched(const kv::HubFetched &what);

protected:
    void reject() override;

private:
    void build();
    void fetch();
    void stop();
    void progress(const HubProgress &progress);
    void finish(const HubFetched &fetched);
    void offer(const HubFetched &fetched);
    void showBusy(bool busy);
    void showFault(const QString &sentence);
    void takeName();
    void showWhat();
    void lookForToken();

    Settings *m_keeper;
    HubSettings m_settings; ///< as the dialog was opened; with the token's file once that is read
    Latest *m_token;        ///< reads it, for the sentence about it
    HubJob m_job;
    QString m_offeredFor; ///< the name for which there is a choice of files
    HubName m_several;
    QComboBox *m_name;
    QListWidget *m_files;
    Label *m_what, *m_status, *m_fault;
    QProgressBar *m_bar;
    QPushButton *m_fetch, *m_cancel;
};

} // namespace kv
