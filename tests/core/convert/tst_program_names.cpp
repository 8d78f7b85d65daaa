// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Names of values and tensors in a program of torch.export.
#include "core/convert/pt2/program_names.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using namespace convert;

TEST(ProgramNames, areIdentifiersThatPythonDoesNotUse)
{
    EXPECT_EQ(programName("layer1.0/out"), "layer1_0_out");
    EXPECT_EQ(programName("0"), "v_0");
    EXPECT_EQ(programName(""), "v_");
    EXPECT_EQ(programName("lambda"), "lambda_1");
    EXPECT_EQ(programName("self"), "self_1");
}

TEST(AttributeNames, areNoNamesThatEveryModuleHas)
{
    AttributeNames names;
    EXPECT_EQ(names.fresh("net.weight"), "net.weight");
    EXPECT_EQ(names.fresh("net.forward"), "net.forward_");
    EXPECT_EQ(names.fresh("to.w"), "to_.w");
    EXPECT_EQ(names.fresh("net..w"), "net._.w");
}

TEST(AttributeNames, areOfOneTensorAndOfNoModule)
{
    AttributeNames names;
    EXPECT_EQ(names.fresh("a"), "a");
    EXPECT_EQ(names.fresh("a"), "a_1");
    EXPECT_EQ(names.fresh("a.b"), "a_2.b");
    EXPECT_EQ(names.fresh("a.c.d"), "a_2.c.d");
    EXPECT_EQ(names.fresh("m.w"), "m.w");
    EXPECT_EQ(names.fresh("m"), "m_1");
}

} // namespace
} // namespace cutaway::test
