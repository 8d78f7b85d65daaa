// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/base/temporary_folder.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace cutaway::test {

/// Tests that run cutaway-cli in a folder of their own, which has small.onnx in it.
class Program : public testing::Test {
protected:
    Program();

    /// cutaway-cli with these arguments. A crash fails the test.
    ProcessOutput run(std::vector<std::string> arguments);
    /// A shell command in which "$CLI" is cutaway-cli.
    ProcessOutput shell(const std::string &command);

    std::string path(const std::string &name) const { return (m_folder.path() / name).string(); }
    void write(const std::string &name, const std::string &content);
    std::vector<std::string> files() const; ///< names in the folder, sorted

private:
    ProcessOutput start(const std::vector<std::string> &command);

    TemporaryFolder m_folder = TemporaryFolder::make().value();
};

} // namespace cutaway::test
