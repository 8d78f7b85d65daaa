// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/json/json_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway::protocol {

/// A computer, as far as it tells: a text that is empty and a number that is 0 are not known.
struct Machine {
    std::string host = {};
    std::string processor = {}; ///< "AMD EPYC 9554 64-Core Processor"
    std::uint64_t sockets = 0, cores = 0;
    std::uint64_t threads = 0;                        ///< that can run at once; those of hyper-threading count
    std::uint64_t usable = 0;                         ///< of these, those that the process may run on
    std::uint64_t level1 = 0, level2 = 0, level3 = 0; ///< bytes of one data cache of the level
    double clock = 0, fastestClock = 0;               ///< of the first core, hertz: when it was asked, and at most
    std::string governor = {};                        ///< what chooses the clock: "performance"
    std::uint64_t memory = 0;                         ///< bytes
    std::string system = {};                          ///< "Linux 6.12.5-amd64"
    bool operator==(const Machine &) const = default;
};

/// What a time was measured under. It is the same in messages and in saved profiles.
struct Conditions {
    Machine machine = {};
    std::vector<std::string> libraries = {}; ///< "ONNX Runtime 1.21.0"
    std::uint64_t threads = 0;               ///< that computed; 0: not known
    std::string optimization = {};           ///< see Load
    std::string device = {};                 ///< likewise
    std::string time = {};                   ///< "2026-11-22T09:10:00Z"
    bool operator==(const Conditions &) const = default;
};

ir::Json print(const Conditions &conditions);
/// Faults stay with the reader.
Conditions readConditions(ir::JsonReader &reader, const ir::Json &json);

/// A number that may be missing.
double readNumber(ir::JsonReader &reader, const ir::Json &object, const char *key, double defaultValue = 0);

} // namespace cutaway::protocol
