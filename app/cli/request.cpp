// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request.h"

#include "core/analysis/known_devices.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "core/ir/weights_only.h"
#include "core/request/given.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

void declareInputs(CLI::App &command, std::vector<std::string> &inputs)
{
    command
        .add_option("--input", inputs,
                    "What an input is: a shape x=1x3x224x224:float32, also another one than the file's, or with a "
                    "symbol x=Nx3x224x224:float32; its elements pads=[0,0,1,1] or x=@x.npy (.pt, .json too); a number "
                    "n=3")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

void declareRequest(CLI::App &command, std::string &file, RequestArguments &arguments)
{
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_option("--bind", arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, arguments.inputs);
    command.add_option("--function", arguments.function, "Report this function instead of all")->type_name("NAME");
    command.add_option("--device", arguments.device, "Estimate the time on this processor, see 'cutaway-cli devices'")
        ->type_name("ID");
    command
        .add_option("--sweep", arguments.sweep,
                    "Costs against a symbol: s0=1:256, s0=1:256:8 every eighth, s0=1:256:*2 doubled each time; a size "
                    "that the file fixes becomes a symbol by --input")
        ->type_name("S=FIRST:LAST");
}

Result<Request> readRequest(const std::string &file, const RequestArguments &arguments)
{
    std::optional<analysis::Device> device;
    if (!arguments.device.empty()) {
        CUTAWAY_TRY(device, analysis::findDevice(arguments.device));
    }
    CUTAWAY_TRY(Opened opened,
                arguments.inKernels ? openInKernels(file, arguments.function) : openModel(file, arguments.function));
    auto &[model, function] = opened;
    // A file of this format has a graph only if a plugin has made one.
    if (ir::formatOf(model).holdsWeightsOnly && ir::isWeightsOnly(model))
        return unreadable(formatted("weights without a graph ({}); 'cutaway-cli tensor' shows them",
                                    quantity(model.tensors.size(), "tensor")));
    CUTAWAY_TRY(const auto given, request::readGiven(model, function, arguments.bindings, arguments.inputs));
    std::optional<analysis::Sweep> sweep;
    if (!arguments.sweep.empty()) {
        CUTAWAY_TRY(const auto variation, request::parseSweep(model, given.bindings, arguments.sweep));
        sweep = analysis::sweep(model, function, given.withoutTensors(), variation, device ? &*device : nullptr);
    }
    const auto named = arguments.function.empty() ? std::nullopt : std::optional(function);
    return Request{std::move(opened), named, given.withoutTensors(), std::move(device), std::move(sweep)};
}

} // namespace cutaway::cli
