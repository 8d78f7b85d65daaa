// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

#include <onnxruntime_cxx_api.h>

namespace cutaway::plugins {

/// Returns the processor, and the devices of other execution providers in this ONNX Runtime: "dnnl", "cuda:0", …
std::vector<protocol::Devices::Device> providerDevices();

/// Makes a session run on a device, which is named by an id of providerDevices(). Its provider runs the nodes that it
/// supports, the processor the others. Errors: Usage for a device that is not there. Throws Ort::Exception if the
/// provider's libraries cannot be loaded.
Result<void> useDevice(Ort::SessionOptions &options, std::string_view device);

} // namespace cutaway::plugins
