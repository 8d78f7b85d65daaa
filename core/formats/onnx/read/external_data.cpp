// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/external_data.h"

#include "core/base/formatted.h"
#include "core/formats/onnx/wire.h"

#include <algorithm>
#include <charconv>
#include <sys/stat.h>

namespace cutaway::formats::onnx {

namespace {

namespace fs = std::filesystem;

std::uint64_t strictNumber(std::string_view tensor, std::string_view key, std::string_view text)
{
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size())
        unusable(formatted("the external {} of tensor {} is {}, not a 64-bit count of bytes", key, shown(tensor),
                           shown(text)));
    return n;
}

/// Returns why a location is refused because of its text alone; nothing if it is not.
std::optional<std::string> refusal(const std::string &location)
{
    const fs::path path(location);
    if (location.empty())
        return "its name is empty";
    if (location.find('\0') != std::string::npos)
        return "its name has a NUL character";
    if (path.is_absolute() || location.starts_with('\\') || (location.size() > 1 && location[1] == ':'))
        return "its path is absolute";
    if (std::ranges::contains(path, fs::path("..")) || location.find("..\\") != std::string::npos)
        return "its path leads out of the model's folder";
    return std::nullopt;
}

/// Returns the folder to which the links in a folder of a model hub's cache lead: REPOSITORY/blobs for
/// REPOSITORY/snapshots/REVISION/…
std::optional<fs::path> hubBlobs(const fs::path &folder)
{
    for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
        std::error_code ignored;
        const bool isSnapshots = at.filename() == "snapshots" && at != folder;
        if (fs::path blobs = at.parent_path() / "blobs";
            isSnapshots && fs::is_directory(fs::symlink_status(blobs, ignored)))
            return blobs;
    }
    return std::nullopt;
}

bool isBelow(const fs::path &file, const fs::path &folder)
{
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

fs::path folderAround(const fs::path &file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

bool isThere(const fs::path &path)
{
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

} // namespace

ExternalData::ExternalData(ir::Model &model, Notes &notes, const fs::path &modelFile, Replacements replacements)
    : m_model(model),
      m_notes(notes),
      m_folders{folderAround(modelFile)},
      m_replacements(std::move(replacements))
{
    std::error_code error;
    if (fs::path folder = fs::canonical(m_folders.front(), error); !error) {
        if (auto blobs = hubBlobs(folder))
            m_roots.push_back(std::move(*blobs));
        m_roots.push_back(std::move(folder));
    }
    if (const fs::path target = fs::canonical(modelFile, error); !error && fs::is_symlink(modelFile, error)) {
        m_folders.push_back(target.parent_path());
        m_roots.push_back(target.parent_path());
    }
}

ir::StorageId ExternalData::storage(std::string_view tensor, const ExternalEntries &entries,
                                    std::optional<std::int64_t> byteLength)
{
    const Range range = rangeOf(tensor, entries);
    const auto wanted = byteLength ? std::optional(static_cast<std::uint64_t>(*byteLength)) : range.length;
    const FileOrReason &found = file(range.location);
    if (const auto *reason = std::get_if<std::string>(&found))
        return add({ir::NoBytes{*reason}, wanted.value_or(0)});
    const auto &[id, size] = std::get<OpenFile>(found);
    const std::uint64_t rest = range.offset <= size ? size - range.offset : 0;
    const std::uint64_t length = range.length.value_or(wanted.value_or(rest));
    if (range.offset > size || length > rest || (wanted && length != *wanted)) {
        const std::string what =
            formatted("its bytes {} to {} + {} do not fit the external file {} of {} bytes, or not its {} bytes",
                      range.offset, range.offset, length, shown(range.location), size, wanted.value_or(length));
        m_notes.error("onnx.external-size", formatted("tensor {}: {}", shown(tensor), what));
        return add({ir::NoBytes{what}, wanted.value_or(0)});
    }
    const auto [entry, isNew] = m_storages.try_emplace({id.index, range.offset, length});
    if (isNew)
        entry->second = add({ir::FileRange{id, range.offset, length}, length});
    return entry->second;
}

ExternalData::Range ExternalData::rangeOf(std::string_view tensor, const ExternalEntries &entries)
{
    Range range;
    for (const auto &[key, text] : entries) {
        if (key == "location")
            range.location = text;
        else if (key == "offset")
            range.offset = strictNumber(tensor, key, text);
        else if (key == "length")
            range.length = strictNumber(tensor, key, text);
    }
    return range;
}

const ExternalData::FileOrReason &ExternalData::file(const std::string &location)
{
    const auto known = m_files.find(location);
    return known != m_files.end() ? known->second : m_files.emplace(location, find(location)).first->second;
}

/// Returns the first path at which there is a file, or else the expected path.
fs::path ExternalData::pathOf(const std::string &location) const
{
    if (const auto found = m_replacements.find(m_folders.front() / location); found != m_replacements.end())
        return found->second;
    for (const fs::path &folder : m_folders)
        if (const fs::path path = folder / location; isThere(path))
            return path;
    return m_folders.front() / location;
}

bool ExternalData::isTrusted(const fs::path &file) const
{
    return std::ranges::any_of(m_roots, [&](const fs::path &root) { return isBelow(file, root); });
}

ExternalData::FileOrReason ExternalData::find(const std::string &location)
{
    const auto refuse = [&](const std::string &reason) -> FileOrReason {
        m_notes.error("onnx.external-refused",
                      formatted("the external file {} is not used: {}", shown(location), reason));
        return "external file refused: " + reason;
    };
    if (const auto reason = refusal(location))
        return refuse(*reason);
    const fs::path path = pathOf(location);
    if (!isThere(path)) {
        m_notes.warning(
            "onnx.external-missing",
            formatted("the external file {} is not beside the model; its weights cannot be shown", shown(location)));
        return "external file missing";
    }
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    if (error)
        return refuse("its symbolic link leads nowhere");
    if (!isTrusted(target))
        return refuse("a symbolic link leads out of the model's folder");
    struct stat status{};
    if (::lstat(target.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return refuse("it is not a regular file");
    m_model.files.push_back({path, nullptr});
    return OpenFile{{static_cast<std::uint32_t>(m_model.files.size() - 1)}, static_cast<std::uint64_t>(status.st_size)};
}

ir::StorageId ExternalData::add(ir::Storage storage)
{
    m_model.storages.push_back(std::move(storage));
    return {static_cast<std::uint32_t>(m_model.storages.size() - 1)};
}

} // namespace cutaway::formats::onnx
