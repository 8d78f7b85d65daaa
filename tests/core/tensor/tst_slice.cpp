// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/slice.h"

#include "core/base/formatted.h"

#include <gtest/gtest.h>

namespace cutaway::tensor {
namespace {

/// "[2, 2]: 1 2 5 6", checked against a walk over all indices.
std::string placesOf(const std::string &text, const std::vector<std::int64_t> &shape)
{
    const auto slice = parseSlice(text, shape);
    if (!slice)
        return slice.error().text();
    const SlicePlaces places(shape, *slice);
    std::string line = "[";
    for (const std::int64_t size : slice->shape())
        line += (line.size() > 1 ? ", " : "") + std::to_string(size);
    line += "]:";
    for (std::uint64_t k = 0; k < slice->count(); ++k) {
        line += formatted(" {}", places.at(k));
        const std::uint64_t run = std::min(places.runAt(k), slice->count() - k);
        for (std::uint64_t next = 1; next < run; ++next)
            EXPECT_EQ(places.at(k + next), places.at(k) + next) << text;
    }
    return line;
}

TEST(Slice, isWhatPythonSays)
{
    EXPECT_EQ(placesOf("", {2, 3}), "[2, 3]: 0 1 2 3 4 5");
    EXPECT_EQ(placesOf("1", {2, 3}), "[3]: 3 4 5");
    EXPECT_EQ(placesOf("-1, -1", {2, 3}), "[]: 5");
    EXPECT_EQ(placesOf("[:, 1]", {2, 3}), "[2]: 1 4");
    EXPECT_EQ(placesOf(":, ::2", {2, 3}), "[2, 2]: 0 2 3 5");
    EXPECT_EQ(placesOf("..., 0", {2, 2, 2}), "[2, 2]: 0 2 4 6");
    EXPECT_EQ(placesOf("0, ..., 1:", {2, 2, 2}), "[2, 1]: 1 3");
    EXPECT_EQ(placesOf("-2:", {5}), "[2]: 3 4");
    EXPECT_EQ(placesOf("1:100:3", {8}), "[3]: 1 4 7");
    EXPECT_EQ(placesOf("5:2", {8}), "[0]:");
    EXPECT_EQ(placesOf(":, 1:3", {3, 3}), "[3, 2]: 1 2 4 5 7 8");
    EXPECT_EQ(placesOf("1:3, :", {3, 3}), "[2, 3]: 3 4 5 6 7 8");
    EXPECT_EQ(placesOf("", {}), "[]: 0");
}

TEST(Slice, saysWhatIsWrong)
{
    EXPECT_EQ(placesOf("2", {2}), "index 2 is outside of a dimension of 2");
    EXPECT_EQ(placesOf("-3", {2}), "index -3 is outside of a dimension of 2");
    EXPECT_EQ(placesOf("a", {2}), "'a' is no index and no START:STOP:STEP");
    EXPECT_EQ(placesOf("::0", {2}), "'::0' has a step below 1");
    EXPECT_EQ(placesOf("1:2:3:4", {2}), "'1:2:3:4' is no index and no START:STOP:STEP");
    EXPECT_EQ(placesOf("0,0", {2}), "'0,0' has more parts than the tensor has dimensions: 1");
    EXPECT_EQ(placesOf("...,...", {2}), "'...,...' has more parts than the tensor has dimensions: 1");
}

TEST(Slice, becomesAMatrixThatFits)
{
    const auto matrix = [](const std::vector<std::int64_t> &shape, std::int64_t rows, std::int64_t columns) {
        std::string text;
        for (const Slice::Range &range : matrixOf(wholeOf(shape), rows, columns).ranges)
            text += formatted("{}{}+{}x{} ", range.isIndex ? "=" : "", range.start, range.count, range.step);
        return text;
    };
    EXPECT_EQ(matrix({4, 5}, 8, 8), "0+4x1 0+5x1 ");
    EXPECT_EQ(matrix({100, 17}, 10, 8), "0+10x10 0+6x3 ");
    EXPECT_EQ(matrix({2, 3, 4, 5}, 8, 8), "=0+1x1 =0+1x1 0+4x1 0+5x1 ");
    EXPECT_EQ(matrix({9}, 8, 4), "0+3x3 ");
}

} // namespace
} // namespace cutaway::tensor
