// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A folder for the files of one test, gone with it. Names may have folders in them.

#include <QTest>

#include <filesystem>
#include <string>
#include <string_view>

namespace kv::test {

class TempFolder {
public:
    std::string path(std::string_view name = {}) const {
        const std::string root = m_folder.path().toStdString();
        return name.empty() ? root : root + "/" + std::string(name);
    }
    /// The path of the file written.
    std::string write(std::string_view name, std::string_view bytes) const {
        const std::string at = path(name);
        std::filesystem::create_directories(std::filesystem::path(at).parent_path());
        QFile file(QString::fromStdString(at));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(bytes.data(), qsizetype(bytes.size())) != qsizetype(bytes.size()))
            qFatal("cannot write %s", at.c_str());
        return at;
    }
    std::string link(std::string_view name, const std::string &target) const {
        const std::string at = path(name);
        std::filesystem::create_directories(std::filesystem::path(at).parent_path());
        std::filesystem::create_symlink(target, at);
        return at;
    }
    /// Grows a file without using disk space.
    void grow(const std::string &file, std::uintmax_t size) const { std::filesystem::resize_file(file, size); }

private:
    QTemporaryDir m_folder;
};

} // namespace kv::test
