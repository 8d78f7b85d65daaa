// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/timing.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::run {

/// What a saved profile says of a node of its model.
struct SavedPart {
    ir::NodeId id;
    std::string name, op; ///< as in reports: "onnx::Conv"
    bool operator==(const SavedPart &) const = default;
};

/// What a backend ran as one. `parts` is empty where it was not known which nodes that are.
struct SavedTime {
    std::vector<SavedPart> parts;
    protocol::Profile::NodeTime measured;
};

/// A profile as `profile --json` has written it, by itself: its model is not looked at.
struct SavedProfile {
    std::string format, function; ///< of the model
    Timing timing;                ///< without nodes
    std::vector<SavedTime> nodes; ///< in the order in which they ran

    std::optional<double> sum() const; ///< see Timing
};

/// Reads a document of schema "cutaway.profile/1". Errors (Unreadable): it is no JSON or of another schema; what was
/// found and wanted where.
Result<SavedProfile> parseProfile(std::string_view json);

/// The same of a file. Errors: it cannot be read, too.
Result<SavedProfile> readProfile(const std::filesystem::path &path);

} // namespace cutaway::run
