// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/named_function.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

TEST(NamedFunction, isFoundOrToldWithThoseThatThereAre)
{
    const ir::Model model = test::parsed("graph @forward(%x: float32[2]) { return %x }\n"
                                         "function @Encode(%x: float32[2]) { return %x }\n"
                                         "function @decode(%x: float32[2]) { return %x }");
    EXPECT_EQ(request::findFunction(model, ""), ir::FunctionId{0});
    EXPECT_EQ(request::findFunction(model, "decode"), ir::FunctionId{2});
    const auto none = request::findFunction(model, "code");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::Usage);
    EXPECT_EQ(none.error().text(), "unknown function 'code'; the file has Encode, decode, forward");
    EXPECT_EQ(request::findFunction(ir::Model(), "").error().text(), "the file has no graph");
}

} // namespace
