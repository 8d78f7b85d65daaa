// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/contents.h"

#include "compared.h"

namespace cutaway::test {
namespace {

struct ContentsRow {
    const char *name;
    const char *a, *b; ///< names of tensors
    std::vector<std::size_t> order;
    diff::ContentComparison expected;
};

/// Two bytes an element: @plain is [2, 3], @turned its transpose in memory.
constexpr const char *tensors = R"(
    storage 0: 12 bytes data "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"
    storage 1: 12 bytes data "\x01\x00\x04\x00\x02\x00\x05\x00\x03\x00\x06\x00"
    storage 2: 12 bytes data "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x01\x06\x00"
    storage 3: 12 bytes missing "a test"
    storage 4: 2 bytes data "\x21\x03"
    storage 5: 2 bytes data "\x31\x13"
    storage 6: 24 bytes data "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08\x00\x09\x00\x0a\x00\x0b\x00\x0c\x00"
    storage 7: 24 bytes data "\x01\x00\x07\x00\x02\x00\x08\x00\x03\x00\x09\x00\x04\x00\x0a\x00\x05\x00\x0b\x00\x06\x00\x0c\x00"
    tensor @plain: int16[2, 3] parameter in storage 0
    tensor @turned: int16[3, 2] parameter in storage 1
    tensor @view: int16[2, 3] strides[1, 2] parameter in storage 1
    tensor @other: int16[2, 3] parameter in storage 2
    tensor @gone: int16[2, 3] parameter in storage 3
    tensor @nibbles: uint4[3] parameter in storage 4
    tensor @otherNibbles: uint4[3] parameter in storage 5
    tensor @cube: int16[2, 3, 2] parameter in storage 6
    tensor @turnedCube: int16[3, 2, 2] parameter in storage 7)";

class Contents : public testing::TestWithParam<ContentsRow> { };

TEST_P(Contents, areComparedByAllElements)
{
    const ir::Model model = parsed(tensors), same = parsed(tensors);
    const auto id = [&](const std::string &name) {
        ir::TensorId found{0};
        while (model.context->text(model.at(found).name) != name)
            ++found.index;
        return found;
    };
    diff::Contents contents(model, same);
    const ContentsRow &row = GetParam();
    EXPECT_EQ(row.order.empty() ? contents.compare(id(row.a), id(row.b))
                                : contents.compare(id(row.a), id(row.b), row.order),
              row.expected);
}

using diff::Differing;

INSTANTIATE_TEST_SUITE_P(Rows, Contents,
                         testing::Values(ContentsRow{"Same", "plain", "plain", {}, Differing{0, 6}},
                                         ContentsRow{"ThroughStrides", "plain", "view", {}, Differing{0, 6}},
                                         ContentsRow{"OneElement", "plain", "other", {}, Differing{1, 6}},
                                         ContentsRow{"OneElementBehindStrides", "other", "view", {}, Differing{1, 6}},
                                         ContentsRow{"Transposed", "plain", "turned", {1, 0}, Differing{0, 6}},
                                         ContentsRow{
                                             "TransposedWithOneOther", "other", "turned", {1, 0}, Differing{1, 6}},
                                         ContentsRow{"PermutedCube", "cube", "turnedCube", {2, 0, 1}, Differing{0, 12}},
                                         ContentsRow{"LessThanAByte", "nibbles", "otherNibbles", {}, Differing{1, 3}},
                                         ContentsRow{"Missing", "plain", "gone", {}, diff::NotComparable{"a test"}}),
                         [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
