// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/manifest.h"

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/ir/json/json_reader.h"
#include "core/protocol/methods.h"

#include <algorithm>

namespace cutaway::plugin {

namespace {

using ir::JsonReader;
using protocol::Json;

/// Whether a plugin or pass may have this name, which appears in messages, on the command line and in pipelines.
bool isName(std::string_view name)
{
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
    return !name.empty() && name.size() <= 64 && name.front() != '.' && std::ranges::all_of(name, fits);
}

std::string name(JsonReader &reader, const Json &json)
{
    std::string name = reader.text(json, "name");
    if (!reader.failed() && !isName(name))
        reader.failWith(formatted("the name '{}' is not of letters, digits, '-', '_' and '.'", name.substr(0, 80)));
    return name;
}

std::vector<std::string> texts(JsonReader &reader, const Json &json, const char *key)
{
    std::vector<std::string> list;
    reader.items(json, key, [&](const Json &item) { list.push_back(reader.text(item)); });
    return list;
}

passes::OptionValue optionValue(JsonReader &reader, const Json &json)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return reader.integer(json);
    if (json.is_number())
        return json.get<double>();
    return reader.text(json);
}

PassOption readOption(JsonReader &reader, const Json &json)
{
    PassOption option{name(reader, json), reader.text(json, "description"), {}, texts(reader, json, "choices")};
    if (json.is_object() && !json.contains("default"))
        reader.failWith("the option '" + option.name + "' has no 'default'");
    reader.member(json, "default", [&](const Json &value) { option.defaultValue = optionValue(reader, value); });
    return option;
}

PassOffer readPass(JsonReader &reader, const Json &json)
{
    PassOffer pass{name(reader, json), reader.text(json, "description"), {}, reader.text(json, "format")};
    reader.items(json, "options", [&](const Json &option) { pass.options.push_back(readOption(reader, option)); });
    return pass;
}

ImporterOffer readImporter(JsonReader &reader, const Json &json)
{
    ImporterOffer importer{reader.text(json, "description"), texts(reader, json, "suffixes")};
    for (const std::string &suffix : importer.suffixes)
        if (suffix.size() < 2 || suffix.front() != '.')
            reader.failWith("a suffix is '" + suffix + "' where one as '.txt' is expected");
    return importer;
}

Limits readLimits(JsonReader &reader, const Json &json)
{
    Limits limits;
    reader.member(json, "memory_bytes", [&](const Json &bytes) { limits.memory = reader.natural(bytes); });
    reader.member(json, "processor_seconds", [&](const Json &seconds) {
        limits.processorTime = std::chrono::seconds(std::max<std::int64_t>(reader.integer(seconds), 1));
    });
    return limits;
}

} // namespace

std::optional<std::chrono::milliseconds> readAnswerLimit(JsonReader &reader, const Json &json)
{
    std::optional<std::chrono::milliseconds> limit;
    reader.member(json, "answer_seconds", [&](const Json &seconds) {
        constexpr std::int64_t year = 365 * 24 * 3600;
        limit = std::chrono::seconds(std::clamp<std::int64_t>(reader.integer(seconds), 1, year));
    });
    return limit;
}

namespace {

void checkProtocol(JsonReader &reader, const Json &json)
{
    const auto spoken = reader.integer(json, "protocol");
    if (!reader.failed() && spoken != protocol::version)
        reader.failWith(
            spoken ? formatted("it speaks protocol {}, this Cutaway speaks {}: install the plugin's version for "
                               "this Cutaway",
                               *spoken, protocol::version)
                   : "the member 'protocol' is missing");
}

Manifest read(JsonReader &reader, const Json &json)
{
    Manifest manifest;
    checkProtocol(reader, json);
    manifest.name = name(reader, json);
    manifest.version = reader.text(json, "version");
    manifest.description = reader.text(json, "description");
    manifest.command = texts(reader, json, "command");
    if (manifest.command.empty())
        reader.failWith("the member 'command' is missing");
    reader.member(json, "provides", [&](const Json &provides) {
        manifest.asksForPasses = provides.is_object() && provides.value("passes", Json()) == "ask";
        if (!manifest.asksForPasses)
            reader.items(provides, "passes",
                         [&](const Json &pass) { manifest.passes.push_back(readPass(reader, pass)); });
        reader.items(provides, "importers",
                     [&](const Json &importer) { manifest.importers.push_back(readImporter(reader, importer)); });
        reader.member(provides, "backend", [&](const Json &backend) {
            manifest.backend =
                BackendOffer{reader.text(backend, "description"), texts(reader, backend, "runs"),
                             texts(reader, backend, "engines"), reader.boolean(backend, "values", false)};
            if (manifest.backend->runs.empty())
                reader.failWith("the member 'runs' of the backend is missing");
        });
    });
    reader.member(json, "limits", [&](const Json &limits) {
        manifest.limits = readLimits(reader, limits);
        manifest.answerLimit = readAnswerLimit(reader, limits);
    });
    if (!manifest.limits.memory && !manifest.backend)
        manifest.limits.memory = defaultMemoryLimit;
    reader.member(json, "settings", [&](const Json &settings) {
        if (!settings.is_object())
            return reader.fail(settings, "an object");
        manifest.settings = settings;
    });
    return manifest;
}

} // namespace

Result<std::vector<PassOffer>> readPasses(const Json &passes)
{
    JsonReader reader;
    std::vector<PassOffer> offers;
    reader.items(passes, [&](const Json &pass) { offers.push_back(readPass(reader, pass)); });
    return reader.failed() ? std::unexpected(*reader.error()) : Result<std::vector<PassOffer>>(std::move(offers));
}

Result<Manifest> readManifest(const std::filesystem::path &folder)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(folder / manifestName));
    const auto bytes = file.bytes();
    const Json json =
        Json::parse(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), nullptr, false);
    if (json.is_discarded())
        return unreadable("the file is not JSON");
    JsonReader reader;
    Manifest manifest = read(reader, json);
    if (reader.failed())
        return std::unexpected(*reader.error());
    manifest.folder = folder;
    return manifest;
}

} // namespace cutaway::plugin
