// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/passes.h"

#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/verify.h"
#include "plugins/torch/jit/jit_graph.h"
#include "plugins/torch/jit/read_back.h"

#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <array>
#include <torch/csrc/jit/passes/common_subexpression_elimination.h>
#include <torch/csrc/jit/passes/concat_opt.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/decompose_ops.h>
#include <torch/csrc/jit/passes/eliminate_no_ops.h>
#include <torch/csrc/jit/passes/frozen_conv_folding.h>
#include <torch/csrc/jit/passes/frozen_linear_folding.h>
#include <torch/csrc/jit/passes/fuse_linear.h>
#include <torch/csrc/jit/passes/loop_unrolling.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/normalize_ops.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/remove_dropout.h>
#include <torch/csrc/jit/passes/remove_exceptions.h>
#include <torch/csrc/jit/passes/remove_mutation.h>

namespace cutaway::plugins {

namespace {

using Graph = std::shared_ptr<torch::jit::Graph>;

/// Does what torch.jit.freeze does to a module's graph once the attributes are constants, but without torch's common
/// subexpression elimination, which would merge weights with equal elements.
void freeze(Graph &graph)
{
    torch::jit::EliminateDeadCode(graph);
    torch::jit::PeepholeOptimize(graph);
    torch::jit::ConstantPropagation(graph);
    torch::jit::EliminateNoOps(graph);
    torch::jit::LowerSimpleTuples(graph);
    torch::jit::EliminateDeadCode(graph);
}

void removeMutation(Graph &graph)
{
    torch::jit::RemoveListMutation(graph);
    torch::jit::RemoveTensorMutation(graph);
}

struct Pass {
    std::string_view name;
    WeightsAs weights;
    void (*run)(Graph &);
};
const std::array passes{
    Pass{"freeze", WeightsAs::Constants, freeze},
    Pass{"peephole", WeightsAs::Inputs, [](Graph &graph) { torch::jit::PeepholeOptimize(graph); }},
    Pass{"constant-propagation", WeightsAs::Inputs, [](Graph &graph) { torch::jit::ConstantPropagation(graph); }},
    Pass{"cse", WeightsAs::Inputs, [](Graph &graph) { torch::jit::EliminateCommonSubexpression(graph); }},
    Pass{"dce", WeightsAs::Inputs, [](Graph &graph) { torch::jit::EliminateDeadCode(graph); }},
    Pass{"lower-simple-tuples", WeightsAs::Inputs, [](Graph &graph) { torch::jit::LowerSimpleTuples(graph); }},
    Pass{"fold-conv-bn", WeightsAs::Constants, [](Graph &graph) { torch::jit::FoldFrozenConvBatchnorm(graph); }},
    Pass{"fold-conv-add", WeightsAs::Constants, [](Graph &graph) { torch::jit::FoldFrozenConvAddOrSub(graph); }},
    Pass{"fold-conv-mul", WeightsAs::Constants, [](Graph &graph) { torch::jit::FoldFrozenConvMulOrDiv(graph); }},
    Pass{"fold-linear-bn", WeightsAs::Constants, [](Graph &graph) { torch::jit::FoldFrozenLinearBatchnorm(graph); }},
    Pass{"remove-dropout", WeightsAs::Inputs, [](Graph &graph) { torch::jit::removeDropout(graph); }},
    Pass{"remove-mutation", WeightsAs::Inputs, removeMutation},
    Pass{"functional-activations", WeightsAs::Inputs,
         [](Graph &graph) { torch::jit::InplaceToFunctionalActivation(graph); }},
    Pass{"remove-exceptions", WeightsAs::Inputs, [](Graph &graph) { torch::jit::EliminateExceptions(graph); }},
    Pass{"no-ops", WeightsAs::Inputs, [](Graph &graph) { torch::jit::EliminateNoOps(graph); }},
    Pass{"normalize", WeightsAs::Inputs, [](Graph &graph) { torch::jit::NormalizeOps(graph); }},
    Pass{"unroll-constant-loops", WeightsAs::Inputs, [](Graph &graph) { torch::jit::UnrollConstantLoops(graph); }},
    Pass{"fuse-linear", WeightsAs::Inputs, [](Graph &graph) { torch::jit::FuseLinear(graph); }},
    Pass{"decompose-ops", WeightsAs::Inputs, [](Graph &graph) { torch::jit::DecomposeOps(graph); }},
    Pass{"combine-concats", WeightsAs::Inputs, [](Graph &graph) { torch::jit::CombineConcats(graph); }},
};

std::unexpected<Error> fault(ErrorKind kind, std::string message)
{
    return std::unexpected(Error{kind, std::move(message), {}});
}

Result<std::string> changed(const Pass &pass, ir::Model model, ir::FunctionId function)
try {
    const at::NoGradGuard noGradients;
    const auto program = Program::unmade(model, function);
    CUTAWAY_TRY(auto jit, jitGraphOf(*program, pass.weights));
    pass.run(jit.graph);
    readBack(model, function, jit);
    return ir::printJson(model);
} catch (const c10::Error &error) {
    return fault(ErrorKind::Backend, error.what_without_backtrace());
} catch (const std::exception &error) {
    return fault(ErrorKind::Backend, error.what());
}

} // namespace

Result<std::string> transform(const protocol::Transform &request, const std::string &payload)
{
    const auto *pass = std::ranges::find(passes, request.pass, &Pass::name);
    if (pass == passes.end())
        return fault(ErrorKind::Usage, "torch has no pass '" + request.pass + "'");
    CUTAWAY_TRY(auto model, ir::parseJson(payload));
    if (const auto faults = ir::verify(model); !faults.empty())
        return fault(ErrorKind::Usage, "the model is not sound: " + faults.front());
    const auto function = functionOf(model, request.function);
    if (!function)
        return fault(ErrorKind::Usage, "the model has no function '" + request.function + "'");
    return changed(*pass, std::move(model), *function);
}

} // namespace cutaway::plugins
