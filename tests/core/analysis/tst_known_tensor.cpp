// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_tensor.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

namespace cutaway::analysis {
namespace {

ir::Type tensorType(ir::DType dtype, ir::Shape shape)
{
    ir::TensorType type;
    type.dtype = dtype;
    type.shape = std::move(shape);
    return type;
}

const ir::Type declared = tensorType(ir::DType::Float32, {std::int64_t{2}});
const ir::Type other = ir::PlainType{ir::PlainType::Kind::Any};
const RecordedSizes &sizes()
{
    static const RecordedSizes found(test::smallModel(), {});
    return found;
}

TEST(KnownTensor, isWhatWasDerived)
{
    const ops::Fact derived = ops::tensorFact(ir::DType::Int64, ir::Shape{std::int64_t{3}});
    for (const ir::Type *type : {&declared, &other}) {
        const auto known = knownTensor(sizes(), *type, &derived);
        ASSERT_TRUE(known);
        EXPECT_EQ(known->dtype, ir::DType::Int64);
        EXPECT_EQ(ir::print(*known->shape), "[3]");
    }
}

TEST(KnownTensor, ofWhichNothingWasDerivedIsATensorAllTheSame)
{
    const ops::Fact derived;
    const auto known = knownTensor(sizes(), declared, &derived);
    ASSERT_TRUE(known);
    EXPECT_FALSE(known->dtype || known->shape);
    EXPECT_FALSE(knownTensor(sizes(), other, &derived));
}

TEST(KnownTensor, isWhatTheFileSaysWhereNothingWasLookedAt)
{
    const auto known = knownTensor(sizes(), declared, nullptr);
    ASSERT_TRUE(known);
    EXPECT_EQ(ir::print(*known->shape), "[2]");
}

} // namespace
} // namespace cutaway::analysis
