// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/captures.h"

#include "core/formats/unusable.h"
#include "core/ir/verify.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

namespace cutaway::test {
namespace {

std::string withoutCaptures(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    const auto lifted = formats::resultOf([&] { return formats::pt2::withoutCaptures(model); });
    if (!lifted)
        return "refused: " + lifted.error().text();
    EXPECT_EQ(ir::verify(*lifted), std::vector<std::string>());
    const auto print = [](const ir::Model &m) { return ir::printText(m, ir::FunctionId{0}, ir::TextForm::Reading); };
    return print(*lifted) == print(model) ? "unchanged" : print(*lifted);
}

TEST(ConstantNames, areNoneOfAModulesOwn)
{
    const ir::Model model = formats::pt2::withConstantNames(
        parsed("tensor @old: float32[1] constant tensor @constant_to: float32[1] buffer\n"
               "tensor @to: float32[1] constant tensor @half: float32[1] parameter\ngraph @forward() { }"),
        1);
    std::vector<std::string_view> names;
    for (const ir::Tensor &tensor : model.tensors)
        names.push_back(model.context->text(tensor.name));
    EXPECT_EQ(names, (std::vector<std::string_view>{"old", "constant_to", "constant_to_1", "half"}));
}

const bool captureCases = forEachCase("Captures", "formats_pt2/captures", withoutCaptures);

} // namespace
} // namespace cutaway::test
