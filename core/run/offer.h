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
    std::vector<std::string> runs;                  ///< the model forms that a plugin accepts, see plugin::BackendOffer
    std::string absence = {};                       ///< a sentence on why the backend cannot be used here; "" if it can
    bool isPlugin() const { return !runs.empty(); } ///< whether the backend is a plugin, which can run on a target
    bool operator==(const Offer &) const = default;
};

/// Returns the plugins with a backend, one entry per model form and engine, then the evaluator, then the plugins whose
/// program is missing here. Starts nothing.
std::vector<Offer> offers(const plugin::Found &found);

/// Returns why a backend cannot run a function of a model, in a few words: "runs no pt2 models"; nullopt if no reason
/// is known in advance.
std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::run
