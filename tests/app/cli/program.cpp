// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "small_onnx.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace cutaway::test {

/// A machine may have much else to do; less than what a test may take as a whole.
constexpr std::chrono::seconds patience{110};

Program::Program()
{
    std::string name = (std::filesystem::temp_directory_path() / "cutaway-cli-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error("no folder for the test");
    m_folder = name;
    write("small.onnx", smallOnnx());
}

Program::~Program()
{
    std::error_code error; // of what a process that is ending removes itself
    for (int i = 0; i < 100 && std::filesystem::exists(m_folder, error); ++i) {
        std::filesystem::remove_all(m_folder, error);
        if (error)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

ProcessOutput Program::run(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), CUTAWAY_CLI);
    return start(arguments);
}

ProcessOutput Program::shell(const std::string &command)
{
    return start({"bash", "-o", "pipefail", "-c", "CLI='" CUTAWAY_CLI "'; cd '" + m_folder.string() + "'; " + command});
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
    std::ofstream(m_folder / name, std::ios::binary) << content;
}

std::vector<std::string> Program::files() const
{
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(m_folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

} // namespace cutaway::test
