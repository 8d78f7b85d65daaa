// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/layout/module_rows.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace cutaway;

namespace {

/// Rows "NAME PARENT AMOUNT"; the first is the whole, "N × …" is a repetition that was found.
struct Tree {
    std::vector<layout::ModuleRow> rows;
    std::vector<double> amounts;

    std::uint32_t add(const std::string &name, std::uint32_t parent, double amount, std::uint32_t times = 0)
    {
        const auto row = static_cast<std::uint32_t>(rows.size());
        if (row > 0)
            rows[parent].children.push_back(row);
        rows.push_back({.subject = layout::FoundSubject{{}, {}, {}, {}, 0, times},
                        .found = {.title = name, .name = {}, .kind = {}, .path = {}},
                        .foundIndex = row,
                        .parent = parent});
        amounts.push_back(amount);
        return row;
    }

    std::string dominating() const
    {
        std::vector<std::string> names;
        for (const std::uint32_t row :
             layout::dominating(rows, [this](const layout::ModuleRow &each) { return amounts[each.foundIndex]; }))
            names.push_back(rows[row].found.title);
        return joined(names, ", ");
    }
};

TEST(DominatingRows, areThoseInALargeOneInsteadOfIt)
{
    Tree tree;
    const auto all = tree.add("all", 0, 100), net = tree.add("net", all, 98);
    tree.add("head", all, 2);
    const auto first = tree.add("layer1", net, 20);
    tree.add("conv", first, 20);
    const auto second = tree.add("layer2", net, 70);
    tree.add("0", second, 40);
    tree.add("1", second, 30);
    tree.add("dropout", net, 0);
    EXPECT_EQ(tree.dominating(), "0, 1, layer1, head");
}

TEST(DominatingRows, areLargeOnesThatDoMostThemselves)
{
    Tree tree;
    const auto all = tree.add("all", 0, 100), attention = tree.add("attention", all, 60);
    tree.add("rotary", attention, 5);
    tree.add("mlp", all, 40);
    EXPECT_EQ(tree.dominating(), "attention, mlp");
}

TEST(DominatingRows, areRepetitionsAsAWhole)
{
    Tree tree;
    const auto all = tree.add("all", 0, 100), blocks = tree.add("2 × block", all, 90, 2);
    tree.add("block 1", blocks, 45);
    tree.add("block 2", blocks, 45);
    EXPECT_EQ(tree.dominating(), "2 × block");
}

TEST(DominatingRows, areNotOneThatIsAllOfAnother)
{
    Tree tree;
    const auto all = tree.add("all", 0, 100), stage = tree.add("stage 1: 8 × conv", all, 70);
    tree.add("8 × conv", stage, 69, 8);
    tree.add("pool", stage, 1);
    tree.add("head", all, 30);
    EXPECT_EQ(tree.dominating(), "stage 1: 8 × conv, head");
}

} // namespace
