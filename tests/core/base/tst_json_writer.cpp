// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/json_writer.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway {
namespace {

TEST(JsonWriter, SeparatesMembersAndItems)
{
    JsonWriter json;
    json.beginObject();
    json.member("a", 1);
    json.key("b");
    json.beginArray();
    json.value(true);
    json.null();
    json.beginObject();
    json.endObject();
    json.endArray();
    json.member("c", "text");
    json.endObject();
    EXPECT_EQ(json.text(), R"({"a":1,"b":[true,null,{}],"c":"text"})");
}

TEST(JsonWriter, KeepsFloatsFloatsAndWritesInfinitiesAsText)
{
    JsonWriter json;
    json.beginArray();
    json.value(2.0);
    json.value(1e-5);
    json.value(1e300);
    json.value(std::numeric_limits<double>::infinity());
    json.value(std::numeric_limits<double>::quiet_NaN());
    json.value(std::numeric_limits<std::int64_t>::min());
    json.value(std::numeric_limits<std::uint64_t>::max());
    json.endArray();
    EXPECT_EQ(json.text(), R"([2.0,1e-05,1e+300,"Infinity","NaN",-9223372036854775808,18446744073709551615])");
}

TEST(JsonWriter, EscapesTextAndMakesItValid)
{
    JsonWriter json;
    json.value(std::string_view("q\" b\\ n\n \x01 \xFF é"));
    EXPECT_EQ(json.text(), "\"q\\\" b\\\\ n\\n \\\\x01 \uFFFD é\"");
}

} // namespace
} // namespace cutaway
