// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/plugin/found.h"
#include "core/plugin/session.h"
#include "core/print/text_table.h"

#include <CLI/CLI.hpp>
#include <optional>

namespace cutaway::cli {

namespace {

using plugin::Found;
using plugin::Manifest;
using plugin::Target;

struct PluginsOptions {
    bool json = false;
    bool check = false;
};

/// Whether a plugin could be started on a target, and if not, why.
struct Start {
    std::string plugin;
    std::string target;
    std::optional<std::string> fault;
};

std::vector<Start> startAll(const Found &found, const std::vector<Target> &targets)
{
    std::vector<Start> starts;
    for (const Target &target : targets)
        for (const Manifest &manifest : pluginsOn(target, found)) {
            plugin::Session session(manifest, target);
            const auto reply = session.call(protocol::Ping(), {}, {}, session.answerLimit(plugin::promptAnswer));
            starts.push_back({manifest.name, target.name, reply ? std::nullopt : std::optional(reply.error().text())});
        }
    return starts;
}

constexpr std::size_t maxNamed = 3; ///< a plugin with more passes is printed with their number alone

/// Returns what a plugin provides: "backend, pass toy/fold, importer of .toy"; "backend, 20 passes".
std::string provided(const Manifest &manifest)
{
    std::vector<std::string> parts;
    if (manifest.backend)
        parts.emplace_back("backend");
    if (manifest.passes.size() > maxNamed)
        parts.push_back(formatted("{} passes", manifest.passes.size()));
    else
        for (const plugin::PassOffer &pass : manifest.passes)
            parts.push_back("pass " + manifest.name + "/" + pass.name);
    for (const plugin::ImporterOffer &importer : manifest.importers)
        parts.push_back("importer of " + joined(importer.suffixes, " "));
    return joined(parts, ", ");
}

std::string placeText(const Target &target)
{
    if (!target.isHere())
        return joined(target.launcher, " ");
    const auto why = whyNoSandbox(target);
    return why ? "here, without a sandbox: " + *why : "here, in a sandbox";
}

std::string listText(const Found &found, const std::vector<Target> &targets, const std::vector<Start> &starts)
{
    print::TextTable plugins({{}, {}, {.maxWidth = 60}, {.maxWidth = 60}});
    plugins.addRow({"plugin", "version", "provides", "folder"});
    for (const Manifest &manifest : found.plugins)
        plugins.addRow({manifest.name, sanitized(manifest.version), sanitized(provided(manifest)),
                        sanitized(manifest.folder.string())});
    std::string text = found.plugins.empty() ? "No plugins found.\n" : plugins.print(0);
    print::TextTable places({{}, {.maxWidth = 100}});
    for (const Target &target : targets)
        places.addRow({sanitized(target.name), sanitized(placeText(target))});
    text += "\nTargets:\n" + places.print(2);
    if (!found.missing.empty())
        text += "\nNot to be used here:\n";
    for (const plugin::Missing &missing : found.missing)
        text += formatted("  {}: {}\n", sanitized(missing.path.string()), sanitized(missing.reason));
    if (!starts.empty())
        text += "\nStarted:\n";
    for (const Start &start : starts)
        text +=
            formatted("  {} on {}: {}\n", start.plugin, sanitized(start.target), start.fault.value_or("it answers"));
    text += "\nLooked for in:\n";
    for (const auto &folder : plugin::pluginFolders())
        text += "  " + sanitized(folder.string()) + "\n";
    return text;
}

void writeOption(JsonWriter &out, const plugin::PassOption &option)
{
    out.beginObject();
    out.member("name", option.name);
    out.member("description", option.description);
    std::visit([&](const auto &value) { out.member("default", value); }, option.defaultValue);
    out.endObject();
}

/// Writes an array as a member, with one object for each item.
void writeList(JsonWriter &out, std::string_view key, const auto &items, const auto &write)
{
    out.key(key);
    out.beginArray();
    for (const auto &item : items) {
        out.beginObject();
        write(item);
        out.endObject();
    }
    out.endArray();
}

void writePlugin(JsonWriter &out, const Manifest &manifest)
{
    out.member("name", manifest.name);
    out.member("version", manifest.version);
    out.member("description", manifest.description);
    out.member("folder", manifest.folder.string());
    out.member("backend", manifest.backend.has_value());
    writeList(out, "passes", manifest.passes, [&](const plugin::PassOffer &pass) {
        out.member("name", manifest.name + "/" + pass.name);
        out.member("description", pass.description);
        out.key("options");
        out.beginArray();
        for (const plugin::PassOption &option : pass.options)
            writeOption(out, option);
        out.endArray();
    });
    writeList(out, "importers", manifest.importers, [&](const plugin::ImporterOffer &importer) {
        out.member("description", importer.description);
        out.key("suffixes");
        out.beginArray();
        for (const std::string &suffix : importer.suffixes)
            out.value(suffix);
        out.endArray();
    });
}

void writeTextOrNull(JsonWriter &out, std::string_view key, const std::optional<std::string> &text)
{
    out.key(key);
    if (text)
        out.value(*text);
    else
        out.null();
}

std::string listJson(const Found &found, const std::vector<Target> &targets, const std::vector<Start> &starts)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.plugins/1");
    writeList(out, "plugins", found.plugins, [&](const Manifest &manifest) { writePlugin(out, manifest); });
    writeList(out, "targets", targets, [&](const Target &target) {
        out.member("name", target.name);
        out.member("sandbox", target.isHere() && !whyNoSandbox(target));
        writeTextOrNull(out, "why_no_sandbox", whyNoSandbox(target));
    });
    writeList(out, "missing", found.missing, [&](const plugin::Missing &missing) {
        out.member("path", missing.path.string());
        out.member("reason", missing.reason);
    });
    writeList(out, "starts", starts, [&](const Start &start) {
        out.member("plugin", start.plugin);
        out.member("target", start.target);
        writeTextOrNull(out, "fault", start.fault);
    });
    out.endObject();
    return out.take() + "\n";
}

Result<Answer> listPlugins(const PluginsOptions &options)
{
    CUTAWAY_TRY(const auto targets, plugin::readTargets());
    const Found found = plugin::findPlugins();
    const auto starts = options.check ? startAll(found, targets) : std::vector<Start>();
    const auto isLost = [&](const plugin::Missing &missing) {
        return !std::ranges::contains(found.plugins, missing.name, &Manifest::name);
    };
    const bool isNo = options.check
        && (std::ranges::any_of(found.missing, isLost)
            || std::ranges::any_of(starts, [](const Start &s) { return s.fault.has_value(); }));
    return Answer(options.json ? listJson(found, targets, starts) : listText(found, targets, starts), isNo);
}

} // namespace

Action declarePlugins(CLI::App &command, std::string &)
{
    auto options = std::make_shared<PluginsOptions>();
    command.add_flag("--json", options->json, "Write the list as JSON (schema cutaway.plugins/1)");
    command.add_flag("--check", options->check,
                     "Start each plugin on each target; exit code 1 if one does not start or cannot be used");
    command.get_formatter()->column_width(34);
    command.footer("Plugins are folders with a plugin.json; see docs/plugins.md for how to write one.\n\n"
                   "Examples:\n"
                   "  cutaway-cli plugins\n"
                   "  CUTAWAY_PLUGIN_PATH=~/my-plugins cutaway-cli plugins --check");
    return [options] { return listPlugins(*options); };
}

} // namespace cutaway::cli
