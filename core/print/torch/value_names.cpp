// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/value_names.h"

#include "core/print/python_names.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

constexpr std::array<std::string_view, 28> usedNames{
    "self",  "torch", "nn",    "F",         "math",       "warnings", "list",    "len",      "int",     "float",
    "bool",  "str",   "max",   "min",       "range",      "print",    "any",     "all",      "complex", "sorted",
    "tuple", "zip",   "types", "enumerate", "isinstance", "super",    "getattr", "Exception"};

/// Returns a name without the number that made it unique in the whole graph: "conv2d" for conv2d_17, "x" for x0.
std::string_view withoutNumber(std::string_view name)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string_view shorter = name;
    while (!shorter.empty() && isDigit(shorter.back()))
        shorter.remove_suffix(1);
    if (shorter.size() == name.size() || shorter.empty())
        return name;
    if (shorter.ends_with('_') && shorter.size() > 1)
        return withoutNumber(shorter.substr(0, shorter.size() - 1));
    return std::ranges::any_of(shorter, isDigit) ? name : shorter;
}

} // namespace

ValueNames::ValueNames(const ir::Graph &graph) : m_graph(graph)
{
    for (const std::string_view name : usedNames)
        m_taken.take(name);
}

std::string ValueNames::wantedFor(ir::ValueId value) const
{
    const ir::ValueRef ref(m_graph, value);
    std::string_view name = ref.name();
    const bool isPath = name.contains('/'); // a path of ONNX's exporter is less readable than the operator's name
    if ((name.empty() || isPath) && ref.producer())
        name = ref.producer()->opName();
    name = withoutNumber(name);
    while (name.ends_with('_') && name.size() > 1)
        name.remove_suffix(1);
    const std::string wanted = identifierFrom(name);
    return wanted == "_" ? "x" : wanted;
}

const std::string &ValueNames::of(ir::ValueId value)
{
    std::string &name = m_names[value];
    if (name.empty())
        name = fresh(wantedFor(value));
    return name;
}

std::vector<std::string> ValueNames::of(std::span<const ir::ValueId> values)
{
    std::vector<std::string> all;
    for (const ir::ValueId value : values)
        all.push_back(of(value));
    return all;
}

} // namespace cutaway::print
