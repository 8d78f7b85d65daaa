// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/wire.h"

#include <string>

namespace cutaway::formats::onnx {

/// Returns a model's DeviceConfigurationProto in one line: "tp2: 2 devices, cuda:0 cuda:1".
std::string describeDevices(const Message &configuration);

/// Returns in one line how a node's NodeDeviceConfigurationProto splits its tensors over devices: "tp2; x on 0 1:
/// axis 0 of 8 by 2, stage 1"
std::string describeNodeDevices(const Message &configuration);

} // namespace cutaway::formats::onnx
