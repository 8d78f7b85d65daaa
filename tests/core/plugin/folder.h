// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace cutaway::plugin {

/// A folder of the test's own, gone with it.
class Folder : public testing::Test {
protected:
    std::filesystem::path path(const std::string &name = {}) const
    {
        return name.empty() ? m_folder.path() : m_folder.path() / name;
    }
    void write(const std::string &name, std::string_view content) const
    {
        std::filesystem::create_directories(path(name).parent_path());
        std::ofstream(path(name), std::ios::binary) << content;
    }

private:
    TemporaryFolder m_folder = TemporaryFolder::make().value();
};

} // namespace cutaway::plugin
