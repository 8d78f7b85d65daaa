// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::analysis {

/// The limits of a processor, as its maker states them or as they were measured.
struct Device {
    std::string id;                    ///< "h100-sxm"
    std::string name;                  ///< "NVIDIA H100 SXM5 80GB"
    std::string source;                ///< the document that the figures are from
    std::map<ir::DType, double> peaks; ///< FLOP/s of dense matrix products and convolutions
    double vectorPeak = 0;             ///< FLOP/s of everything else, in float32
    double bandwidth = 0;              ///< bandwidth of the device's memory in bytes/s
    double memory = 0;                 ///< bytes
};

/// Reads a device's JSON text: `{"id", "name", "source", "memory_bytes", "bandwidth", "vector_flops", "flops":
/// {"float16": …}}`, figures in bytes, bytes/s and FLOP/s. Errors: what is missing, unknown or not positive.
Result<Device> parseDevice(std::string_view json);

/// Prints the text that parseDevice() reads.
std::string printDevice(const Device &device);

/// The devices that come with the program (resources/devices), by id.
std::vector<Device> builtinDevices();

/// The devices of the JSON files in `folder`, by id; none if there is no such folder. Errors: the file and what is
/// wrong.
Result<std::vector<Device>> devicesIn(const std::string &folder);

} // namespace cutaway::analysis
