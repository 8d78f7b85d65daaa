// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/timing.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::run {

/// A node as a saved profile describes it.
struct SavedPart {
    ir::NodeId id;
    std::string name, op; ///< names as in reports: "onnx::Conv"
    bool operator==(const SavedPart &) const = default;
};

/// The time of a unit that the backend ran. `parts` are its nodes; empty if they are unknown.
struct SavedTime {
    std::vector<SavedPart> parts;
    protocol::Profile::NodeTime measured;
};

/// A profile written by `profile --json`, independent of its model.
struct SavedProfile {
    std::string format, function; ///< the model's format and function
    Timing timing;                ///< `nodes` is unused here
    std::vector<SavedTime> nodes; ///< in the order of execution

    std::optional<double> sum() const; ///< as Timing::sum()
};

/// Parses a document of schema "cutaway.profile/1". Errors (Unreadable): not JSON, another schema, or what was found
/// and what was expected, with the location.
Result<SavedProfile> parseProfile(std::string_view json);

/// Reads and parses a file. Errors: those of parseProfile(); the file cannot be read.
Result<SavedProfile> readProfile(const std::filesystem::path &path);

} // namespace cutaway::run
