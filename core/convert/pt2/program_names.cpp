// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_names.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <array>

namespace cutaway::convert {

namespace {

/// Names that no variable may have: Python's keywords, and names that torch.fx uses in the code that it generates from
/// a graph.
constexpr std::array<std::string_view, 50> notForVariables{
    "False",    "None",   "True",    "and",      "as",     "assert",   "async",    "await", "break", "class",
    "continue", "def",    "del",     "elif",     "else",   "except",   "finally",  "for",   "from",  "global",
    "if",       "import", "in",      "is",       "lambda", "nonlocal", "not",      "or",    "pass",  "raise",
    "return",   "try",    "while",   "with",     "yield",  "self",     "torch",    "math",  "inf",   "nan",
    "device",   "slice",  "getattr", "operator", "pytree", "as_none",  "NoneType", "print", "range", "fx_pytree"};

/// Attributes of every torch.nn.Module; a file might give a tensor one of these names.
constexpr std::array<std::string_view, 16> notForTensors{
    "to",       "half",  "float", "double", "type",         "train",    "eval",       "forward",
    "training", "apply", "cpu",   "cuda",   "share_memory", "children", "parameters", "buffers"};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::string programName(std::string_view wanted)
{
    std::string name(wanted);
    std::ranges::replace_if(name, [](char c) { return !isLetter(c) && !isDigit(c); }, '_');
    if (name.empty() || isDigit(name.front()))
        name.insert(0, "v_");
    return std::ranges::contains(notForVariables, name) ? name + "_1" : name;
}

/// Reserves the name for a tensor. Returns false if a tensor or a module has the name already.
bool AttributeNames::take(const std::string &name)
{
    if (m_modules.contains(name) || !m_tensors.insert(name).second)
        return false;
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
        m_modules.insert(name.substr(0, dot));
    return true;
}

/// Returns `wanted` as the path of a module, with a number appended if a tensor has that path.
std::string AttributeNames::moduleFor(const std::string &wanted) const
{
    std::string path = wanted;
    for (int n = 0; m_tensors.contains(path);)
        path = formatted("{}_{}", wanted, ++n);
    return path;
}

std::string AttributeNames::fresh(std::string_view wanted)
{
    std::string base;
    std::size_t from = 0;
    while (from <= wanted.size()) {
        const std::size_t dot = std::min(wanted.find('.', from), wanted.size());
        const std::string_view part = wanted.substr(from, dot - from);
        base += (base.empty() ? "" : ".") + (part.empty() ? "_" : std::string(part));
        if (std::ranges::contains(notForTensors, part))
            base += "_";
        if (dot < wanted.size())
            base = moduleFor(base);
        from = dot + 1;
    }
    std::string name = base;
    for (int &n = m_numbers[base]; !take(name);)
        name = formatted("{}_{}", base, ++n);
    return name;
}

} // namespace cutaway::convert
