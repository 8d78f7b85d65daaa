// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/calls.h"
#include "core/ops/network/window.h"
#include "core/ops/torch/signatures.h"
#include "tests/core/ops/rule_test.h"

#include <sstream>

// Tests of argument readers: each row has a graph, and as a text the fields that a reader makes of its last operator's
// arguments. A field that has its default is left out; "#1" is the argument at position 1.

namespace cutaway::test {

struct ArgumentsRow {
    std::string name;
    std::string graph;
    std::string arguments;
    std::string header = "opset \"ai.onnx\" 18\n";
};
inline void PrintTo(const ArgumentsRow &row, std::ostream *out) { *out << row.name; }

/// Joins fields, "input #0, axis 1"; a field that has its default is left out.
class Fields {
public:
    void add(std::string_view name, std::string text)
    {
        m_text += (m_text.empty() ? "" : ", ") + std::string(name) + (text.empty() ? "" : " ") + std::move(text);
    }
    void position(std::string_view name, ops::Position position)
    {
        if (position)
            add(name, "#" + std::to_string(*position));
    }
    void flag(std::string_view name, std::optional<bool> flag, bool defaultValue)
    {
        if (flag != defaultValue)
            add(name, !flag ? "?" : *flag ? "" : "no");
    }
    void number(std::string_view name, std::optional<double> number, double defaultValue)
    {
        if (number != defaultValue)
            add(name, number ? text(*number) : "?");
    }
    void given(std::string_view name, const ops::Given<double> &number)
    {
        if (number)
            add(name, *number ? text(**number) : "?");
    }
    void size(std::string_view name, const ir::Dim &size)
    {
        if (ops::isKnown(size))
            add(name, ir::print(size));
    }
    std::string text() && { return std::move(m_text); }

private:
    static std::string text(double number)
    {
        std::ostringstream out;
        out << number;
        return out.str();
    }
    std::string m_text;
};

inline std::string_view textOf(ops::AutoPad pad)
{
    return pad == ops::AutoPad::SameUpper ? " same upper" : pad == ops::AutoPad::SameLower ? " same lower" : "";
}

/// "3/2*1+0+1" is a kernel of 3 with stride 2 and dilation 1, padded by 0 before and 1 after.
inline std::string textOf(const std::optional<ops::Windows> &windows)
{
    if (!windows)
        return "?";
    std::string text;
    for (const ops::Window &w : *windows)
        text += (text.empty() ? "" : " x ") + ir::print(w.kernel) + "/" + ir::print(w.stride) + "*"
            + ir::print(w.dilation) + "+" + ir::print(w.before) + "+" + ir::print(w.after)
            + std::string(textOf(w.autoPad));
    return text;
}

inline std::string textOf(const std::optional<std::vector<ir::Dim>> &sizes) { return sizes ? ir::print(*sizes) : "?"; }

/// Calls `text` with the last operator of the row's graph.
template <class Text>
std::string argumentsOf(const ArgumentsRow &row, const Text &text)
{
    const ir::Model model = modelOf(row.graph, row.header);
    if (model.functions.empty())
        return "no graph";
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    ops::Signatures signatures(*model.context);
    ops::Calls calls(model, signatures, [&](ir::ValueId value) { return &shapes.of(value); });
    const ir::Graph &graph = model.functions[0].graph;
    return text(calls.of({graph, graph.at(ir::Graph::body).nodes.back()}));
}

inline constexpr auto rowName = [](const auto &row) { return row.param.name; };

} // namespace cutaway::test
