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

/// Why a location is refused from its text alone; nothing if it is not.
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

/// Whether a part of the path below `folder` is a symbolic link.
bool goesThroughLink(const fs::path &folder, const fs::path &relative)
{
    fs::path at = folder;
    return std::ranges::any_of(relative, [&](const fs::path &part) {
        std::error_code ignored;
        return fs::is_symlink(at /= part, ignored);
    });
}

} // namespace

ExternalData::ExternalData(ir::Model &model, Notes &notes, fs::path folder, Replacements replacements)
    : m_model(model),
      m_notes(notes),
      m_folder(folder.empty() ? fs::path(".") : std::move(folder)),
      m_replacements(std::move(replacements))
{
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

fs::path ExternalData::pathOf(const std::string &location) const
{
    const fs::path path = m_folder / location;
    const auto found = m_replacements.find(path);
    return found == m_replacements.end() ? path : found->second;
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
    if (goesThroughLink(m_folder, path.lexically_relative(m_folder)))
        return refuse("its path has a symbolic link");
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) {
        m_notes.warning(
            "onnx.external-missing",
            formatted("the external file {} is not beside the model; its weights cannot be shown", shown(location)));
        return "external file missing";
    }
    if (!S_ISREG(status.st_mode))
        return refuse("it is not a regular file");
    if (status.st_nlink > 1)
        return refuse("it is a hard link to another file");
    m_model.files.push_back({path, nullptr});
    return OpenFile{{static_cast<std::uint32_t>(m_model.files.size() - 1)}, static_cast<std::uint64_t>(status.st_size)};
}

ir::StorageId ExternalData::add(ir::Storage storage)
{
    m_model.storages.push_back(std::move(storage));
    return {static_cast<std::uint32_t>(m_model.storages.size() - 1)};
}

} // namespace cutaway::formats::onnx
