// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stdexcept>
#include <stdlib.h>
#include <string>

namespace cutaway::tests {

/// A folder of its own, gone at the end of the scope.
class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "cutaway-test-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw std::runtime_error("no folder for the test");
        m_path = name;
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::permissions(m_path, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    std::filesystem::path operator/(const std::string &name) const { return m_path / name; }
    const std::filesystem::path &path() const { return m_path; }
    auto fileCount() const { return std::distance(std::filesystem::directory_iterator(m_path), {}); }

private:
    std::filesystem::path m_path;
};

} // namespace cutaway::tests
