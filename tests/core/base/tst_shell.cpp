// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shell.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(Shell, QuotesAnyWord)
{
    EXPECT_EQ(quotedForShell("model.onnx"), "'model.onnx'");
    EXPECT_EQ(quotedForShell(""), "''");
    EXPECT_EQ(quotedForShell("it's $HOME"), R"('it'\''s $HOME')");
}

} // namespace
} // namespace cutaway
