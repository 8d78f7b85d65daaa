// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/constants.h"

#include <map>
#include <string>

namespace cutaway::analysis {

/// The facts of the attributes of the model's modules: as the file has them, until code sets them.
class ModuleAttributes {
public:
    ModuleAttributes(const ir::Model &model, Constants &constants) : m_model(model), m_constants(constants) { }

    /// The fact of an attribute, by a path that may lead through modules: "layer1.0.weight". AnyFact where nothing is
    /// known.
    ops::Fact &at(ir::ModuleId module, std::string_view path);

private:
    using Attributes = std::map<std::string, ops::Fact, std::less<>>;
    Attributes &attributesOf(ir::ModuleId id);

    const ir::Model &m_model;
    Constants &m_constants;
    std::unordered_map<ir::ModuleId, Attributes> m_modules; ///< the modules that were asked for
};

} // namespace cutaway::analysis
