// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pipeline.h"

#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/base/near_names.h"
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/json/json_reader.h"
#include "core/ir/text/text_lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::passes {

namespace {

constexpr std::string_view schema = "cutaway.pipeline/1";

template <class Number>
std::optional<Number> parsed(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Parses a value of the option's type; nothing if the text is malformed.
std::optional<OptionValue> valueLike(const OptionValue &type, std::string_view text)
{
    const auto wrapped = [](const auto &value) { return value ? std::optional<OptionValue>(*value) : std::nullopt; };
    if (std::holds_alternative<bool>(type))
        return text == "true" || text == "false" ? std::optional<OptionValue>(text == "true") : std::nullopt;
    if (std::holds_alternative<std::int64_t>(type))
        return wrapped(parsed<std::int64_t>(text));
    if (std::holds_alternative<double>(type))
        return wrapped(parsed<double>(text));
    return OptionValue(std::string(text));
}

std::string_view typeName(const OptionValue &type)
{
    return std::visit(Overloaded{[](bool) { return "true or false"; }, [](std::int64_t) { return "a whole number"; },
                                 [](double) { return "a number"; }, [](const std::string &) { return "a word"; }},
                      type);
}

Result<void> set(Entry &entry, std::string_view name, std::string_view given)
{
    const auto option = std::ranges::find(entry.pass->options, name, &Option::name);
    if (option == entry.pass->options.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(entry.pass->options, std::back_inserter(names), &Option::name);
        return usageError(formatted("the pass '{}' has no option '{}'; {}", entry.pass->name, name,
                                    names.empty() ? "it has none" : "known: " + nearNames(name, names)));
    }
    const auto value = valueLike(option->defaultValue, given);
    if (!value)
        return usageError(formatted("the option '{}' of '{}' is {}, not '{}'", name, entry.pass->name,
                                    typeName(option->defaultValue), given));
    if (!option->choices.empty() && std::ranges::find(option->choices, given) == option->choices.end())
        return usageError(formatted("the option '{}' of '{}' is not '{}'; known: {}", name, entry.pass->name, given,
                                    nearNames(given, option->choices)));
    entry.settings.set(name, *value);
    return {};
}

using Others = std::span<const Pass *const>;

Result<Entry> entryOf(std::string_view name, Others others)
{
    CUTAWAY_TRY(const auto pass, findPass(name, others));
    return Entry{pass, Settings(pass->options)};
}

/// Returns the position after a quoted text, in which \" stands for a quote.
std::size_t quotedEnd(std::string_view text)
{
    for (std::size_t i = 1; i < text.size(); ++i)
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    return text.size();
}

/// Removes "option=value" from the front of a list and returns both; a value with blanks, commas or braces is in
/// quotes.
Result<std::pair<std::string_view, std::string>> takeOption(std::string_view &rest)
{
    const std::size_t equals = std::min(rest.find_first_of("= ,"), rest.size());
    const std::string_view name = rest.substr(0, equals);
    if (equals == rest.size() || rest[equals] != '=') {
        rest.remove_prefix(equals);
        return std::pair(name, std::string("true"));
    }
    rest.remove_prefix(equals + 1);
    const bool isQuoted = rest.starts_with('"');
    const std::size_t end = isQuoted ? quotedEnd(rest) : std::min(rest.find_first_of(" ,"), rest.size());
    const std::string_view value = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!isQuoted)
        return std::pair(name, std::string(value));
    ir::TextLexer lexer(value);
    std::string text = lexer.takeText();
    return lexer.failed() ? usageError(formatted("the option '{}': {}", name, lexer.error()->message))
                          : Result<std::pair<std::string_view, std::string>>(std::pair(name, std::move(text)));
}

/// Returns the entry with its options checked, and with the contents of the files that they name.
Result<Entry> prepared(Entry entry)
{
    if (!entry.pass->prepare)
        return entry;
    CUTAWAY_TRY(entry.settings, entry.pass->prepare(std::move(entry.settings)));
    return entry;
}

/// Parses "name" or "name{option=value option="a value"}".
Result<Entry> parseEntry(std::string_view word, Others others)
{
    const std::size_t brace = std::min(word.find('{'), word.size());
    auto entry = entryOf(word.substr(0, brace), others);
    if (!entry || brace == word.size())
        return entry ? prepared(std::move(*entry)) : entry;
    if (!word.ends_with('}'))
        return usageError(formatted("'{}' has no closing brace", word));
    for (std::string_view rest = word.substr(brace + 1, word.size() - brace - 2);;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(" ,"), rest.size()));
        if (rest.empty())
            break;
        CUTAWAY_TRY(const auto option, takeOption(rest));
        CUTAWAY_RETURN_IF_ERROR(set(*entry, option.first, option.second));
    }
    return prepared(std::move(*entry));
}

/// Returns the end of the first entry of a list: a comma outside braces and quotes.
std::size_t entryEnd(std::string_view list)
{
    int depth = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == '"') {
            i += quotedEnd(list.substr(i)) - 1;
            continue;
        }
        depth += list[i] == '{' ? 1 : list[i] == '}' ? -1 : 0;
        if (list[i] == ',' && depth == 0)
            return i;
    }
    return list.size();
}

// Names that stand for the passes of a pipeline.
constexpr std::string_view defaultName = "default";
constexpr std::string_view optimizeName = "optimize";
/// The option of passes that may use ONNX Runtime's own operators.
constexpr std::string_view contribOption = "contrib";

/// Returns the pipeline of a name; nothing if there is none.
std::optional<Pipeline> namedPipeline(std::string_view word)
{
    if (word == defaultName)
        return defaultPipeline();
    if (word == optimizeName || word == "optimize{contrib=false}")
        return optimizingPipeline(false);
    return word == "optimize{contrib=true}" || word == "optimize{contrib}" ? std::optional(optimizingPipeline(true))
                                                                           : std::nullopt;
}

void append(Pipeline &pipeline, const Pipeline &named, bool isEnabled = true)
{
    for (Entry entry : named.entries) {
        entry.isEnabled = isEnabled;
        pipeline.entries.push_back(std::move(entry));
    }
}

Result<Pipeline> parseList(std::string_view list, Others others)
{
    if (auto named = namedPipeline(list))
        return *std::move(named);
    Pipeline pipeline;
    while (!list.empty()) {
        const std::size_t end = entryEnd(list);
        if (const auto named = namedPipeline(list.substr(0, end))) {
            append(pipeline, *named);
            list.remove_prefix(std::min(end + 1, list.size()));
            continue;
        }
        CUTAWAY_TRY(auto entry, parseEntry(list.substr(0, end), others));
        pipeline.entries.push_back(std::move(entry));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return pipeline;
}

Result<Entry> readEntry(ir::JsonReader &reader, const ir::Json &json, Others others)
{
    auto entry = entryOf(reader.text(json, "pass"), others);
    if (!entry)
        return entry;
    entry->isEnabled = reader.boolean(json, "enabled", true);
    Result<void> outcome;
    reader.member(json, "options", [&](const ir::Json &options) {
        if (!options.is_object())
            return reader.fail(options, "an object");
        for (const auto &[name, value] : options.items())
            if (outcome)
                outcome = set(*entry, name, value.is_string() ? value.get<std::string>() : value.dump());
    });
    return outcome ? prepared(std::move(*entry)) : Result<Entry>(std::unexpected(outcome.error()));
}

Result<Pipeline> parseJson(std::string_view text, Others others)
{
    const ir::Json json = ir::Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return usageError("the pipeline is not JSON");
    ir::JsonReader reader;
    if (const std::string found = reader.text(json, "schema"); !reader.failed() && found != schema)
        return usageError(formatted("the pipeline is of the schema '{}', not '{}'", found, schema));
    Pipeline pipeline;
    const char *iterations = json.contains("turns") ? "turns" : "iterations"; // "turns" in files of earlier versions
    pipeline.iterations =
        static_cast<int>(std::clamp<std::int64_t>(reader.integer(json, iterations).value_or(1), 1, maxIterations));
    std::optional<Error> wrong;
    reader.items(json, "passes", [&](const ir::Json &item) {
        const ir::Json name = item.is_object() ? item.value("pass", ir::Json()) : ir::Json();
        if (const auto named = name.is_string() ? namedPipeline(name.get<std::string>()) : std::nullopt)
            append(pipeline, *named, reader.boolean(item, "enabled", true));
        else if (auto entry = readEntry(reader, item, others))
            pipeline.entries.push_back(std::move(*entry));
        else if (!wrong)
            wrong = entry.error();
    });
    if (reader.failed())
        return usageError("the pipeline: " + reader.error()->text());
    return wrong ? Result<Pipeline>(std::unexpected(*wrong)) : pipeline;
}

} // namespace

Pipeline defaultPipeline()
{
    Pipeline pipeline;
    pipeline.iterations = 5;
    for (const Pass *pass : passes())
        if (pass->isDefault)
            pipeline.entries.push_back({pass, Settings(pass->options)});
    return pipeline;
}

Pipeline optimizingPipeline(bool mayUseContrib)
{
    static constexpr std::array names{"fold-batch-norm", "fuse-pad",  "fuse-layer-norm",  "fuse-gelu",
                                      "fuse-attention",  "fuse-gemm", "fuse-activations", "split-slices"};
    Pipeline pipeline = defaultPipeline();
    for (const std::string_view name : names) {
        const Pass *pass = *findPass(name);
        Entry entry{pass, Settings(pass->options)};
        if (std::ranges::contains(pass->options, contribOption, &Option::name))
            entry.settings.set(contribOption, mayUseContrib);
        pipeline.entries.push_back(std::move(entry));
    }
    return pipeline;
}

Result<Pipeline> parsePipeline(std::string_view text, Others others)
{
    const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    return text.substr(start).starts_with('{') ? parseJson(text, others) : parseList(text.substr(start), others);
}

Pipeline withNeeds(Pipeline pipeline)
{
    const auto has = [](std::span<const Entry> entries, std::string_view name) {
        return std::ranges::contains(entries, name, [](const Entry &entry) { return entry.pass->name; });
    };
    std::vector<Entry> all;
    const auto add = [&](std::string_view name, const Entry &entry) {
        if (const auto pass = findPass(name))
            all.push_back({*pass, Settings((*pass)->options), entry.isEnabled, entry.pass});
    };
    for (const Entry &entry : pipeline.entries) {
        for (const std::string_view name : entry.pass->needs)
            if (!has(all, name))
                add(name, entry);
        all.push_back(entry);
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::string_view name : all[i].pass->tidiedBy)
            if (!has(std::span(all).subspan(i + 1), name))
                add(name, Entry(all[i]));
    pipeline.entries = std::move(all);
    return pipeline;
}

std::string printPipeline(const Pipeline &pipeline)
{
    JsonWriter json;
    json.beginObject();
    json.member("schema", schema);
    json.member("iterations", pipeline.iterations);
    json.key("passes");
    json.beginArray();
    for (const Entry &entry : pipeline.entries) {
        json.beginObject();
        json.member("pass", entry.pass->name);
        json.member("enabled", entry.isEnabled);
        json.key("options");
        json.beginObject();
        for (const auto &[name, value] : entry.settings.values())
            std::visit([&, &option = name](const auto &v) { json.member(option, v); }, value);
        json.endObject();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

std::string print(const OptionValue &value)
{
    return std::visit(Overloaded{[](bool flag) { return std::string(flag ? "true" : "false"); },
                                 [](const std::string &word) { return word; },
                                 [](auto number) { return formatted("{}", number); }},
                      value);
}

/// Returns the value of an option for a list or table: long texts are cut, and the name of its file stands for a text
/// that was read from one.
static std::string shownValue(const Option &option, const Settings &settings)
{
    constexpr std::size_t maxLength = 20;
    const std::string_view file = settings.file(option.name);
    std::string text = file.empty() ? print(settings.at(option.name)) : std::string(file);
    if (file.empty() && option.isText && text.size() > maxLength) {
        std::size_t end = maxLength;
        while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // the cut would divide a UTF-8 character
            --end;
        text = text.substr(0, end) + "…";
    }
    return text.find_first_of(" ,{}\"\n") == std::string::npos ? text : quote(text);
}

std::string print(const Entry &entry)
{
    std::string options;
    for (const Option &option : entry.pass->options)
        if (const OptionValue &value = entry.settings.at(option.name); value != option.defaultValue)
            options.append(options.empty() ? "" : " ")
                .append(option.name)
                .append("=")
                .append(shownValue(option, entry.settings));
    return std::string(entry.pass->name) + (options.empty() ? "" : "{" + options + "}");
}

} // namespace cutaway::passes
