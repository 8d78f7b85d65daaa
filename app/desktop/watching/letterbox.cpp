// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/watching/letterbox.h"

#include "core/base/temporary_folder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cctype>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::desktop {
namespace {

namespace fs = std::filesystem;

constexpr qint64 longestLetter = 1 << 16;
constexpr mode_t ofOthers = S_IRWXG | S_IRWXO;

fs::path folderOfAll()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return runtime.isEmpty() ? fs::path(QDir::tempPath().toStdString()) / ("cutaway-" + std::to_string(geteuid()))
                             : fs::path(runtime.toStdString()) / "cutaway";
}

/// Returns a name for the display; without one that of the platform, so that other programs send the window nothing.
std::string displayName()
{
    if (const QString platform = QGuiApplication::platformName(); platform == "offscreen" || platform == "minimal")
        return platform.toStdString();
    std::string name;
    for (const char *variable : {"WAYLAND_DISPLAY", "DISPLAY", "QT_QPA_PLATFORM"})
        if (name.empty())
            name = qEnvironmentVariable(variable).toStdString();
    std::ranges::replace_if(name, [](unsigned char c) { return c >= 0x80 || !std::isalnum(c); }, '_');
    return name;
}

/// Whether a path is a folder of this user, rather than a link to one, and lacks the `forbidden` permissions.
bool isOwnFolder(const fs::path &path, mode_t forbidden)
{
    struct stat found{};
    return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid()
        && (found.st_mode & forbidden) == 0;
}

bool makeOwnFolder(const fs::path &path)
{
    mkdir(path.c_str(), S_IRWXU); // fails if the folder exists, which is checked next
    return isOwnFolder(path, ofOthers);
}

bool isIn(const fs::path &file, const fs::path &folder)
{
    const fs::path relative = file.lexically_normal().lexically_relative(folder.lexically_normal());
    return !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
}

QString absolutePath(const QJsonObject &letter, const char *key)
{
    const QString path = letter[QLatin1String(key)].toString();
    return QDir::isAbsolutePath(path) ? path : QString();
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(longestLetter) : QByteArray();
}

} // namespace

std::optional<Letter> parseLetter(const QByteArray &text)
{
    const QJsonObject letter = QJsonDocument::fromJson(text).object();
    Letter read{.source = {.path = absolutePath(letter, "open")},
                .compared = absolutePath(letter, "compare"),
                .trace = absolutePath(letter, "trace")};
    if (read.source.path.isEmpty())
        return std::nullopt;
    const fs::path folder = absolutePath(letter, "folder").toStdString();
    const bool isOfModels = isIn(read.source.path.toStdString(), folder) || isIn(read.compared.toStdString(), folder);
    if (folder.filename().string().starts_with("cutaway-") && isOfModels && isOwnFolder(folder, ofOthers))
        read.source.folder = std::make_shared<const TemporaryFolder>(TemporaryFolder::adopt(folder));
    return read;
}

/// Makes the folder of this window. It gets its name only when its lock is held, since a folder whose lock is free
/// counts as left over.
Letterbox::Letterbox(QObject *parent) : QObject(parent)
{
    const fs::path all = folderOfAll(), ofDisplay = all / displayName();
    const fs::path folder = ofDisplay / std::to_string(getpid()), unnamed = folder.string() + ".new";
    if (!makeOwnFolder(all) || !makeOwnFolder(ofDisplay) || !makeOwnFolder(unnamed))
        return;
    m_lock = ::open((unnamed / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    std::error_code error;
    if (m_lock < 0 || flock(m_lock, LOCK_EX) != 0)
        return;
    fs::remove_all(folder, error); // left by an earlier process with the same id
    fs::rename(unnamed, folder, error);
    if (error)
        return;
    m_folder = folder;
    m_watcher.addPath(QString::fromStdString(folder.string()));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &Letterbox::take);
}

Letterbox::~Letterbox()
{
    std::error_code ignored;
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

void Letterbox::take()
{
    const QDir folder(QString::fromStdString(m_folder.string()));
    for (const QFileInfo &file : folder.entryInfoList({"*.json"}, QDir::Files, QDir::Time | QDir::Reversed)) {
        const QByteArray text = contentOf(file.filePath());
        if (!QFile::remove(file.filePath()))
            continue; // whoever wrote the letter has withdrawn it
        if (const auto letter = parseLetter(text))
            emit received(*letter);
    }
}

} // namespace cutaway::desktop
