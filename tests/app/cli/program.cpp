// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "small_onnx.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace cutaway::test {

namespace {

/// A machine may have much else to do; less than what a test may take as a whole.
constexpr std::chrono::seconds patience{110};

/// Returns the program that is tested, or one that runs it, such as an emulator of another processor.
std::string programPath()
{
    const char *given = std::getenv("CUTAWAY_CLI");
    return given ? given : CUTAWAY_CLI;
}

} // namespace

Program::Program() { write("small.onnx", smallOnnx()); }

ProcessOutput Program::run(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), programPath());
    return start(arguments);
}

ProcessOutput Program::shell(const std::string &command)
{
    const std::string folder = m_folder.path().string();
    return start({"bash", "-o", "pipefail", "-c", "CLI='" + programPath() + "'; cd '" + folder + "'; " + command});
}

ProcessOutput Program::start(const std::vector<std::string> &command)
{
    const Result<ProcessOutput> output = runProcess(command, "", patience);
    if (!output) {
        ADD_FAILURE() << output.error().text();
        return {};
    }
    EXPECT_FALSE(output->timedOut);
    return *output;
}

void Program::write(const std::string &name, const std::string &content)
{
    std::ofstream(path(name), std::ios::binary) << content;
}

std::vector<std::string> Program::files() const
{
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(m_folder.path()))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

} // namespace cutaway::test
