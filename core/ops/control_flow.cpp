// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/families.h"

namespace cutaway::ops {

namespace {

/// What is waited for is what the future gives.
Facts wait(const Call &call) { return {call[0]}; }

// Operators with regions have no rule: propagation walks their regions.
constexpr Operator rows[] = {
    {.names = "aten::wait prim::awaitable_wait", .category = Category::ControlFlow, .shape = wait},
    {.names = "prim::If prim::Loop prim::fork prim::awaitable onnx::If onnx::Loop onnx::Scan higher_order::cond "
              "higher_order::while_loop higher_order::map_impl higher_order::scan higher_order::associative_scan",
     .category = Category::ControlFlow},
    {.names = "prim::RaiseException prim::Print prim::Enter prim::Exit prim::SetAttr aten::warn",
     .category = Category::ControlFlow,
     .effect = Effect::Acts},
};

} // namespace

std::span<const Operator> controlFlowOperators() { return rows; }

} // namespace cutaway::ops
