// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/text/text.h"

#include <gtest/gtest.h>
#include <string>

/// Models out of text.
namespace cutaway::test {

/// The model of a text that is known to be right; an empty one, and a failed test, if it is not.
inline ir::Model parsed(const std::string &text)
{
    auto model = ir::parseText(text);
    EXPECT_TRUE(model) << (model ? "" : model.error().text() + "\n" + text);
    return model ? std::move(*model) : ir::Model();
}

/// The model m whose main function is "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }"; further functions may
/// follow. `header`: lines before it, of tensors and opsets.
inline ir::Model modelOf(const std::string &graph, const std::string &header = "")
{
    return parsed("model \"m\"\n" + header + "graph @forward" + graph + "\n");
}

} // namespace cutaway::test
