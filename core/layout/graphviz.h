// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/layout/plane.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace cutaway::layout {

struct GraphvizAnswer {
    std::vector<std::optional<PlaneLayout>> layouts; ///< one per plane; empty where dot gave none
    std::string problem;                             ///< why something is missing, for a person
};

/// Places planes with Graphviz's program `dot`, all of them in one process that is killed at the limit.
/// Errors: only Cancelled.
Result<GraphvizAnswer> placeWithGraphviz(const std::vector<Plane> &planes, std::chrono::milliseconds limit,
                                         std::stop_token stop);

/// What dot is given and how its answer is read (format "plain"), for tests.
std::string graphvizSource(const Plane &plane);
std::optional<PlaneLayout> readGraphviz(std::string_view plainText, const Plane &plane);

} // namespace cutaway::layout
