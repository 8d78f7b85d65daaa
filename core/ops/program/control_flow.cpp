// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/control_flow.h"

#include "core/ops/compute/rules.h"
#include "core/ops/elementwise.h"

namespace cutaway::ops {

namespace {

/// Returns the argument's fact: the fact of a future is that of its value.
Answer wait(const Call &call) { return {call[0]}; }

/// Returns an unknown value, whose type the file gives: the result of a context's __enter__.
Answer anything(const Call &) { return {Fact()}; }

/// Returns the name of a member of an enum, which is the text "__torch__.a.Color.RED".
Answer nameOfMember(const Call &call)
{
    const auto *member = call[0u].as<TextFact>();
    return {member ? Fact(TextFact{member->text.substr(member->text.rfind('.') + 1)}) : Fact()};
}

/// Returns the value of a member of an enum; `members` has the value of each.
Answer valueOfMember(const Call &call)
{
    const auto *dict = call["members"].as<DictFact>();
    const DictFact::Entries *members = dict ? dict->entries() : nullptr;
    for (std::size_t i = 0; members && i + 1 < members->size(); i += 2)
        if (call[0u].as<TextFact>() && (*members)[i] == call[0u])
            return {(*members)[i + 1]};
    return {Fact()};
}

Answer object(const Call &) { return {ObjectFact{}}; }

/// Returns an unknown value. It is called only for attributes whose values the propagation does not know.
Answer unknownAttribute(const Call &) { return unknown("what the attribute holds is not known"); }

/// Like unknownAttribute(), for the modules of a ModuleList or ModuleDict.
Answer unknownItemOfModules(const Call &) { return unknown("which of the modules it is, is not known"); }

// Collective operations, with the shapes of their meta functions in torch/distributed/_functional_collectives.py.

/// Returns the tensor with another first size; nothing if it has no dimensions.
std::optional<TensorFact> withFirstSize(const TensorFact *tensor, ir::Dim (*sizeOf)(const ir::Dim &, const ir::Dim &),
                                        const ir::Dim &processes)
{
    if (!tensor || !tensor->shape || tensor->shape->empty())
        return std::nullopt;
    ir::Shape shape = *tensor->shape;
    shape[0] = sizeOf(shape[0], processes);
    return tensorFact(tensor->dtype, std::move(shape));
}

Answer withFirstSizes(const Call &call, ir::Dim (*sizeOf)(const ir::Dim &, const ir::Dim &))
{
    const ir::Dim processes = call.size("group_size").value_or(ir::UnknownDim{});
    const auto tensors = call.tensor(0u) ? std::nullopt : call.tensors("inputs");
    std::vector<Fact> results;
    for (const TensorFact *part : tensors ? *tensors : std::vector{call.tensor(0u)}) {
        auto result = withFirstSize(part, sizeOf, processes);
        if (!result)
            return unknown("part shape unknown");
        results.emplace_back(*std::move(result));
    }
    if (tensors)
        return {listFact(std::move(results))};
    return {std::move(results.front())};
}

/// Returns the parts of all processes, one after another.
Answer gathered(const Call &call) { return withFirstSizes(call, times); }

/// Returns one part for each process.
Answer scattered(const Call &call) { return withFirstSizes(call, floorDivide); }

/// Joins the parts from all processes, whose sizes the call gives.
Answer exchanged(const Call &call)
{
    const ir::Shape *own = call.shape(0u);
    const auto parts = call.sizes("output_split_sizes");
    if (!own || own->empty() || !parts)
        return unknown("part shape unknown");
    ir::Shape shape = *own;
    shape[0] = std::int64_t{0};
    for (const ir::Dim &part : *parts)
        shape[0] = plus(shape[0], part);
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

// Operators with regions have no rule: propagation walks their regions.
constexpr Operator controlFlowRows[] = {
    Operator("aten::wait prim::awaitable_wait", Category::ControlFlow, Pattern::Control, wait, nullptr,
             {.compute = compute::asItIs}),
    Operator("_c10d_functional::wait_tensor c10d_functional::wait_tensor", Category::ControlFlow, Pattern::Control,
             wait, nullptr, {.effect = Effect::Acts}),
    Operator("_c10d_functional::all_reduce c10d_functional::all_reduce _c10d_functional::broadcast "
             "c10d_functional::broadcast",
             Category::ControlFlow, Pattern::Control, likeFirst, nullptr, {.effect = Effect::Acts}),
    Operator("_c10d_functional::all_gather_into_tensor c10d_functional::all_gather_into_tensor "
             "_c10d_functional::all_gather_into_tensor_coalesced",
             Category::ControlFlow, Pattern::Control, gathered, nullptr, {.effect = Effect::Acts}),
    Operator("_c10d_functional::reduce_scatter_tensor c10d_functional::reduce_scatter_tensor "
             "_c10d_functional::reduce_scatter_tensor_coalesced",
             Category::ControlFlow, Pattern::Control, scattered, nullptr, {.effect = Effect::Acts}),
    Operator("_c10d_functional::all_to_all_single c10d_functional::all_to_all_single", Category::ControlFlow,
             Pattern::Control, exchanged, nullptr, {.effect = Effect::Acts}),
    Operator("_c10d_functional::all_gather_into_tensor_out _c10d_functional::reduce_scatter_tensor_out "
             "_c10d_functional::all_reduce_coalesced _c10d_functional::isend _c10d_functional::irecv",
             Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.effect = Effect::Acts}),
    Operator("prim::If onnx::If", Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.kind = kind::ifElse}),
    Operator("prim::Loop onnx::Loop", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::loop, .repeatsRegions = true}),
    Operator("prim::CallMethod", Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.kind = kind::callMethod}),
    Operator("prim::CallFunction", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::callFunction}),
    Operator("higher_order::wrap_with_autocast", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::wrapWithAutocast}),
    Operator("higher_order::autograd_function_apply "
             "higher_order::custom_function_call higher_order::call_torchbind higher_order::out_dtype "
             "higher_order::run_and_save_rng_state higher_order::run_with_rng_state higher_order::trace_wrapped "
             "higher_order::triton_kernel_wrapper_functional higher_order::triton_kernel_wrapper_mutation "
             "higher_order::with_effects higher_order::auto_functionalized higher_order::auto_functionalized_v2 "
             "higher_order::executorch_call_delegate higher_order::flat_apply",
             Category::ControlFlow, Pattern::Control),
    Operator("prim::fork prim::awaitable", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::fork}),
    Operator("higher_order::wrap_with_set_grad_enabled", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::wrapWithSetGrad}),
    Operator("cutaway::fused cutaway::partition", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.runsRegionOnce = true}),
    Operator("cutaway::lowered", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::lowered, .runsRegionOnce = true}),
    Operator("onnx::Scan higher_order::scan higher_order::associative_scan", Category::ControlFlow, Pattern::Control,
             nullptr, nullptr, {.kind = kind::scan, .repeatsRegions = true}),
    Operator("onnx::SequenceMap", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::sequenceMap, .repeatsRegions = true}),
    Operator("higher_order::while_loop", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::whileLoop, .repeatsRegions = true}),
    Operator("higher_order::map higher_order::map_impl", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::map, .repeatsRegions = true}),
    Operator("higher_order::cond", Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.kind = kind::cond}),
    Operator("higher_order::wrap higher_order::wrap_activation_checkpoint higher_order::tag_activation_checkpoint "
             "higher_order::hints_wrapper higher_order::invoke_subgraph higher_order::strict_mode",
             Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.runsRegionOnce = true}),
    Operator("prim::CreateObject", Category::Creation, Pattern::Creating, object),
    Operator("prim::GetAttr", Category::ShapeView, Pattern::Moving, unknownAttribute, nullptr,
             {.kind = kind::getAttribute}),
    Operator("prim::ModuleContainerIndex", Category::ShapeView, Pattern::Moving, unknownItemOfModules, nullptr,
             {.kind = kind::itemOfModules}),
    Operator("prim::EnumValue", Category::ShapeView, Pattern::Moving, valueOfMember),
    Operator("prim::EnumName", Category::ShapeView, Pattern::Moving, nameOfMember),
    Operator("prim::Enter", Category::ControlFlow, Pattern::Control, anything, nullptr,
             {.kind = kind::enterContext, .effect = Effect::Acts}),
    Operator("prim::Exit", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::exitContext, .effect = Effect::Acts}),
    Operator("prim::RaiseException", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::raise, .effect = Effect::Acts}),
    Operator("prim::SetAttr", Category::ControlFlow, Pattern::Control, nullptr, nullptr,
             {.kind = kind::setAttribute, .effect = Effect::Acts}),
    Operator(
        "prim::Print aten::warn aten::_print aten::set_grad_enabled inductor::accumulate_grad_ "
        "torch._C::_set_grad_enabled torch._C::_log_api_usage_once "
        "higher_order::print higher_order::_export_tracepoint profiler::_record_function_enter "
        "profiler::_record_function_enter_new profiler::_record_function_exit profiler::_call_end_callbacks_on_jit_fut "
        "torch._functorch.predispatch::_vmap_increment_nesting torch._functorch.predispatch::_vmap_decrement_nesting "
        "torch._functorch.predispatch::lazy_load_decompositions",
        Category::ControlFlow, Pattern::Control, nullptr, nullptr, {.effect = Effect::Acts}),
};

} // namespace

std::span<const Operator> controlFlowOperators() { return controlFlowRows; }

} // namespace cutaway::ops
