// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/operators/operator_columns.h"

#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"
#include "core/print/operators/operator_spelling.h"
#include "core/print/torch/call_rows.h"
#include "core/print/torch/layers.h"
#include "core/rules/translations.h"

#include <cctype>

namespace cutaway::print {

namespace {

using rules::Way;

std::string textOf(std::optional<Way> way, std::string_view byRule)
{
    if (!way)
        return {};
    constexpr std::array<std::string_view, 5> texts{"no", "core", "", "by decomposition", "by formula"};
    return std::string(*way == Way::Rule ? byRule : texts[static_cast<std::size_t>(*way)]);
}

std::string coreText(std::optional<Way> way) { return way == Way::Decomposition ? "decomposed" : textOf(way, ""); }

std::string onnxText(const rules::Translations &known)
{
    return textOf(known.toOnnx, known.onnxSince > 0 ? formatted("from opset {}", known.onnxSince) : "yes");
}

/// Returns the name of the placeholder at an offset of a pattern: "0" for "$0", "self" for "$self".
std::string_view placeholderAt(std::string_view pattern, std::size_t begin)
{
    std::size_t end = begin;
    while (end < pattern.size() && (std::isalnum(static_cast<unsigned char>(pattern[end])) || pattern[end] == '_'))
        ++end;
    return pattern.substr(begin, end - begin);
}

/// Returns a pattern as an example: "x + y" for "$0 + $1", "x.permute(dims)" for "$self.permute($dims*)", "x[…]" for
/// "$self[#slice]".
std::string example(std::string_view pattern)
{
    constexpr std::string_view letters = "xyzw";
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '$' && pattern[i] != '#') {
            text += pattern[i];
            continue;
        }
        const std::string_view name = placeholderAt(pattern, i + 1);
        const bool isPosition = name.size() == 1 && name[0] >= '0' && name[0] <= '3';
        i += name.size();
        const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        text += pattern[i - name.size()] == '#' || (name.empty() && next == '*') ? "…"
            : isPosition     ? letters.substr(static_cast<std::size_t>(name[0] - '0'), 1)
            : name == "self" ? "x"
                             : name;
        i += next == '*' || (name.empty() && next == '-');
    }
    return text;
}

std::string callText(std::string_view dialect, std::string_view name)
{
    if (const auto rows = callRows(dialect, name); !rows.empty())
        return example(rows.front()->pattern);
    if (const std::string_view pattern = patternOf(dialect, name); !pattern.empty())
        return example(pattern);
    if (const std::string sign = augmentedOperator(dialect, name); !sign.empty())
        return formatted("x {} y", sign);
    switch (callKind(dialect, name)) {
    case CallKind::Method:
        return formatted("x.{}()", name);
    case CallKind::Function:
        return formatted("torch.{}()", name);
    case CallKind::Functional:
        return formatted("F.{}()", name);
    case CallKind::Registered:
        break;
    }
    const bool isCalled = dialect != "prim" && !dialect.contains('.');
    return isCalled ? formatted("torch.ops.{}.{}()", dialect, name) : "";
}

std::string pythonText(std::string_view dialect, std::string_view name)
{
    const std::string call = ir::isOnnxDialect(dialect) ? "" : callText(dialect, name);
    return hasLayer(dialect, name) ? formatted("torch.nn, {}", call) : call;
}

/// Returns "yes" or "no"; "" for operators with regions or calls, which are evaluated node by node.
std::string evaluatedText(std::string_view dialect, std::string_view name, bool isEvaluated)
{
    const ops::Operator *row = ops::findOperator(dialect, name);
    const bool isControl = row && row->pattern == ops::Pattern::Control;
    return isEvaluated ? "yes" : isControl ? "" : "no";
}

} // namespace

std::array<OperatorColumn, 6> operatorColumns(std::string_view dialect, std::string_view name)
{
    const rules::Translations known = rules::translationsOf(dialect, name);
    return {{{"core ATen", coreText(known.coreAten)},
             {"to ONNX", onnxText(known)},
             {"from ONNX", textOf(known.fromOnnx, "yes")},
             {"Python", pythonText(dialect, name), true},
             {"evaluated", evaluatedText(dialect, name, known.isEvaluated)},
             {"formula", std::string(known.formula), true}}};
}

} // namespace cutaway::print
