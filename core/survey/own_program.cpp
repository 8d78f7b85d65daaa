// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/own_program.h"

#include "core/base/text.h"
#include "core/survey/last_line.h"

#include <chrono>
#include <filesystem>

namespace cutaway::survey {

std::string ownProgram()
{
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error || self.filename().string().starts_with("python"))
        return "cutaway-cli";
    // The archive for every Linux runs its own dynamic linker, lib/ld-linux-x86-64.so.2, from a script in the folder
    // above.
    if (self.filename().string().starts_with("ld-linux"))
        return self.parent_path().parent_path() / "cutaway-cli";
    return self;
}

Result<ProcessOutput> runOwnProgram(std::vector<std::string> arguments, const Request &request)
{
    arguments.insert(arguments.begin(), ownProgram());
    for (const std::string &binding : request.bindings)
        arguments.insert(arguments.end(), {"--bind", binding});
    for (const std::string &input : request.inputs)
        arguments.insert(arguments.end(), {"--input", input});
    return runProcess(arguments, {}, std::chrono::milliseconds(static_cast<std::int64_t>(request.limit * 1000)));
}

std::string reasonOf(const ProcessOutput &output, const std::string &path)
{
    std::string line = lastLine(output.standardError);
    if (line.empty())
        return lastLine(output.standardOutput);
    for (const std::string &prefix : {std::string("cutaway: "), sanitized(path) + ": "})
        if (line.starts_with(prefix))
            line.erase(0, prefix.size());
    return line;
}

std::string timeoutText(const Request &request)
{
    return "it took more than " + grouped(static_cast<long long>(request.limit)) + " seconds";
}

} // namespace cutaway::survey
