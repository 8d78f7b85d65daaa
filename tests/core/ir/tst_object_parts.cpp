// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a file's objects, and of a module by name.
#include "core/ir/context.h"
#include "core/ir/objects/module_parts.h"
#include "core/ir/objects/object_parts.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::ir {
namespace {

TEST(ObjectParts, ofAnObjectThatHoldsItself)
{
    const Model model =
        test::parsed("storage 0: 8 bytes missing \"a test\"\n"
                     "tensor @p.w: float32[2] in storage 0\n"
                     "module 0 \"\" class \"Net\" tensors(@p.w) attributes(p: opaque \"P\" = object @p, "
                     "p.own: opaque \"P\" = object @p, p.list: list<opaque \"P\"> = [object @p, object @q], "
                     "q.first: opaque \"P\" = object @p)\n"
                     "object @p class \"P\" member \"data.pkl\"\n"
                     "object @q class \"P\" member \"data.pkl\"\n");
    const ObjectParts parts(model);
    EXPECT_EQ(parts.tensorsOf("p"), (std::vector{TensorId{0}}));
    EXPECT_EQ(parts.tensorsOf("q"), (std::vector{TensorId{0}}));
}

TEST(ModuleParts, areFoundByNameAndPosition)
{
    const Model model = test::parsed("storage 0: 8 bytes missing \"a test\"\n"
                                     "tensor @a.w: float32[2] in storage 0\n"
                                     "module 0 \"\" class \"Net\"\n"
                                     "module 1 in 0 \"a\" class \"A\" tensors(@a.w) attributes(n: int = 3)\n"
                                     "module 2 in 0 \"b\" class \"B\"\n"
                                     "module 3 in 0 \"0\" class \"B\"\n");
    const ModuleId root;
    EXPECT_EQ(childOf(model, root, "b"), ModuleId{2});
    EXPECT_EQ(childOf(model, root, "c"), std::nullopt);
    EXPECT_EQ(childAt(model, root, 0), ModuleId{3});
    EXPECT_EQ(childAt(model, root, 1), std::nullopt);
    EXPECT_EQ(childAt(model, root, -1), std::nullopt);
    EXPECT_EQ(tensorOf(model, ModuleId{1}, "w"), TensorId{0});
    EXPECT_EQ(tensorOf(model, ModuleId{1}, "a.w"), std::nullopt);
    ASSERT_NE(attributeOf(model, ModuleId{1}, "n"), nullptr);
    EXPECT_EQ(attributeOf(model, ModuleId{1}, "n")->value, Operand(std::int64_t{3}));
    EXPECT_EQ(attributeOf(model, ModuleId{2}, "n"), nullptr);
}

} // namespace
} // namespace cutaway::ir
