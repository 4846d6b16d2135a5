// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include "ui/language/language.h"

#include <QFileInfo>

namespace kv {

namespace {

constexpr QLatin1String unitKey("view/unit"), schemeKey("view/theme"), zoomKey("view/zoom"), languageKey("view/language"), geometryKey("window/geometry"),
    folderKey("files/folder"), pictureScaleKey("pictures/scale"), pictureGroundKey("pictures/ground"), recentKey("files/recent"), hubKey("hub/names");
constexpr int leastZoom = 70, mostZoom = 250;

} // namespace

SizeUnit Settings::unit() const {
    return m_store.value(unitKey).toString() == QLatin1String("GiB") ? SizeUnit::Binary : SizeUnit::Decimal;
}

void Settings::setUnit(SizeUnit unit) {
    if (unit == this->unit())
        return;
    m_store.setValue(unitKey, unit == SizeUnit::Binary ? QStringLiteral("GiB") : QStringLiteral("GB"));
    emit unitChanged(unit);
}

Scheme Settings::scheme() const {
    const QString name = m_store.value(schemeKey).toString();
    return name == QLatin1String("light") ? Scheme::Light : name == QLatin1String("dark") ? Scheme::Dark : Scheme::System;
}

void Settings::setScheme(Scheme scheme) {
    if (scheme == this->scheme())
        return;
    m_store.setValue(schemeKey, scheme == Scheme::Light ? QStringLiteral("light") : scheme == Scheme::Dark ? QStringLiteral("dark") : QStringLiteral("system"));
    emit schemeChanged(scheme);
}

int Settings::zoom() const {
    bool read = false;
    const int percent = m_store.value(zoomKey).toInt(&read);
    return read && percent >= leastZoom && percent <= mostZoom ? percent : 100;
}

void Settings::setZoom(int percent) {
    const int held = std::clamp(percent, leastZoom, mostZoom);
    if (held == zoom())
        return;
    m_store.setValue(zoomKey, held);
    emit zoomChanged(held);
}

QString Settings::language() const { return languageFor(m_store.value(languageKey).toString()); }

void Settings::setLanguage(const QString &code) { m_store.setValue(languageKey, code); }

QByteArray Settings::geometry() const { return m_store.value(geometryKey).toByteArray(); }
void Settings::setGeometry(const QByteArray &geometry) { m_store.setValue(geometryKey, geometry); }

int Settings::pictureScale() const {
    const int scale = m_store.value(pictureScaleKey, 2).toInt();
    return scale >= 1 && scale <= 3 ? scale : 2;
}

void Settings::setPictureScale(int scale) { m_store.setValue(pictureScaleKey, scale); }
bool Settings::darkPictures() const { return m_store.value(pictureGroundKey).toString() == QLatin1String("dark"); }
void Settings::setDarkPictures(bool dark) { m_store.setValue(pictureGroundKey, dark ? QStringLiteral("dark") : QStringLiteral("light")); }

QString Settings::folder() const {
    const QString folder = m_store.value(folderKey).toString();
    return QFileInfo(folder).isAbsolute() ? folder : QString();
}

void Settings::setFolder(const QString &folder) { m_store.setValue(folderKey, folder); }

QStringList Settings::recentFiles() const {
    QStringList files;
    for (const QString &path : m_store.value(recentKey).toStringList())
        if (QFileInfo(path).isAbsolute() && !files.contains(path) && files.size() < mostRecent)
            files += path;
    return files;
}

void Settings::addRecent(const QString &path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_store.setValue(recentKey, files.mid(0, mostRecent));
    emit recentChanged();
}

void Settings::clearRecent() {
    m_store.remove(recentKey);
    emit recentChanged();
}

QStringList Settings::hubNames() const { return m_store.value(hubKey).toStringList().mid(0, mostHubNames); }

void Settings::addHubName(const QString &name) {
    QStringList names = hubNames();
    names.removeAll(name);
    names.prepend(name);
    m_store.setValue(hubKey, names.mid(0, mostHubNames));
}

} // namespace kv
