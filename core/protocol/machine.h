// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/json/json_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway::protocol {

/// A computer's hardware; an empty text or 0 means unknown.
struct Machine {
    std::string host = {};
    std::string processor = {}; ///< "AMD EPYC 9554 64-Core Processor"
    std::uint64_t sockets = 0, cores = 0;
    std::uint64_t threads = 0;                        ///< hardware threads, hyper-threads included
    std::uint64_t usable = 0;                         ///< hardware threads that the process may use
    std::uint64_t level1 = 0, level2 = 0, level3 = 0; ///< bytes of one data cache at each level
    double clock = 0, fastestClock = 0;               ///< frequency of the first core in hertz: current and maximum
    std::string governor = {};                        ///< frequency governor: "performance"
    std::uint64_t memory = 0;                         ///< bytes
    std::string system = {};                          ///< "Linux 6.12.5-amd64"
    bool operator==(const Machine &) const = default;
};

/// A device other than the processor, as a measurement finds it. An empty text or 0 means unknown.
struct Accelerator {
    std::string name = {};              ///< "NVIDIA H100 80GB HBM3"
    std::uint64_t memory = 0;           ///< bytes
    double clock = 0, fastestClock = 0; ///< frequency in hertz: the current one, and the maximum
    std::string driver = {};            ///< version of the driver: "550.54.15"
    bool operator==(const Accelerator &) const = default;
};

/// The conditions of a measurement, which messages and saved profiles contain in the same form.
struct Conditions {
    Machine machine = {};
    std::vector<std::string> libraries = {}; ///< "ONNX Runtime 1.21.0"
    std::uint64_t threads = 0;               ///< threads used for computing; 0: unknown
    std::string optimization = {};           ///< see Load
    std::string device = {};                 ///< see Load
    std::string time = {};                   ///< "2026-11-22T09:10:00Z"
    std::optional<Accelerator> accelerator = {};
    bool operator==(const Conditions &) const = default;
};

ir::Json print(const Conditions &conditions);
/// Reads conditions; the reader keeps the errors.
Conditions readConditions(ir::JsonReader &reader, const ir::Json &json);

/// Reads an optional member that is a number.
double readNumber(ir::JsonReader &reader, const ir::Json &object, const char *key, double defaultValue = 0);

} // namespace cutaway::protocol
