// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/shared_row.h"

#include "core/ops/operator.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>

namespace cutaway::rules {

namespace {

bool takesOneTensor(const ops::OperatorName &each)
{
    if (each.dialect == "onnx") {
        const auto versions = ops::onnxVersions(each.name);
        return !versions.empty() && versions.back().maxInputs == 1 && versions.back().attributes.empty();
    }
    const auto schema = ops::findSchema(each.dialect, each.name, "");
    return schema && schema->arguments.size() == 1 && schema->arguments.front().type.name == "Tensor";
}

/// Returns the name of the first operator of a dialect in a row; "" if there is none, or it takes other arguments than
/// one tensor.
std::string_view nameIn(std::span<const ops::OperatorName> names, std::string_view dialect)
{
    const auto found = std::ranges::find(names, dialect, &ops::OperatorName::dialect);
    return found != names.end() && takesOneTensor(*found) ? found->name : std::string_view();
}

std::vector<SharedRow> allSharedRows()
{
    std::vector<SharedRow> all;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows) {
            if (row.pattern != ops::Pattern::Pointwise || !row.names.contains("onnx::"))
                continue;
            const auto names = ops::namesOf(row);
            const SharedRow both{nameIn(names, "aten"), nameIn(names, "onnx")};
            if (!both.aten.empty() && !both.onnx.empty())
                all.push_back(both);
        }
    return all;
}

} // namespace

const SharedRow *sharedRowOf(std::string_view dialect, std::string_view name)
{
    static const std::vector<SharedRow> all = allSharedRows();
    if (dialect != "aten" && dialect != "onnx")
        return nullptr;
    const auto found = std::ranges::find(all, name, dialect == "aten" ? &SharedRow::aten : &SharedRow::onnx);
    return found == all.end() ? nullptr : &*found;
}

to_aten::Parts to_aten::madeBySharedRow(OnnxNode &n)
{
    const SharedRow *row = sharedRowOf("onnx", n.name());
    return {n.make(AtenName::computed(row->aten), {n[0]})};
}

to_onnx::Results to_onnx::madeBySharedRow(Lowering &l)
{
    const SharedRow *row = sharedRowOf("aten", ops::findRow("aten", l.node().opName())->plain);
    const Term x = l[0];
    return {applied(OnnxName::computed(row->onnx), ir::isFloating(x.dtype) ? x : cast(x, l.resultDType()))};
}

} // namespace cutaway::rules
