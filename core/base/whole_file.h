// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace cutaway {

class OutputFile;

/// A file that is first written as a part, under another name beside its final path, and moved there when it is
/// complete. Until then, an older file at the final path stays unchanged. The destructor removes the part if it was not
/// moved. Move-only.
class PartFile {
public:
    explicit PartFile(std::filesystem::path place);
    PartFile(PartFile &&other) noexcept;
    PartFile &operator=(PartFile &&) = delete;
    ~PartFile();

    const std::filesystem::path &path() const { return m_path; } ///< the path of the part, while it is being written
    const std::filesystem::path &place() const { return m_place; }
    /// Writes the part. Errors: those of `write` and of the disk, which name the final path.
    Result<void> fill(const std::function<Result<void>(OutputFile &file)> &write) const;
    /// Moves the part to the final path, where it replaces an existing file. Errors (Backend): it cannot be replaced.
    Result<void> takePlace();

private:
    std::filesystem::path m_place, m_path; ///< m_path is empty when nothing is to be removed
};

/// Creates a file atomically: `write` writes a temporary file beside `path`, which then replaces `path`. Errors:
/// those of `write`, which name `path`; Backend if the file cannot be replaced.
Result<void> makeWholeFile(const std::filesystem::path &path,
                           const std::function<Result<void>(const std::filesystem::path &part)> &write);

/// Writes `content` atomically. Errors (Backend): it cannot be written.
Result<void> writeWholeFile(const std::filesystem::path &path, std::string_view content);

} // namespace cutaway
