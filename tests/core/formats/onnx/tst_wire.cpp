// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/wire.h"

#include <gtest/gtest.h>
#include <ostream>

namespace cutaway::formats::onnx {
namespace {

Message messageOf(std::string_view bytes)
{
    const Bytes all = std::as_bytes(std::span(bytes));
    return {all, all.data()};
}

/// Returns the error of reading all fields, or "".
std::string fieldErrorOf(std::string_view bytes)
{
    try {
        MessageReader reader(messageOf(bytes));
        for (Field field; reader.next(field);) { }
    } catch (const Unusable &failure) {
        return failure.error.text();
    }
    return {};
}

TEST(MessageReader, GivesEveryKindOfField)
{
    using namespace std::literals;
    const std::string bytes = "\x08\x96\x01\x12\x02hi\x1d\x00\x00\x80\x3f\x21\x00\x00\x00\x00\x00\x00\xf0\x3f"s;
    MessageReader reader(messageOf(bytes));
    Field field;
    ASSERT_TRUE(reader.next(field));
    EXPECT_EQ(field.tag, varintField(1));
    EXPECT_EQ(field.integer(), 150);
    ASSERT_TRUE(reader.next(field));
    EXPECT_EQ(field.tag, bytesField(2));
    EXPECT_EQ(field.text(), "hi");
    EXPECT_EQ(field.payload.offset(), 5u);
    ASSERT_TRUE(reader.next(field));
    EXPECT_EQ(field.tag, fixed32Field(3));
    EXPECT_EQ(field.real(), 1.0f);
    ASSERT_TRUE(reader.next(field));
    EXPECT_EQ(field.tag, fixed64Field(4));
    EXPECT_EQ(field.longReal(), 1.0);
    EXPECT_FALSE(reader.next(field));
}

TEST(MessageReader, ReadsListsPackedAndNot)
{
    std::vector<std::uint64_t> numbers;
    MessageReader reader(messageOf("\x08\x05\x0a\x03\x01\xac\x02"));
    for (Field field; reader.next(field);)
        forEachVarint(field, [&](std::uint64_t n) { numbers.push_back(n); });
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{5, 1, 300}));
}

struct DamageRow {
    const char *name;
    std::string bytes;
    const char *message;
};

void PrintTo(const DamageRow &row, std::ostream *out) { *out << row.name; }

class Damage : public testing::TestWithParam<DamageRow> { };

TEST_P(Damage, IsAnErrorWithItsPlace)
{
    const std::string error = fieldErrorOf(GetParam().bytes);
    EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
    EXPECT_NE(error.find("byte "), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Wire, Damage,
    testing::Values(DamageRow{"Group", "\x0b", "group"}, DamageRow{"WireTypeSeven", "\x0f", "wire type 7"},
                    DamageRow{"FieldZero", std::string("\x00\x01", 2), "its number is 0"},
                    DamageRow{"EndlessVarint", "\x08" + std::string(11, '\xff'), "more than 10 bytes"},
                    DamageRow{"CutVarint", "\x08\x80", "cut off"}, DamageRow{"CutFixed", "\x1d\x01", "cut off"},
                    DamageRow{"LengthPastEnd", "\x12\x7fx", "only 1 are left"},
                    DamageRow{"HugeLength", "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "18446744073709551615"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::formats::onnx
