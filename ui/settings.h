// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a person likes the program: units, colours, type size, where windows stood, what was opened lately. Never a scenario.
//
// Values are written when they change and read tolerantly: what is missing, misspelt or out of range is the default.

#include "core/base/quantity.h"
#include "ui/theme.h"

#include <QObject>
#include <QSettings>
#include <QStringList>

namespace kv {

class Settings : public QObject {
    Q_OBJECT

public:
    explicit Settings(QObject *parent = nullptr) : QObject(parent) {}

    SizeUnit unit() const;
    void setUnit(SizeUnit unit);
    Scheme scheme() const;
    void setScheme(Scheme scheme);
    /// Size of the type in percent of the desktop's, 70 to 250.
    int zoom() const;
    void setZoom(int percent);
    /// A code of ui/language/language.h; empty: the desktop's.
    QString language() const;
    void setLanguage(const QString &code);
    QByteArray geometry() const;
    void setGeometry(const QByteArray &geometry);
    /// Pixels a point of pictures that leave, 1 to 3; and whether on dark ground.
    int pictureScale() const;
    void setPictureScale(int scale);
    bool darkPictures() const;
    void setDarkPictures(bool dark);
    /// The folder that files were last opened from or saved to: its name, which may be gone meanwhile.
    QString folder() const;
    void setFolder(const QString &folder);

    static constexpr int mostRecent = 10;
    /// Absolute paths, newest first; some may be gone meanwhile.
    QStringList recentFiles() const;
    void addRecent(const QString &path);
    void clearRecent();

    static constexpr int mostHubNames = 8;
    /// Models that were fetched from the Hub, newest first, as they are called there.
    QStringList hubNames() const;
    void addHubName(const QString &name);

signals:
    void unitChanged(kv::SizeUnit unit);
    void schemeChanged(kv::Scheme scheme);
    void zoomChanged(int percent);
    void recentChanged();

private:
    QSettings m_store;
};

} // namespace kv
