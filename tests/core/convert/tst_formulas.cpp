// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that have a formula in their row have nothing else: it is their decomposition and their conversion.
#include "core/base/formatted.h"
#include "core/convert/convert.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"
#include "tests/core/passes/number_test.h"
#include "tests/core/passes/pass_test.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

std::vector<std::string> operatorsWithFormula()
{
    std::vector<std::string> names;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const ops::OperatorName &name : ops::namesOf(row))
                if (!row.traits.formula.empty() && name.dialect == "aten")
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

/// What the row's rule computes and what its formula does are the same.
TEST(Formulas, computeWhatTheirRowsDo)
{
    ASSERT_FALSE(operatorsWithFormula().empty());
    for (const std::string &name : operatorsWithFormula()) {
        SCOPED_TRACE(name);
        const auto model = callOf(name);
        EXPECT_FALSE(afterPipeline("decompose-to-core-aten", model).contains("aten::" + name + "("));
        std::mt19937 random(1);
        expectSameNumbers("decompose-to-core-aten", model, random, 1e-6);
    }
}

TEST(Formulas, areConvertedToOnnx)
{
    for (const std::string &name : operatorsWithFormula()) {
        const auto made = convert::toOnnx(*callOf(name), ir::FunctionId{0}, {}, {});
        EXPECT_TRUE(made && made->missing.empty()) << name << (made ? convert::print(made->missing) : "");
    }
}

} // namespace
} // namespace cutaway::test
