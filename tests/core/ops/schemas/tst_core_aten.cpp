// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/core_aten.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

TEST(CoreAten, TagsOverloads)
{
    EXPECT_TRUE(ops::isCoreAten("aten", "add", "Tensor"));
    EXPECT_TRUE(ops::isCoreAten("aten", "relu", ""));
    EXPECT_TRUE(ops::isCoreAten("aten", "relu", "default"));
    EXPECT_FALSE(ops::isCoreAten("aten", "add_", "Tensor"));
    EXPECT_FALSE(ops::isCoreAten("aten", "sum", ""));
    EXPECT_TRUE(ops::isCoreAten("aten", "sum", "dim_IntList"));
    EXPECT_FALSE(ops::isCoreAten("onnx", "relu", ""));
    EXPECT_FALSE(ops::isCoreAten("aten", "linear", ""));
}

TEST(CoreAten, SaysOfWhichTorchItIs)
{
    EXPECT_FALSE(ops::coreAtenVersion().empty());
    EXPECT_NE(ops::coreAtenVersion().find('.'), std::string_view::npos);
}

} // namespace
} // namespace cutaway::test
