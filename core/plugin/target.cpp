// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/target.h"

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/near_names.h"
#include "core/base/shell.h"
#include "core/ir/json/json_reader.h"
#include "core/plugin/interpreter.h"
#include "core/plugin/sandbox.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;
using protocol::Json;

fs::path absoluteVariable(const char *name)
{
    const char *value = std::getenv(name);
    return value && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
}

std::string replaced(std::string word, std::string_view what, std::string_view by)
{
    for (std::size_t at = 0; (at = word.find(what, at)) != std::string::npos; at += by.size())
        word.replace(at, what.size(), by);
    return word;
}

bool isLaunchedBy(const Target &target, std::string_view program)
{
    return !target.isHere() && fs::path(target.launcher.front()).filename() == program;
}

std::vector<std::string> launchedElsewhere(const Target &target, std::vector<std::string> command)
{
    std::vector<std::string> words = target.launcher;
    if (isLaunchedBy(target, "srun"))
        words.insert(words.begin() + 1, "--unbuffered"); // srun must not wait for line ends, which messages do not have
    if (isLaunchedBy(target, "ssh")) {
        words.insert(words.begin() + 1, {"-o", "BatchMode=yes"}); // ssh must never ask for a password
        // ssh joins a command's words, and the shell there splits them again.
        std::ranges::transform(command, command.begin(), quotedForShell);
    }
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

Target readTarget(ir::JsonReader &reader, const Json &json)
{
    Target target;
    target.name = reader.text(json, "name");
    reader.items(json, "launcher", [&](const Json &word) { target.launcher.push_back(reader.text(word)); });
    target.folder = reader.text(json, "plugins");
    reader.items(json, "readable", [&](const Json &path) { target.readable.emplace_back(reader.text(path)); });
    target.python = reader.text(json, "python");
    target.wantsSandbox = reader.boolean(json, "sandbox", true);
    target.answerLimit = readAnswerLimit(reader, json);
    if (!reader.failed() && target.name.empty())
        reader.failWith("a target has no name");
    if (!reader.failed() && target.isHere() != (target.name == Target().name))
        reader.failWith(formatted("the target '{}' {} a launcher", target.name, target.isHere() ? "needs" : "has"));
    return target;
}

} // namespace

fs::path targetsFile()
{
    if (const fs::path config = absoluteVariable("XDG_CONFIG_HOME"); !config.empty())
        return config / "cutaway/targets.json";
    const fs::path home = absoluteVariable("HOME");
    return home.empty() ? home : home / ".config/cutaway/targets.json";
}

Result<std::vector<Target>> readTargets(const fs::path &file)
{
    std::vector<Target> targets{Target()};
    std::error_code error;
    if (file.empty() || !fs::exists(file, error))
        return targets;
    const auto mapped = MappedFile::open(file);
    if (!mapped)
        return std::unexpected(Error{mapped.error().kind, mapped.error().text(), file.string()});
    const auto bytes = mapped->bytes();
    const Json json =
        Json::parse(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), nullptr, false);
    if (json.is_discarded())
        return unreadable("the targets are no JSON", file.string());
    ir::JsonReader reader;
    reader.items(json, "targets", [&](const Json &item) {
        Target target = readTarget(reader, item);
        if (target.isHere())
            targets.front() = std::move(target);
        else
            targets.push_back(std::move(target));
    });
    if (reader.failed())
        return unreadable(reader.error()->text(), file.string());
    return targets;
}

Result<Target> findTarget(std::string_view name, const std::vector<Target> &targets)
{
    const auto found = std::ranges::find(targets, name, &Target::name);
    if (found != targets.end())
        return *found;
    std::vector<std::string_view> names;
    for (const Target &target : targets)
        names.push_back(target.name);
    return std::unexpected(
        Error{ErrorKind::Usage, formatted("unknown target '{}'; known: {}", name, nearNames(name, names)), {}});
}

std::optional<std::string> whyNoSandbox(const Target &target)
{
    if (!target.isHere())
        return std::nullopt;
    return target.wantsSandbox ? sandboxFault() : "targets.json wants none";
}

namespace {

/// Returns the Python on a target. Environments are known only for this machine.
std::string pythonOn(const Target &target)
{
    if (target.isHere())
        return interpreter(target.python);
    return target.python.empty() ? "python3" : target.python.string();
}

} // namespace

std::vector<std::string> ownCommand(const Manifest &plugin, const Target &target)
{
    const fs::path folder = target.folder.empty() ? plugin.folder : target.folder / plugin.folder.filename();
    std::vector<std::string> command;
    for (const std::string &word : plugin.command)
        command.push_back(word == pythonWord ? pythonOn(target) : replaced(word, folderWord, folder.string()));
    return command;
}

std::vector<std::string> launchCommand(const Manifest &plugin, const Target &target,
                                       const std::vector<fs::path> &readable)
{
    std::vector<std::string> command = ownCommand(plugin, target);
    if (!target.isHere())
        return launchedElsewhere(target, std::move(command));
    if (whyNoSandbox(target))
        return command;
    Sandbox sandbox{target.readable, plugin.folder, plugin.backend.has_value()};
    sandbox.readable.push_back(plugin.folder);
    sandbox.readable.insert(sandbox.readable.end(), readable.begin(), readable.end());
    if (plugin.command.front() == pythonWord)
        std::ranges::copy(foldersOf(command.front()), std::back_inserter(sandbox.readable));
    return sandboxed(std::move(command), sandbox);
}

} // namespace cutaway::plugin
