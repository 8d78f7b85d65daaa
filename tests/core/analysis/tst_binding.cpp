// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/binding.h"

#include <gtest/gtest.h>

namespace cutaway::analysis {
namespace {

ir::Dim size(const char *text) { return symbolic::parse(text).value(); }

const symbolic::Bindings bindings{{"s0", 3}, {"zero", 0}};

TEST(Binding, ofASizeComputesWhatBecameConstant)
{
    EXPECT_EQ(bound(size("2*s0"), bindings), ir::Dim(std::int64_t{6}));
    EXPECT_EQ(ir::print(bound(size("s0*s1"), bindings)), "3*s1");
    EXPECT_EQ(ir::print(bound(size("s0//zero"), bindings)), "?");
    EXPECT_EQ(bound(ir::Dim(std::int64_t{5}), bindings), ir::Dim(std::int64_t{5}));
}

TEST(Binding, ofAFactReachesShapesNumbersAndItems)
{
    ops::TensorFact tensor = ops::tensorFact(ir::DType::Float32, ir::Shape{size("s0"), size("s1")});
    tensor.strides = ops::Strides{std::int64_t{1}, size("s0")};
    const ops::Fact fact = bound(ops::listFact({tensor, ops::intFact(size("s0 + 1"))}), bindings);
    EXPECT_EQ(ops::print(fact), "[float32[3, s1], 4]");
    const auto &strides = fact.as<ops::SequenceFact>()->each()[0].as<ops::TensorFact>()->strides;
    EXPECT_EQ(ir::print(strides->at(1)), "3");
}

} // namespace
} // namespace cutaway::analysis
