// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/elementwise.h"
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

/// The parts of all processes, one after another.
Facts gathered(const Call &call)
{
    const ir::Shape *part = call.shape(0u);
    if (!part || part->empty())
        return call.unknown("the shape of a part is not known");
    ir::Shape whole = *part;
    whole[0] = times(whole[0], call.size("group_size").value_or(ir::UnknownDim{}));
    return {tensorFact(call.dtypeOf(0u), std::move(whole))};
}

// Operators with regions have no rule: propagation walks their regions.
constexpr Operator controlFlowRows[] = {
    {.names = "aten::wait prim::awaitable_wait", .category = Category::ControlFlow, .shape = wait},
    {.names = "_c10d_functional::wait_tensor c10d_functional::wait_tensor",
     .category = Category::ControlFlow,
     .shape = wait,
     .effect = Effect::Acts},
    {.names = "_c10d_functional::all_reduce c10d_functional::all_reduce _c10d_functional::broadcast "
              "c10d_functional::broadcast",
     .category = Category::ControlFlow,
     .shape = likeFirst,
     .effect = Effect::Acts},
    {.names = "_c10d_functional::all_gather_into_tensor c10d_functional::all_gather_into_tensor",
     .category = Category::ControlFlow,
     .shape = gathered,
     .effect = Effect::Acts},
    {.names = "_c10d_functional::all_gather_into_tensor_out _c10d_functional::all_gather_into_tensor_coalesced "
              "_c10d_functional::all_reduce_coalesced _c10d_functional::all_to_all_single "
              "c10d_functional::all_to_all_single "
              "_c10d_functional::reduce_scatter_tensor c10d_functional::reduce_scatter_tensor "
              "_c10d_functional::reduce_scatter_tensor_out _c10d_functional::reduce_scatter_tensor_coalesced "
              "_c10d_functional::isend _c10d_functional::irecv",
     .category = Category::ControlFlow,
     .effect = Effect::Acts},
    {.names = "prim::If prim::Loop prim::fork prim::awaitable onnx::If onnx::Loop onnx::Scan onnx::SequenceMap "
              "prim::CallMethod prim::CallFunction higher_order::cond higher_order::while_loop higher_order::map "
              "higher_order::map_impl higher_order::scan higher_order::associative_scan higher_order::wrap "
              "higher_order::wrap_with_autocast higher_order::wrap_with_set_grad_enabled "
              "higher_order::wrap_activation_checkpoint higher_order::tag_activation_checkpoint "
              "higher_order::autograd_function_apply higher_order::custom_function_call higher_order::call_torchbind "
              "higher_order::hints_wrapper higher_order::invoke_subgraph higher_order::out_dtype "
              "higher_order::run_and_save_rng_state higher_order::run_with_rng_state higher_order::strict_mode "
              "higher_order::trace_wrapped higher_order::triton_kernel_wrapper_functional "
              "higher_order::triton_kernel_wrapper_mutation higher_order::with_effects "
              "higher_order::auto_functionalized higher_order::auto_functionalized_v2 "
              "higher_order::executorch_call_delegate higher_order::flat_apply cutaway::fused cutaway::partition",
     .category = Category::ControlFlow},
    {.names = "prim::CreateObject", .category = Category::Creation, .shape = object},
    {.names = "prim::GetAttr", .category = Category::ShapeView, .shape = unknownAttribute},
    {.names = "prim::EnumValue prim::EnumName", .category = Category::ShapeView, .shape = anything},
    {.names = "prim::Enter", .category = Category::ControlFlow, .shape = anything, .effect = Effect::Acts},
    {.names =
         "prim::RaiseException prim::Print prim::Exit prim::SetAttr aten::warn aten::_print "
         "aten::set_grad_enabled higher_order::print higher_order::_export_tracepoint profiler::_record_function_enter "
         "profiler::_record_function_enter_new profiler::_record_function_exit "
         "profiler::_call_end_callbacks_on_jit_fut torch._functorch.predispatch::_vmap_increment_nesting "
         "torch._functorch.predispatch::_vmap_decrement_nesting torch._functorch.predispatch::lazy_load_decompositions",
     .category = Category::ControlFlow,
     .effect = Effect::Acts},
};

} // namespace

std::span<const Operator> controlFlowOperators() { return controlFlowRows; }

} // namespace cutaway::ops
