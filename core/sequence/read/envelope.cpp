// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/envelope.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/sequence/limits.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace cutaway::sequence {

namespace {

using Json = nlohmann::json;

/// Keys of a record that are not the key of its kind.
constexpr std::array<std::string_view, 12> metadataKeys{"frame_id",  "frame_compile_id",
                                                        "attempt",   "compiled_autograd_id",
                                                        "rank",      "stack",
                                                        "process",   "has_payload",
                                                        "pathname",  "lineno",
                                                        "timestamp", "thread"};

std::optional<std::int64_t> integer(const Json &object, const char *key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

std::optional<int> smallInteger(const Json &object, const char *key)
{
    const auto number = integer(object, key);
    return number && *number >= 0 && *number <= std::numeric_limits<int>::max()
        ? std::optional(static_cast<int>(*number))
        : std::nullopt;
}

std::string text(const Json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string numberOr(std::optional<std::int64_t> number, std::string_view absent)
{
    return number ? formatted("{}", *number) : std::string(absent);
}

void readCompileId(const Json &json, Envelope &record)
{
    const auto frame = integer(json, "frame_id"), autograd = integer(json, "compiled_autograd_id");
    if (!frame && !autograd)
        return;
    record.frame = numberOr(frame, "-") + "/" + numberOr(integer(json, "frame_compile_id"), "-");
    if (autograd)
        record.frame = formatted("!{}/{}", *autograd, record.frame);
    record.attempt = smallInteger(json, "attempt").value_or(0);
    record.compileId = record.attempt > 0 ? formatted("{}_{}", record.frame, record.attempt) : record.frame;
}

std::optional<std::uint64_t> lineNumber(const Json &object, const char *key)
{
    const auto number = integer(object, key);
    return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

/// Returns the position of a frame of a stack whose file names are interned.
CodePlace placeOf(const Json &frame, const std::map<std::uint64_t, std::string> &interned)
{
    CodePlace place{text(frame, "name"), text(frame, "filename"), lineNumber(frame, "line")};
    if (const auto number = lineNumber(frame, "filename"))
        if (const auto name = interned.find(*number); name != interned.end())
            place.file = name->second;
    return place;
}

std::optional<CodePlace> innermostFrame(const Json &start, const std::map<std::uint64_t, std::string> &interned)
{
    const auto stack = start.find("stack");
    if (stack == start.end() || !stack->is_array() || stack->empty() || !stack->back().is_object())
        return std::nullopt;
    return placeOf(stack->back(), interned);
}

/// Returns the innermost frame that is not in torch's own modules: these call each other below the user's line.
std::optional<CodePlace> innermostOwnFrame(const Json &body, const std::map<std::uint64_t, std::string> &interned)
{
    const auto stack = body.find("user_stack");
    if (stack == body.end() || !stack->is_array())
        return std::nullopt;
    std::optional<CodePlace> innermost;
    for (const Json &frame : *stack)
        if (frame.is_object())
            if (CodePlace place = placeOf(frame, interned); !innermost || !place.file.contains("/torch/"))
                innermost = std::move(place);
    return innermost;
}

RecordedStep recordedStep(const Json &body)
{
    RecordedStep step{.name = text(body, "name"), .file = text(body, "path")};
    if (const auto seconds = body.find("seconds"); seconds != body.end() && seconds->is_number())
        step.seconds = std::max(seconds->get<double>(), 0.0);
    if (std::string source = text(body, "source"); !source.empty())
        step.notes.push_back(std::move(source));
    if (const auto notes = body.find("notes"); notes != body.end() && notes->is_array())
        for (const Json &note : *notes)
            if (note.is_string())
                step.notes.push_back(note.get<std::string>());
    const auto unchanged = body.find("unchanged");
    step.isUnchanged = unchanged != body.end() && unchanged->is_boolean() && unchanged->get<bool>();
    return step;
}

/// Returns the times of a compilation. Older versions of torch write the first ones only in seconds.
std::vector<Phase> phasesOf(const Json &metrics)
{
    struct Key {
        const char *name, *microseconds, *seconds;
    };
    constexpr std::array<Key, 10> keys{{
        {"frame", "dynamo_cumulative_compile_time_us", "entire_frame_compile_time_s"},
        {"attempts given up", "dynamo_compile_time_before_restart_us", "dynamo_time_before_restart_s"},
        {"backend", "aot_autograd_cumulative_compile_time_us", "backend_compile_time_s"},
        {"inductor", "inductor_cumulative_compile_time_us", "inductor_compile_time_s"},
        {"pre-grad passes", "pre_grad_pass_time_us", nullptr},
        {"joint passes", "joint_graph_pass_time_us", nullptr},
        {"post-grad passes", "post_grad_pass_time_us", nullptr},
        {"code generation", "inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s"},
        {"triton", "triton_compile_time_us", nullptr},
        {"autotuning", "compile_time_autotune_time_us", nullptr},
    }};
    const auto number = [&](const char *key) {
        const auto found = key ? metrics.find(key) : metrics.end();
        return found != metrics.end() && found->is_number() ? std::max(found->get<double>(), 0.0) : 0.0;
    };
    std::vector<Phase> phases;
    for (const Key &key : keys) {
        const double microseconds = number(key.microseconds);
        if (const double seconds = microseconds > 0 ? microseconds * 1e-6 : number(key.seconds); seconds > 0)
            phases.push_back({key.name, seconds});
    }
    return phases;
}

/// Reads the record that creates or fixes a symbol.
SizeSymbol symbolIn(const Json &body, const std::map<std::uint64_t, std::string> &interned)
{
    SizeSymbol symbol{.name = text(body, "symbol"),
                      .source = text(body, "source"),
                      .example = text(body, "val"),
                      .range = text(body, "vr"),
                      .fixedTo = {},
                      .reason = text(body, "reason"),
                      .file = {},
                      .line = {}};
    if (const auto sources = body.find("sources");
        sources != body.end() && sources->is_array() && !sources->empty() && sources->front().is_string())
        symbol.source = sources->front().get<std::string>();
    if (std::string value = text(body, "value"); !value.empty())
        symbol.fixedTo = std::move(value);
    if (auto place = innermostOwnFrame(body, interned)) {
        symbol.file = std::move(place->file);
        symbol.line = place->line;
    }
    return symbol;
}

using Interned = std::map<std::uint64_t, std::string>;

void readName(const Json &body, const Interned &, Envelope &record) { record.name = text(body, "name"); }

void readStep(const Json &body, const Interned &, Envelope &record) { record.step = recordedStep(body); }

void readRecording(const Json &body, const Interned &, Envelope &record)
{
    record.recordingVersion = integer(body, "version").value_or(0);
}

void readStart(const Json &body, const Interned &interned, Envelope &record)
{
    record.code = innermostFrame(body, interned);
}

void readSymbol(const Json &body, const Interned &interned, Envelope &record)
{
    record.symbol = symbolIn(body, interned);
}

void readPhases(const Json &body, const Interned &, Envelope &record) { record.phases = phasesOf(body); }

void readMetrics(const Json &body, const Interned &interned, Envelope &record)
{
    readPhases(body, interned, record);
    if (std::string function = text(body, "co_name"); !function.empty())
        record.code = CodePlace{std::move(function), text(body, "co_filename"), lineNumber(body, "co_firstlineno")};
    record.hasFailed = !text(body, "fail_type").empty();
}

/// Reads the object of a record of one kind.
using BodyReader = void (*)(const Json &body, const Interned &interned, Envelope &record);
constexpr std::array<std::pair<std::string_view, BodyReader>, 10> bodyReaders{
    {{"artifact", readName},
     {"graph_dump", readName},
     {"cutaway_step", readStep},
     {"cutaway_file", readStep},
     {"cutaway_recording", readRecording},
     {"dynamo_start", readStart},
     {"create_symbol", readSymbol},
     {"symbolic_shape_specialization", readSymbol},
     {"compilation_metrics", readMetrics},
     {"bwd_compilation_metrics", readPhases}}};

void readBody(const Json &body, const Interned &interned, Envelope &record)
{
    if (record.kind == "str" && body.is_array() && body.size() == 2 && body[0].is_string()
        && body[1].is_number_unsigned())
        record.interned = {body[1].get<std::uint64_t>(), body[0].get<std::string>()};
    const auto reader = std::ranges::find(bodyReaders, record.kind, &std::pair<std::string_view, BodyReader>::first);
    if (body.is_object() && reader != bodyReaders.end())
        reader->second(body, interned, record);
}

} // namespace

std::string_view firstKey(std::string_view json)
{
    constexpr std::string_view start = "{\"";
    if (!json.starts_with(start))
        return {};
    json.remove_prefix(start.size());
    const std::size_t end = json.find('"');
    return end == std::string_view::npos ? std::string_view() : json.substr(0, end);
}

Result<Envelope> parseEnvelope(std::string_view json, const std::map<std::uint64_t, std::string> &interned)
{
    if (json.size() > limits::maxEnvelope)
        return unreadable(formatted("the record has {} of JSON; at most {} are read", byteCount(double(json.size())),
                                    byteCount(double(limits::maxEnvelope))));
    const Json parsed = Json::parse(json, nullptr, false);
    if (!parsed.is_object())
        return unreadable("expected an object of JSON after the prefix of the line");
    Envelope record;
    for (const auto &[key, value] : parsed.items())
        if (record.kind.empty() && !std::ranges::contains(metadataKeys, std::string_view(key)))
            record.kind = record.name = key;
    if (record.kind.empty())
        return unreadable("expected a key that names the kind of the record");
    readCompileId(parsed, record);
    record.rank = smallInteger(parsed, "rank");
    if (parsed.contains("has_payload"))
        record.payloadMd5 = text(parsed, "has_payload");
    readBody(parsed[record.kind], interned, record);
    return record;
}

std::string listedTexts(std::string_view payload)
{
    const Json parsed = Json::parse(payload, nullptr, false);
    if (!parsed.is_array() || !std::ranges::all_of(parsed, [](const Json &item) { return item.is_string(); }))
        return std::string(payload);
    std::vector<std::string> texts;
    for (const Json &item : parsed)
        texts.push_back(item.get<std::string>());
    return joined(texts, ", ");
}

} // namespace cutaway::sequence
