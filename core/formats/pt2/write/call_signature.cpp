// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/call_signature.h"

#include "core/base/formatted.h"
#include "core/formats/pt2/write/type_writer.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::string_view leafSpec = R"({"type":null,"context":null,"children_spec":[]})";

bool isOfUser(const ir::FunctionInput &input)
{
    return input.kind == ir::FunctionInput::Kind::User || input.kind == ir::FunctionInput::Kind::ConstantInput;
}

/// Returns the values of user inputs; nothing for a constant, which is compared only by position.
std::vector<std::optional<ir::ValueId>> userInputs(const ir::Function &function)
{
    std::vector<std::optional<ir::ValueId>> inputs;
    for (const ir::FunctionInput &input : function.inputs)
        if (isOfUser(input)) {
            const auto *value = input.value.as<ir::ValueId>();
            inputs.push_back(value ? std::optional(*value) : std::nullopt);
        }
    return inputs;
}

std::size_t resultCount(const ir::Function &function)
{
    return static_cast<std::size_t>(
        std::ranges::count(function.outputs, ir::FunctionOutput::Kind::User, &ir::FunctionOutput::kind));
}

std::string leaves(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text.append(i ? "," : "").append(leafSpec);
    return text;
}

std::string tupleSpec(std::string_view children)
{
    return formatted(R"({{"type":"builtins.tuple","context":"null","children_spec":[{}]}})", children);
}

/// Returns the metadata's spec of inputs or results; nothing if there is none or it has another number of leaves.
std::optional<std::string> specFor(const ir::Model &model, std::string_view key, std::size_t leafCount)
{
    const auto found = std::ranges::find(model.metadata, key, &std::pair<std::string, std::string>::first);
    if (found == model.metadata.end())
        return std::nullopt;
    std::size_t leaves = 0;
    for (std::size_t at = found->second.find(leafSpec); at != std::string::npos;
         at = found->second.find(leafSpec, at + leafSpec.size()))
        ++leaves;
    return leaves == leafCount ? std::optional(found->second) : std::nullopt;
}

} // namespace

bool isCalledAnew(const ir::Function &function, const Original &original)
{
    return userInputs(function) != userInputs(original.function())
        || resultCount(function) != resultCount(original.function());
}

std::string callGraph(const ir::Model &model, const ir::Function &function, const Original &original,
                      std::span<const std::string> inputNames)
{
    const std::size_t inputs = userInputs(function).size(), results = resultCount(function);
    const std::string none = R"({"type":"builtins.dict","context":"[]","children_spec":[]})";
    const std::string in = specFor(model, "torch.export.in_spec", inputs)
                               .value_or("[1," + tupleSpec(tupleSpec(leaves(inputs)) + "," + none) + "]");
    const std::string out =
        specFor(model, "torch.export.out_spec", results)
            .value_or("[1," + (results == 1 ? std::string(leafSpec) : tupleSpec(leaves(results))) + "]");
    std::string names;
    for (const std::string &name : inputNames)
        names += (names.empty() ? "" : ",") + quotedJson(name);
    std::string graph = "[";
    original.program()["graph_module"]["module_call_graph"].forEach([&](Json entry) {
        const std::string fqn = original.copied(entry["fqn"]);
        const bool hasNames = entry["signature"]["forward_arg_names"].exists();
        graph += graph.size() > 1 ? "," : "";
        graph += fqn != "\"\""
            ? formatted(R"({{"fqn":{}}})", fqn)
            : formatted(R"({{"fqn":"","signature":{{"inputs":[],"outputs":[],"in_spec":{},"out_spec":{}{}}}}})",
                        quotedJson(in), quotedJson(out),
                        hasNames ? formatted(R"(,"forward_arg_names":[{}])", names) : "");
    });
    return graph + "]";
}

} // namespace cutaway::formats::pt2
