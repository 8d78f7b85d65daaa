// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `git diff` compares what the program `textconv` prints for each side: here, a line per node. Git gives up on the
// whole diff if that program fails, so for a file that is not a model it prints a checksum. `git difftool` calls `diff`
// on both files.
#include "app/cli/commands.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace cutaway::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds gitPatience{60};
constexpr int maxLinks = 40; ///< how many links Linux follows
constexpr std::array<std::string_view, 4> modelPatterns{"*.onnx", "*.pt2", "*.pt", "*.ptl"};

struct GitSetupOptions {
    bool isGlobal = false;
    bool isDryRun = false;
};

bool isOnPath(const std::string &name, const fs::path &program)
{
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    std::error_code error;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(fs::path(folder) / name, error))
            return fs::equivalent(fs::path(folder) / name, program, error);
    return false;
}

/// Returns how a shell starts this program: by its name if PATH leads to it, else by its path.
std::string thisProgram()
{
    const fs::path called = program_invocation_name;
    if (!called.has_parent_path() || isOnPath(called.filename(), called))
        return called.filename();
    return quotedForShell(fs::absolute(called).lexically_normal().string());
}

/// Returns the first line that git prints; nothing if it fails. Errors (Backend): git cannot be started.
Result<std::optional<std::string>> git(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "git");
    CUTAWAY_TRY(auto output, runProcess(arguments, "", gitPatience));
    if (output.exitCode != 0)
        return std::optional<std::string>();
    std::string &text = output.standardOutput;
    return text.substr(0, text.find('\n'));
}

struct Setting {
    std::string key, value;
};

std::vector<Setting> gitSettings()
{
    const std::string program = thisProgram();
    return {{"diff.cutaway.textconv",
             "f() { " + program
                 + " print \"$1\" 2>/dev/null || { echo 'not a model that Cutaway reads'; cksum < \"$1\"; }; }; f"},
            {"difftool.cutaway.cmd", program + " diff \"$LOCAL\" \"$REMOTE\""}};
}

/// Makes one setting in git's configuration, unless it is there already, and returns a line that reports it.
Result<std::string> set(const Setting &setting, const GitSetupOptions &options)
{
    const std::string level = options.isGlobal ? "--global" : "--local";
    CUTAWAY_TRY(const auto present, git({"config", level, "--get", setting.key}));
    std::string call = "git config " + level + " " + setting.key + " " + quotedForShell(setting.value) + "\n";
    if (present == setting.value)
        return "already there: " + call;
    if (options.isDryRun)
        return call;
    CUTAWAY_TRY(const auto written, git({"config", level, setting.key, setting.value}));
    return written ? Result<std::string>(call) : backendError("git refuses to set '" + setting.key + "'");
}

/// Returns the attributes file of the repository or of the user, in which git reads which files are models.
Result<fs::path> attributesFile(const GitSetupOptions &options)
{
    CUTAWAY_TRY(const auto place,
                options.isGlobal ? git({"config", "--global", "--type=path", "--get", "core.attributesFile"})
                                 : git({"rev-parse", "--show-toplevel"}));
    if (!options.isGlobal)
        return place ? Result<fs::path>(fs::path(*place) / ".gitattributes")
                     : usageError("this folder is in no git repository with files; go to one, or use --global");
    if (place)
        return fs::path(*place);
    const char *settingsFolder = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
    if (settingsFolder && *settingsFolder)
        return fs::path(settingsFolder) / "git" / "attributes";
    return home ? Result<fs::path>(fs::path(home) / ".config" / "git" / "attributes")
                : usageError("HOME is not set, so git has no settings of the user");
}

std::string contentOf(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool hasLine(const std::string &content, const std::string &line)
{
    return ("\n" + content + "\n").contains("\n" + line + "\n");
}

/// Writes to the file that a link leads to, even if that does not exist yet, and keeps the link.
Result<void> writeThrough(fs::path path, const std::string &content)
{
    std::error_code error;
    for (int links = 0; links < maxLinks && fs::is_symlink(path, error); ++links)
        path = path.parent_path() / fs::read_symlink(path, error);
    fs::create_directories(path.parent_path(), error);
    return writeWholeFile(path, content);
}

Result<std::string> addAttributes(const GitSetupOptions &options)
{
    CUTAWAY_TRY(const auto path, attributesFile(options));
    std::string content = contentOf(path), report, added;
    for (const std::string_view pattern : modelPatterns) {
        const std::string line = std::string(pattern) + " diff=cutaway";
        const bool isThere = hasLine(content, line);
        report += (isThere ? "already there: " : "") + sanitized(path.string()) + ": " + line + "\n";
        added += isThere ? "" : line + "\n";
    }
    if (added.empty() || options.isDryRun)
        return report;
    if (!content.empty() && !content.ends_with('\n'))
        content += '\n';
    CUTAWAY_RETURN_IF_ERROR(writeThrough(path, content + added));
    return report;
}

Result<Answer> setUp(const GitSetupOptions &options)
{
    CUTAWAY_RETURN_IF_ERROR(attributesFile(options));
    std::string report = options.isDryRun ? "Nothing is written; without --dry-run this would be:\n" : "";
    for (const Setting &setting : gitSettings()) {
        CUTAWAY_TRY(const auto line, set(setting, options));
        report += line;
    }
    CUTAWAY_TRY(const auto attributes, addAttributes(options));
    return Answer(report + attributes);
}

} // namespace

Action declareGitSetup(CLI::App &command, std::string &)
{
    auto options = std::make_shared<GitSetupOptions>();
    command.add_flag("--global", options->isGlobal, "Set up all repositories of the user instead of this one");
    command.add_flag("--dry-run", options->isDryRun, "Show what would be written and write nothing");
    command.footer("Afterwards 'git diff' shows models as text, a line per node, and\n"
                   "'git difftool --tool=cutaway' compares them by structure. What is there already stays.\n\n"
                   "Examples:\n"
                   "  cutaway-cli git-setup --dry-run\n"
                   "  cutaway-cli git-setup --global\n"
                   "  git difftool --no-prompt --tool=cutaway HEAD~1 -- model.onnx");
    return [options] { return setUp(*options); };
}

} // namespace cutaway::cli
