// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/probe.h"

#include <optional>
#include <string>

namespace cutaway::formats {

/// Describes in a sentence a file that contains no model that Cutaway reads, and what to do ("a TensorFlow Lite
/// model; convert it to ONNX with tf2onnx and open that"). Nothing if the file is unknown.
std::optional<std::string> recognize(const archive::Probe &file);

} // namespace cutaway::formats
