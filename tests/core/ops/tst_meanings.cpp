// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/meanings.h"

#include "core/base/formatted.h"
#include "core/ops/operator.h"

#include <gtest/gtest.h>
#include <set>

namespace cutaway::ops {
namespace {

TEST(Meanings, areFoundByTheNamesOfAllDialects)
{
    EXPECT_EQ(meaningOf("aten", "mean"), meaningOf("onnx", "ReduceMean"));
    EXPECT_EQ(meaningOf("aten", "relu_"), "x where it is positive, else zero");
    EXPECT_EQ(meaningOf("aten", "__and__"), meaningOf("onnx", "And"));
    EXPECT_EQ(meaningOf("aten", "gather"), meaningOf("onnx", "GatherElements"));
    EXPECT_EQ(meaningOf("aten", "index_select"), meaningOf("onnx", "Gather"));
    EXPECT_EQ(meaningOf("aten", "view_copy"), meaningOf("onnx", "Reshape"));
}

TEST(Meanings, ofUnknownOperatorsAreNone)
{
    EXPECT_EQ(meaningOf("mylib", "relu"), "");
    EXPECT_EQ(meaningOf("aten", "no_such_operator"), "");
}

TEST(Meanings, areOfOperatorsThatHaveARow)
{
    std::set<std::string> plain;
    const auto normalized = [](std::string_view name) {
        std::string text;
        for (const char c : name)
            if (c != '_')
                text += static_cast<char>(std::tolower(c));
        return text;
    };
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows)
            for (const OperatorName &name : namesOf(row)) {
                plain.insert(normalized(name.name));
                plain.insert(normalized(kindOf(name.dialect, name.name).name()));
            }
    std::set<std::string> seen;
    for (const Meaning &meaning : meanings()) {
        EXPECT_LE(meaning.sentence.size(), 160u) << meaning.sentence;
        EXPECT_FALSE(meaning.sentence.ends_with('.')) << meaning.sentence;
        for (const std::string_view name : meaning.names) {
            EXPECT_TRUE(plain.contains(normalized(name))) << name;
            EXPECT_TRUE(seen.insert(normalized(name)).second) << name << " has two meanings";
        }
    }
}

} // namespace
} // namespace cutaway::ops
