// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <utility>

namespace cutaway {

/// A folder for temporary files, which the destructor removes.
class TemporaryFolder {
public:
    /// Makes a new folder. Errors (Backend): the folder cannot be created.
    static Result<TemporaryFolder> make();
    /// Takes over a folder that another program has made, so that the destructor removes it.
    static TemporaryFolder adopt(std::filesystem::path path) { return TemporaryFolder(std::move(path)); }
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder &&other) noexcept : m_path(std::exchange(other.m_path, {})) { }
    TemporaryFolder &operator=(TemporaryFolder &&) = delete;

    const std::filesystem::path &path() const { return m_path; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : m_path(std::move(path)) { }
    std::filesystem::path m_path; ///< empty after a move
};

} // namespace cutaway
