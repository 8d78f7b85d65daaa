// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/plugin/found.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// A backend, for people who choose among them.
struct Offer {
    std::string name; ///< as findBackend() takes it
    std::string description;
    bool takesTimes = true;
    std::vector<std::string> runs;                  ///< of a plugin: what it is given, see plugin::BackendOffer
    std::string absence = {};                       ///< why it is on other targets at most, a sentence; "": it is here
    bool isPlugin() const { return !runs.empty(); } ///< and so runs on targets
    bool operator==(const Offer &) const = default;
};

/// The plugins that run models, once for each form they are given, and behind them the evaluator and the plugins whose
/// program is not here. Nothing is started.
std::vector<Offer> offers(const plugin::Found &found);

/// Why a backend cannot compute a function of a model, in a few words: "runs no pt2 models". Nothing: nobody knows
/// before it tries.
std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::run
