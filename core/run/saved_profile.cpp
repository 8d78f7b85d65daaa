// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/saved_profile.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/json/json_reader.h"

#include <limits>

namespace cutaway::run {

namespace {

using ir::Json;
using ir::JsonReader;
using protocol::Profile;
using protocol::Spread;

constexpr std::string_view schema = "cutaway.profile/1";
constexpr double millisecond = 1e-3;

double readMilliseconds(JsonReader &reader, const Json &json, const char *key)
{
    const double time = protocol::readNumber(reader, json, key);
    if (!(time >= 0))
        reader.failWith(std::string("'") + key + "' is not a time");
    return time * millisecond;
}

Spread readSpread(JsonReader &reader, const Json &json, const char *key)
{
    Spread spread;
    reader.member(json, key, [&](const Json &member) {
        spread = {readMilliseconds(reader, member, "median"), readMilliseconds(reader, member, "p5"),
                  readMilliseconds(reader, member, "p95"), reader.natural(member, "count")};
    });
    return spread;
}

SavedPart readPart(JsonReader &reader, const Json &json)
{
    const auto id = reader.index(json, "id", std::numeric_limits<std::uint32_t>::max(), "nodes");
    return {ir::NodeId{id}, reader.text(json, "name"), reader.text(json, "op")};
}

/// Reads a number of bytes; null means unknown.
std::uint64_t readBytes(JsonReader &reader, const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? 0 : reader.natural(json, key);
}

SavedTime readTime(JsonReader &reader, const Json &json)
{
    SavedTime time{{},
                   {reader.text(json, "backend_name"), reader.text(json, "backend_op"),
                    reader.natural(json, "backend_index"), reader.text(json, "provider"),
                    readMilliseconds(reader, json, "start_ms"), readSpread(reader, json, "ms"),
                    readBytes(reader, json, "memory_bytes")}};
    reader.items(json, "parts", [&](const Json &part) { time.parts.push_back(readPart(reader, part)); });
    return time;
}

std::optional<ModelFile> readFile(JsonReader &reader, const Json &model)
{
    if (!model.is_object() || !model.contains("file"))
        return std::nullopt;
    return ModelFile{reader.text(model, "file"), reader.natural(model, "bytes"), reader.text(model, "sha256_of_ends")};
}

InputSize readInput(JsonReader &reader, const Json &json)
{
    InputSize input{reader.text(json, "name"), ir::DType::Float32, {}};
    const std::string dtype = reader.text(json, "dtype");
    if (const auto known = ir::dtypeFromName(dtype))
        input.dtype = *known;
    else
        reader.failWith("'" + dtype + "' is not a dtype");
    reader.items(json, "shape", [&](const Json &size) { input.shape.push_back(reader.integer(size)); });
    return input;
}

SavedProfile read(JsonReader &reader, const Json &json)
{
    SavedProfile saved;
    reader.member(json, "model", [&](const Json &model) {
        saved.format = reader.text(model, "format");
        saved.function = reader.text(model, "function");
        saved.timing.file = readFile(reader, model);
    });
    saved.timing.whole = readSpread(reader, json, "whole_ms");
    saved.timing.instrumented = readSpread(reader, json, "instrumented_ms");
    saved.timing.inNodes = readSpread(reader, json, "in_nodes_ms");
    saved.timing.between = readSpread(reader, json, "between_ms");
    saved.timing.peakActivation = readBytes(reader, json, "measured_peak_activation_bytes");
    saved.timing.peakBytes = readBytes(reader, json, "process_peak_bytes");
    reader.member(json, "machine",
                  [&](const Json &machine) { saved.timing.conditions = protocol::readConditions(reader, machine); });
    reader.items(json, "inputs", [&](const Json &input) { saved.timing.inputs.push_back(readInput(reader, input)); });
    reader.items(json, "nodes", [&](const Json &node) { saved.nodes.push_back(readTime(reader, node)); });
    return saved;
}

std::string schemaOf(const Json &json)
{
    const auto found = json.is_object() ? json.find("schema") : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

std::optional<double> SavedProfile::sum() const
{
    if (timing.inNodes.count > 0)
        return timing.inNodes.median;
    if (nodes.empty())
        return std::nullopt;
    double seconds = 0;
    for (const SavedTime &each : nodes)
        seconds += each.measured.time.median;
    return seconds;
}

Result<SavedProfile> parseProfile(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return unreadable("the profile is not JSON, or cut short");
    if (const std::string found = schemaOf(json); found != schema)
        return unreadable(found.empty() ? "the file is not a profile: it has no schema"
                                        : "the file is of schema '" + sanitized(found.substr(0, 80)) + "', expected '"
                                  + std::string(schema) + "'");
    JsonReader reader;
    SavedProfile saved = read(reader, json);
    if (reader.failed())
        return std::unexpected(*reader.error());
    return saved;
}

Result<SavedProfile> readProfile(const std::filesystem::path &path)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto bytes = file.bytes();
    return parseProfile({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

} // namespace cutaway::run
