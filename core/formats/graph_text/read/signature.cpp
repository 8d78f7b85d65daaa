// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/signature.h"

#include "core/formats/graph_text/read/lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cutaway::formats::graph_text {

namespace {

using InputKind = ir::FunctionInput::Kind;
using OutputKind = ir::FunctionOutput::Kind;

constexpr std::pair<std::string_view, InputKind> inputKinds[] = {
    {"PARAMETER", InputKind::Parameter},     {"BUFFER", InputKind::Buffer}, {"CONSTANT_TENSOR", InputKind::Constant},
    {"CUSTOM_OBJ", InputKind::CustomObject}, {"TOKEN", InputKind::Token},
};

constexpr std::pair<std::string_view, OutputKind> outputKinds[] = {
    {"LOSS_OUTPUT", OutputKind::Loss},
    {"BUFFER_MUTATION", OutputKind::BufferMutation},
    {"PARAMETER_MUTATION", OutputKind::ParameterMutation},
    {"USER_INPUT_MUTATION", OutputKind::UserInputMutation},
    {"GRADIENT_TO_PARAMETER", OutputKind::GradientToParameter},
    {"GRADIENT_TO_USER_INPUT", OutputKind::GradientToUserInput},
    {"TOKEN", OutputKind::Token},
};

template <class Kind, std::size_t n>
Kind kindNamed(const std::pair<std::string_view, Kind> (&rows)[n], std::string_view name)
{
    const auto *const row = std::ranges::find(rows, name, &std::pair<std::string_view, Kind>::first);
    return row == std::end(rows) ? Kind::User : row->second;
}

/// Returns the text in quotes after `key`: "fc.weight" in `target='fc.weight'` for the key "target=".
std::string_view quoted(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    if (at == text.npos || at + key.size() + 1 >= text.size())
        return {};
    text.remove_prefix(at + key.size());
    const char quote = text.front();
    const std::size_t end = text.find(quote, 1);
    return (quote == '\'' || quote == '"') && end != text.npos ? text.substr(1, end - 1) : std::string_view();
}

/// Returns the enumerator in "kind=<InputKind.PARAMETER: 2>": "PARAMETER".
std::string_view enumerator(std::string_view text)
{
    const std::size_t dot = text.find("Kind.");
    const std::size_t end = text.find(':', dot);
    return dot == text.npos || end == text.npos ? std::string_view() : text.substr(dot + 5, end - dot - 5);
}

/// Calls visit(text) for each "InputSpec(…" and "OutputSpec(…" in the printed Python object.
template <class Visit>
void forEachSpec(std::string_view text, const Visit &visit)
{
    constexpr std::string_view begin = "putSpec(";
    for (std::size_t at = text.find(begin); at != text.npos;) {
        const std::size_t next = text.find(begin, at + 1);
        visit(text.substr(at >= 3 && text[at - 1] == 't' ? at - 3 : at - 2, next - at));
        at = next;
    }
}

Signature fromObject(std::string_view text)
{
    Signature signature;
    forEachSpec(text, [&](std::string_view spec) {
        const std::string_view kind = enumerator(spec);
        const std::string_view target = quoted(spec, "target=");
        if (spec.starts_with('O'))
            signature.outputs.push_back({kindNamed(outputKinds, kind), target});
        else
            signature.inputs[std::string(quoted(spec, "name="))] = {kindNamed(inputKinds, kind), std::string(target),
                                                                    !spec.contains("persistent=False")};
    });
    return signature;
}

std::optional<std::int64_t> bound(std::string_view text)
{
    text = trimmed(text);
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Whether the name that Dynamo gives to an object is that of a module: "L_self", "G_model", "L_fn_modules_fc".
bool isOwner(std::string_view object)
{
    constexpr std::string_view module = "_modules_";
    if (const std::size_t at = object.find(module); at != object.npos)
        return at > 2;
    const bool isGlobal = object.starts_with("G_") || object.starts_with("g_");
    return object == "L_self" || object == "l_self"
        || (isGlobal && object.size() > 2 && object.find('_', 2) == object.npos);
}

} // namespace

Signature readSignature(std::string_view text)
{
    if (trimmed(text).starts_with("ExportGraphSignature("))
        return fromObject(text);
    Signature signature;
    bool isOutput = false;
    Lines lines(text, 1);
    while (lines.next()) {
        const std::string_view line = lines.now().text;
        if (lines.now().isComment()) {
            isOutput = line.contains("outputs");
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (colon == line.npos)
            continue;
        const std::string_view rest = line.substr(colon + 2);
        const std::string_view kind = rest.substr(0, rest.find(' '));
        const std::string_view target = quoted(rest, "target=");
        if (isOutput)
            signature.outputs.push_back({kindNamed(outputKinds, kind), target});
        else
            signature.inputs[std::string(line.substr(0, colon))] = {kindNamed(inputKinds, kind), std::string(target),
                                                                    !rest.contains("persistent=False")};
    }
    return signature;
}

std::vector<ir::Symbol> readRanges(std::string_view text)
{
    std::vector<ir::Symbol> symbols;
    constexpr std::string_view begin = ": VR[";
    for (std::size_t at = text.find(begin), next = at; at != text.npos; at = next) {
        next = text.find(begin, at + begin.size());
        const std::string_view before = text.substr(0, at);
        const std::string_view range = text.substr(at, next - at).substr(begin.size());
        const std::size_t name = before.find_last_of("{, ");
        const std::size_t end = range.find(']');
        const std::size_t comma = range.substr(0, end).find(',');
        if (name == before.npos || comma == range.npos || end == range.npos)
            continue;
        ir::Symbol symbol;
        symbol.name = before.substr(name + 1);
        symbol.min = bound(range.substr(0, comma));
        symbol.max = bound(range.substr(comma + 1, end - comma - 1));
        if (symbol.min && symbol.max && *symbol.min > *symbol.max)
            symbol.min = symbol.max = std::nullopt;
        symbols.push_back(std::move(symbol));
    }
    return symbols;
}

InputSpec inputSpecNamed(std::string_view name)
{
    constexpr std::string_view module = "_modules_";
    constexpr std::pair<std::string_view, InputKind> members[] = {{"_parameters_", InputKind::Parameter},
                                                                  {"_buffers_", InputKind::Buffer}};
    const bool isDynamos =
        name.size() > 3 && std::string_view("LGlg").contains(name[0]) && name[1] == '_' && name.ends_with('_');
    for (const auto &[member, kind] : members) {
        const std::size_t at = name.rfind(member);
        if (!isDynamos || at == name.npos || at + member.size() + 1 >= name.size() || !isOwner(name.substr(0, at)))
            continue;
        std::string target;
        for (std::size_t next = name.substr(0, at).find(module); next != name.npos;) {
            const std::size_t begin = next + module.size();
            // One underscore may end a "_modules_" and begin the next one.
            next = name.substr(0, at).find(module, begin);
            target += std::string(name.substr(begin, std::min(next, at) - begin)) + ".";
        }
        const std::size_t own = at + member.size();
        return {kind, target + std::string(name.substr(own, name.size() - 1 - own))};
    }
    return {};
}

InputSpec attributeSpec(std::string_view path)
{
    constexpr std::string_view ofSelf = "L__self___";
    const std::string_view target = path.substr(path.starts_with(ofSelf) && path != ofSelf ? ofSelf.size() : 0);
    const std::string_view name = target.substr(target.rfind('.') + 1); // npos + 1 is 0
    InputKind kind = InputKind::Constant;
    if (name.contains("running_mean") || name.contains("running_var") || name.contains("num_batches_tracked"))
        kind = InputKind::Buffer;
    else if (name.ends_with("weight") || name.ends_with("bias"))
        kind = InputKind::Parameter;
    return {kind, std::string(target)};
}

InputSpec inputSpecOf(std::string_view comment)
{
    std::string target(quoted(comment, "target="));
    if (comment.starts_with("ParamAOTInput("))
        return {InputKind::Parameter, std::move(target)};
    return comment.starts_with("BufferAOTInput(") ? InputSpec{InputKind::Buffer, std::move(target)} : InputSpec();
}

} // namespace cutaway::formats::graph_text
