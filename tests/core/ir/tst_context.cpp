// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "core/ir/cow_array.h"
#include "core/ir/lists.h"
#include "core/ir/stable_vector.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace cutaway::ir {

namespace {

TEST(Context, entryZeroIsTheEmptyOne)
{
    Context context;
    EXPECT_EQ(context.text(NameId{}), "");
    EXPECT_EQ(context.name(""), NameId{});
    EXPECT_EQ(context.type(UnknownType{}), TypeId{});
    EXPECT_EQ(context.op("", ""), OpId{});
    EXPECT_EQ(context.location({}), LocationId{});
    EXPECT_EQ(context.scope({}), ScopeId{});
    EXPECT_EQ(context.at(ScopeId{}).parent, ScopeId{});
}

TEST(Context, equalThingsAreOne)
{
    Context context;
    const NameId a = context.name("a"), b = context.name("b");
    EXPECT_NE(a, b);
    EXPECT_EQ(context.name(std::string("a")), a);
    EXPECT_EQ(context.op("aten", "add", "Tensor"), context.op("aten", "add", "Tensor"));
    EXPECT_NE(context.op("aten", "add", "Tensor"), context.op("aten", "add", "Scalar"));
    const TensorType tensor{
        DType::Float32, Shape{std::int64_t{1}, symbolic::Expr::symbol("s0"), UnknownDim{}}, {}, {}, Layout::Strided,
        false};
    EXPECT_EQ(context.type(tensor), context.type(TensorType(tensor)));
    EXPECT_EQ(context.print(context.type(tensor)), "float32[1, s0, ?]");
    TensorType other = tensor;
    other.shape->back() = std::int64_t{2};
    EXPECT_NE(context.type(other), context.type(tensor));
    EXPECT_EQ(context.location({a, 3, b, {}, {}}), context.location({a, 3, b, {}, {}}));
    EXPECT_NE(context.location({a, 3, b, {}, {}}), context.location({a, 4, b, {}, {}}));
}

TEST(Context, scopesAreCallsOfModules)
{
    Context context;
    const ScopeId layer = context.childScope({}, "layer1", "Sequential");
    const ScopeId first = context.childScope(layer, "0"), second = context.childScope(layer, "0", {}, 1);
    EXPECT_NE(first, second);
    EXPECT_EQ(context.text(context.at(first).path), "layer1.0");
    EXPECT_EQ(context.at(second).parent, layer);
    EXPECT_EQ(context.childScope(layer, "0"), first);
}

TEST(Context, namesOutliveTheirSource)
{
    Context context;
    std::vector<std::string_view> texts;
    for (int i = 0; i < 20'000; ++i)
        texts.push_back(context.text(context.name("name" + std::to_string(i) + std::string(i % 40, 'x'))));
    const std::string large(100'000, 'y');
    EXPECT_EQ(context.text(context.name(large)), large);
    for (int i = 0; i < 20'000; ++i)
        ASSERT_EQ(texts[i], "name" + std::to_string(i) + std::string(i % 40, 'x'));
}

TEST(StableVector, elementsStayWhileItGrows)
{
    StableVector<std::string> vector;
    vector.append("first");
    const std::string *const first = &vector[0];
    for (int i = 1; i < 10'000; ++i)
        EXPECT_EQ(vector.append(std::to_string(i)), static_cast<std::uint32_t>(i));
    EXPECT_EQ(&vector[0], first);
    for (int i = 1; i < 10'000; ++i)
        ASSERT_EQ(vector[i], std::to_string(i));
}

TEST(StableVector, oneThreadReadsWhileAnotherAppends)
{
    StableVector<std::uint32_t> vector;
    std::atomic<bool> wrong = false;
    std::thread reader([&] {
        for (std::uint32_t seen = 0; seen < 100'000; seen = vector.size())
            wrong = wrong || (seen > 0 && vector[seen - 1] != seen - 1);
    });
    for (std::uint32_t i = 0; i < 100'000; ++i)
        vector.append(i);
    reader.join();
    EXPECT_FALSE(wrong);
}

TEST(CowArray, copiesShareUntilOneWrites)
{
    CowArray<int> array;
    for (int i = 0; i < 1000; ++i)
        array.append(i);
    CowArray<int> copy = array;
    EXPECT_TRUE(copy.sharesWith(array, 999));
    copy.edit(300) = -1;
    copy.append(1000);
    EXPECT_EQ(array[300], 300);
    EXPECT_EQ(copy[300], -1);
    EXPECT_EQ(array.size(), 1000u);
    EXPECT_FALSE(copy.sharesWith(array, 300));
    for (const std::uint32_t untouched : {0, 299, 301, 999})
        EXPECT_TRUE(copy.sharesWith(array, untouched)) << untouched;
}

TEST(RareList, isAListWhetherEmptyOrNot)
{
    RareList<int> list;
    EXPECT_TRUE(list.empty());
    EXPECT_TRUE(std::ranges::equal(list, std::vector<int>()));
    EXPECT_EQ(list, RareList<int>(std::vector<int>()));
    list.push_back(3);
    list.push_back(4);
    const RareList<int> copy = list;
    list = std::vector{5};
    EXPECT_TRUE(std::ranges::equal(copy, std::vector{3, 4}));
    EXPECT_EQ(copy.front(), 3);
    EXPECT_EQ(copy.back(), 4);
    EXPECT_EQ(std::vector<int>(list), std::vector{5});
    EXPECT_NE(copy, list);
}

} // namespace

} // namespace cutaway::ir
