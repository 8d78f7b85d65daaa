// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of tensors alone, no views, that have a formula in their row are converted, by it or by a rule of their
// own. The numbers of formulas are compared in tests/core/passes/tst_formulas.cpp.
#include "core/base/formatted.h"
#include "core/convert/convert.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/schema_table.h"
#include "core/ops/torch/signatures.h"
#include "tests/core/passes/pass_test.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// Whether one schema without an overload's name has nothing but tensors that have to be given.
bool isOfTensorsAlone(std::string_view name)
{
    const auto schema = ops::findSchema("aten", name, "");
    return schema && std::ranges::all_of(schema->arguments, [](const ops::SchemaArgument &argument) {
               return argument.defaultValue || (argument.type.name == "Tensor" && !argument.type.isWritten());
           });
}

std::vector<std::string> operatorsWithFormula()
{
    std::vector<std::string> names;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const ops::OperatorName &name : ops::namesOf(row))
                if (!row.traits.formula.empty() && name.dialect == "aten" && row.pattern == ops::Pattern::Pointwise
                    && row.traits.compute && !row.traits.place && row.traits.effect == ops::Effect::Pure
                    && isOfTensorsAlone(name.name))
                    names.emplace_back(name.name);
    return names;
}

/// A call of the operator with tensors for all that it has to be given.
std::shared_ptr<const ir::Model> callOf(const std::string &name)
{
    ir::Context context;
    ops::Signatures signatures(context);
    const ops::Signature *known = signatures.of(context.op("aten", name, ""));
    std::string inputs, arguments;
    for (const ops::SchemaArgument &argument : known ? known->schema.arguments : std::vector<ops::SchemaArgument>())
        if (!argument.defaultValue) {
            inputs += formatted("{}%{}: float32[2, 3]", inputs.empty() ? "" : ", ", argument.name);
            arguments += formatted("{}{}=%{}", arguments.empty() ? "" : ", ", argument.name, argument.name);
        }
    return parsedModel(formatted("({}) {{ %r: float32[2, 3] = aten::{}({}) return %r }}", inputs, name, arguments));
}

TEST(Formulas, areConvertedToOnnx)
{
    ASSERT_FALSE(operatorsWithFormula().empty());
    for (const std::string &name : operatorsWithFormula()) {
        const auto made = convert::toOnnx(*callOf(name), ir::FunctionId{0}, {}, {});
        EXPECT_TRUE(made && made->missing.empty()) << name << (made ? convert::print(made->missing) : "");
    }
}

} // namespace
} // namespace cutaway::test
