// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/probe.h"

#include <optional>
#include <string>

namespace cutaway::formats {

/// One sentence on a file that is not a model Cutaway reads: what it is and what to do
/// ("a TensorFlow Lite model; convert it to ONNX with tf2onnx and open that"). Nothing if unknown.
std::optional<std::string> recognize(const archive::Probe &file);

} // namespace cutaway::formats
