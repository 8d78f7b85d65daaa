// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/families.h"

namespace cutaway::ops {

namespace {

/// What is waited for is what the future gives.
Facts wait(const Call &call) { return {call[0]}; }

/// Of some type that the file gives: what a context's __enter__ gives, an enum's value.
Facts anything(const Call &) { return {Fact()}; }

Facts object(const Call &) { return {ObjectFact{}}; }

/// Propagation itself knows what an attribute holds, if anybody does.
Facts unknownAttribute(const Call &call) { return call.unknown("what the attribute holds is not known"); }

// Operators with regions have no rule: propagation walks their regions.
constexpr Operator rows[] = {
    {.names = "aten::wait prim::awaitable_wait", .category = Category::ControlFlow, .shape = wait},
    {.names = "prim::If prim::Loop prim::fork prim::awaitable onnx::If onnx::Loop onnx::Scan higher_order::cond "
              "higher_order::while_loop higher_order::map_impl higher_order::scan higher_order::associative_scan",
     .category = Category::ControlFlow},
    {.names = "prim::CreateObject", .category = Category::Creation, .shape = object},
    {.names = "prim::GetAttr", .category = Category::ShapeView, .shape = unknownAttribute},
    {.names = "prim::EnumValue prim::EnumName", .category = Category::ShapeView, .shape = anything},
    {.names = "prim::Enter", .category = Category::ControlFlow, .shape = anything, .effect = Effect::Acts},
    {.names = "prim::RaiseException prim::Print prim::Exit prim::SetAttr aten::warn",
     .category = Category::ControlFlow,
     .effect = Effect::Acts},
};

} // namespace

std::span<const Operator> controlFlowOperators() { return rows; }

} // namespace cutaway::ops
