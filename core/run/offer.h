// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// A backend that there is, for people who choose among them.
struct Offer {
    std::string name; ///< as findBackend() takes it
    std::string description;
    bool takesTimes = true;
    std::vector<std::string> runs;                  ///< of a plugin: what it is given, see plugin::BackendOffer
    bool isPlugin() const { return !runs.empty(); } ///< and so runs on targets
    bool operator==(const Offer &) const = default;
};

/// The plugins that run models, once for each form they are given; and the evaluator behind them. Nothing is started.
std::vector<Offer> offers();

/// Why a backend cannot compute a function of a model, in a few words: "runs no pt2 models". Nothing: nobody knows
/// before it tries.
std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::run
