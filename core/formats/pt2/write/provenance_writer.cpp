// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/provenance_writer.h"

#include "core/base/formatted.h"
#include "core/formats/pt2/write/type_writer.h"
#include "core/ir/context.h"

#include <algorithm>
#include <ranges>
#include <vector>

namespace cutaway::formats::pt2 {

namespace {

constexpr std::size_t maxFrames = 20; ///< the frames of a stack trace that are written; recursive code has more

/// Replaces the characters at which torch splits the record.
std::string plainField(std::string_view text)
{
    std::string field(text);
    std::ranges::replace_if(field, [](char c) { return c == ',' || c == ';' || c == '(' || c == ')'; }, '_');
    return field;
}

/// Returns "L__self___layer1,layer1,torch.nn.modules.linear.Linear", from the outermost module on.
std::string moduleStack(const ir::Context &context, ir::ScopeId scope)
{
    std::vector<std::string> entries;
    for (; scope != ir::ScopeId{}; scope = context.at(scope).parent) {
        const ir::Scope &entered = context.at(scope);
        const std::string path = plainField(context.text(entered.path));
        std::string key = "L__self___" + path;
        std::ranges::replace(key, '.', '_');
        if (entered.call > 0)
            key += formatted("@{}", entered.call);
        entries.push_back(formatted("{},{},{}", key, path, plainField(context.text(entered.className))));
    }
    std::string stack = "L__self__,,";
    for (const std::string &entry : entries | std::views::reverse)
        stack += ";" + entry;
    return entries.empty() ? "" : stack;
}

/// Returns a stack trace as Python prints it, with the innermost call last.
std::string stackTrace(const ir::Context &context, ir::LocationId id)
{
    std::string trace;
    for (std::size_t frames = 0; id != ir::LocationId{} && frames < maxFrames; ++frames) {
        const ir::Location &at = context.at(id);
        id = at.caller;
        if (at.line == 0)
            continue;
        const std::string_view text = context.text(at.text), function = context.text(at.function);
        trace.insert(0,
                     formatted("  File \"{}\", line {}, in {}\n{}", context.text(at.file), at.line,
                               function.empty() ? "forward" : function,
                               text.empty() ? std::string() : formatted("    {}\n", text)));
    }
    return trace;
}

} // namespace

std::string provenanceJson(const ir::NodeRef &node)
{
    const ir::Context &context = node.graph().context();
    std::string json = "{";
    if (const std::string trace = stackTrace(context, node->location); !trace.empty())
        addMember(json, "stack_trace", quotedJson(trace));
    if (const std::string stack = moduleStack(context, node->scope); !stack.empty())
        addMember(json, "nn_module_stack", quotedJson(stack));
    return json + "}";
}

} // namespace cutaway::formats::pt2
