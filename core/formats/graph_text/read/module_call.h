// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// The module that reads a weight, by a line of code.
struct ModuleCall {
    std::string module;              ///< "layers.0.attn.qkv"
    std::optional<std::string> self; ///< the module whose forward has the line: "layers.0.attn"
    std::string called;              ///< the module that the line calls, which is or contains the former; "": none
};

/// The module of the weight "layers.0.weight": "layers.0"; "" for one of the root.
std::string_view moduleOfWeight(std::string_view weight);

/// Which module a line of a model's code runs in that reads `weight`, itself or in a module that it calls:
/// `self.attn(self.ln1(x))` reads "layers.0.ln1.weight" in "layers.0.ln1", and `self` is "layers.0". Nothing where the
/// code does not say it: `F.linear(x, self.embed.weight)` reads it, but not in "embed". `isShared`: other lines read
/// the weight, too, so that it may be of several modules.
std::optional<ModuleCall> moduleCall(std::string_view file, std::string_view code, std::string_view weight,
                                     bool isShared);

} // namespace cutaway::formats::graph_text
