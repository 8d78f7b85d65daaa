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
    std::string problem;                             ///< message: why layouts are missing
};

/// Places planes by Graphviz's program `dot`, all in one process, which is killed at the time limit. Errors: only
/// Cancelled.
Result<GraphvizAnswer> placeWithGraphviz(const std::vector<Plane> &planes, std::chrono::milliseconds limit,
                                         std::stop_token stop);

/// dot's input and the reader of its output (format "plain"), for tests.
std::string graphvizSource(const Plane &plane);
std::optional<PlaneLayout> readGraphviz(std::string_view plainText, const Plane &plane);

} // namespace cutaway::layout
