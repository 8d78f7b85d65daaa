// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/plugin/found.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// A backend that users can choose.
struct Offer {
    std::string name; ///< name for findBackend()
    std::string description;
    bool takesTimes = true;
    std::vector<std::string> runs;                  ///< for plugins: accepted model forms, see plugin::BackendOffer
    std::string absence = {};                       ///< why it is unusable here, a sentence; "": it is usable
    bool isPlugin() const { return !runs.empty(); } ///< plugins can run on targets
    bool operator==(const Offer &) const = default;
};

/// The plugins with a backend, one entry per model form and engine, then the evaluator, then the plugins whose program
/// is missing here. Starts nothing.
std::vector<Offer> offers(const plugin::Found &found);

/// Why a backend cannot run a function of a model, in a few words: "runs no pt2 models". Nullopt: no reason is known in
/// advance.
std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::run
