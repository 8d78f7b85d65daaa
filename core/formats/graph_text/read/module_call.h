// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// The module that reads a weight, as a line of code shows.
struct ModuleCall {
    std::string module;              ///< "layers.0.attn.qkv"
    std::optional<std::string> self; ///< the module whose forward contains the line: "layers.0.attn"
    std::string called; ///< the module that the line calls: `module`, or one that contains it; "": the line calls none
};

/// Returns the module of a weight: "layers.0" for "layers.0.weight"; "" for a weight of the root.
std::string_view moduleOfWeight(std::string_view weight);

/// Returns the module that reads `weight` in a line of a model's code, which either has the line in its forward or is
/// called by it: `self.attn(self.ln1(x))` reads "layers.0.ln1.weight" in "layers.0.ln1", and `self` is "layers.0".
/// Nothing if the code leaves it open: `F.linear(x, self.embed.weight)` reads the weight, but not in "embed".
/// `isShared`: other lines read the weight, too, so that it may belong to several modules.
std::optional<ModuleCall> moduleCall(std::string_view file, std::string_view code, std::string_view weight,
                                     bool isShared);

} // namespace cutaway::formats::graph_text
