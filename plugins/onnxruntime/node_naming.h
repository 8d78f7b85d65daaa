// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::plugins {

/// Returns an ONNX model in which each node of the graph, of its branches and of its loop bodies has a name of its own,
/// see core/protocol/made_names.h. Nothing if that is so already, or if the bytes are not understood.
std::optional<std::string> withNodeNames(std::string_view model);

} // namespace cutaway::plugins
