// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace cutaway::plugin {

/// A folder of the test's own, gone with it.
class Folder : public testing::Test {
protected:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "cutaway-plugin-XXXXXX").string();
        if (!::mkdtemp(name.data()))
            throw std::runtime_error("no folder for the test");
        m_folder = name;
    }
    ~Folder() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path path(const std::string &name = {}) const { return name.empty() ? m_folder : m_folder / name; }
    void write(const std::string &name, std::string_view content) const
    {
        std::filesystem::create_directories(path(name).parent_path());
        std::ofstream(path(name), std::ios::binary) << content;
    }

private:
    std::filesystem::path m_folder;
};

} // namespace cutaway::plugin
