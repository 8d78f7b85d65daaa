// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/models/loaded_model.h"

#include "core/base/result.h"
#include "plugins/torch/models/libraries.h"
#include "plugins/torch/values.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

namespace cutaway::plugins {

Result<c10::Device> parseDevice(const std::string &text)
try {
    const c10::Device device(text.empty() ? "cpu" : text);
    if (device.is_cuda() && !at::hasCUDA())
        return usageError("there is no CUDA device for '" + text + "'; this torch has the CPU alone");
    return device;
} catch (const c10::Error &) {
    return usageError("torch has no device '" + text + "'; devices lists what there is");
}

Result<std::unique_ptr<LoadedModel>> LoadedModel::load(const protocol::Load &load, const std::string &payload)
{
    CUTAWAY_TRY(const auto device, parseDevice(load.device));
    CUTAWAY_RETURN_IF_ERROR(loadLibraries(load.libraries));
    if (load.threads > 0)
        at::set_num_threads(static_cast<int>(load.threads));
    if (load.form == "torchscript")
        return loadScript(load, payload, device);
    if (!load.form.empty() && load.form != "ir")
        return usageError("torch runs no files of the format '" + load.form + "'");
    return loadGraph(load, payload, device);
}

} // namespace cutaway::plugins
