// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/formula.h"

#include "core/base/overloaded.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

std::string errorOf(std::string_view text)
{
    const auto read = parseFormula(text);
    return read ? "" : read.error().text();
}

TEST(Formula, SaysWhatIsWrong)
{
    EXPECT_EQ(errorOf("self *"), "expected an operand in a formula (before '')");
    EXPECT_EQ(errorOf("exp(self"), "expected ')' in a formula (before '')");
    EXPECT_EQ(errorOf("self self"), "expected the end of the formula in a formula (before 'self')");
    EXPECT_EQ(errorOf("x = self"), "expected ';' in a formula (before '')");
    EXPECT_EQ(errorOf("div(self, 'floor)"), "expected a text that ends in a formula (before ''floor)')");
}

TEST(Formula, HasPartsAndResults)
{
    const auto read = parseFormula("half = size(self, dim) // 2; amin(self, half), -self * 2 + other");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->parts.size(), 1u);
    EXPECT_EQ(read->parts[0].name, "half");
    ASSERT_EQ(read->results.size(), 2u);
    const auto *sum = std::get_if<Expression::Operation>(&read->results[1].value);
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->sign, "+");
    EXPECT_EQ(std::get<Expression::Operation>(sum->operands[0].value).sign, "*");
}

/// Collects the names in a formula that mean nothing: a formula would read them as None, or not hold.
class UnknownNames {
public:
    UnknownNames(const Formula &formula, std::vector<Schema> schemas)
        : m_formula(formula),
          m_schemas(std::move(schemas))
    {
        for (const Formula::Part &part : formula.parts)
            look(part.value);
        std::ranges::for_each(formula.results, [this](const Expression &each) { look(each); });
    }

    std::string text;

private:
    static bool hasParameter(std::span<const Schema> schemas, std::string_view name)
    {
        return std::ranges::any_of(schemas, [&](const Schema &schema) {
            return std::ranges::contains(schema.arguments, name, &SchemaArgument::name);
        });
    }

    void add(std::string_view name) { text.append(text.empty() ? "" : " ").append(name); }

    void look(const Expression &expression)
    {
        std::visit(Overloaded{[](std::int64_t) {}, [](double) {}, [](const Expression::Text &) {},
                              [this](const Expression::Word &word) { look(word); },
                              [this](const Expression::List &list) { lookAt(list.items); },
                              [this](const Expression::Call &call) { look(call); },
                              [this](const Expression::Operation &operation) { lookAt(operation.operands); },
                              [this](const Expression::Choice &choice) { lookAt(choice.branches); }},
                   expression.value);
    }

    void lookAt(const std::vector<Expression> &all)
    {
        for (const Expression &each : all)
            look(each);
    }

    void look(const Expression::Word &word)
    {
        static constexpr std::array<std::string_view, 7> constants{"pi",    "inf",  "nan",   "True",
                                                                   "False", "None", "result"};
        if (!std::ranges::contains(constants, word.name) && !hasParameter(m_schemas, word.name)
            && !std::ranges::contains(m_formula.parts, word.name, &Formula::Part::name))
            add(word.name);
    }

    void look(const Expression::Call &call)
    {
        static constexpr std::array<std::string_view, 12> further{"cast",        "dtype",    "rank",       "size",
                                                                  "shape",       "isTensor", "isFloating", "isComplex",
                                                                  "isSameShape", "largest",  "reduced",    "refused"};
        const std::size_t dot = std::min(call.function.find('.'), call.function.size());
        std::vector<Schema> schemas = schemasOf("aten", call.function.substr(0, dot));
        if (dot < call.function.size())
            std::erase_if(schemas, [&](const Schema &each) { return each.overload != call.function.substr(dot + 1); });
        if (schemas.empty() && !std::ranges::contains(further, call.function))
            add(call.function);
        for (const Expression::Argument &argument : call.arguments) {
            if (!argument.parameter.empty() && !hasParameter(schemas, argument.parameter))
                add(argument.parameter);
            look(argument.value);
        }
    }

    const Formula &m_formula;
    std::vector<Schema> m_schemas;
};

std::string unknownNames(std::string_view formula, std::vector<Schema> schemas)
{
    const auto read = parseFormula(formula);
    return read ? UnknownNames(*read, std::move(schemas)).text : read.error().text();
}

TEST(Formula, WithAMisspeltNameIsFound)
{
    const std::vector<Schema> celu = schemasOf("aten", "celu");
    EXPECT_EQ(unknownNames("elu(self, alpha, 1, 1 / alpha) if alpha != 0", celu), "");
    EXPECT_EQ(unknownNames("elu(self, alhpa, 1) if alpha != 0", celu), "alhpa");
    EXPECT_EQ(unknownNames("half = self / 2; exp(half) + helf", celu), "helf");
    EXPECT_EQ(unknownNames("elo(self) + add.Tenser(self, self)", celu), "elo add.Tenser");
    EXPECT_EQ(unknownNames("clamp(self, mn=0)", celu), "mn");
    EXPECT_EQ(unknownNames("cast(self, dtype(self)) + pi", celu), "");
}

TEST(Formula, OfEachRowHasNamesThatMeanSomething)
{
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows) {
            if (row.traits.formula.empty())
                continue;
            std::vector<Schema> schemas;
            for (const OperatorName &name : namesOf(row))
                std::ranges::move(schemasOf(name.dialect, name.name), std::back_inserter(schemas));
            EXPECT_EQ(unknownNames(row.traits.formula, std::move(schemas)), "") << row.names;
        }
}

TEST(Formula, OfEachRowCanBeReadAndIsOfAnOperatorWithASchema)
{
    std::size_t count = 0;
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows) {
            if (row.traits.formula.empty())
                continue;
            ++count;
            EXPECT_EQ(errorOf(row.traits.formula), "") << row.names;
            const OperatorName first = namesOf(row).front();
            EXPECT_FALSE(schemasOf(first.dialect, first.name).empty()) << row.names;
        }
    EXPECT_GT(count, 0u);
}

} // namespace
} // namespace cutaway::ops
