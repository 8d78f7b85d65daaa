// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/module_attributes.h"
#include "core/analysis/propagation/shared.h"
#include "core/analysis/propagation/walk.h"

namespace cutaway::analysis {

/// Whether it is known which module of the model the object is.
bool isModule(const ops::Fact &object);

/// What the attributes of objects hold that occur in one function. Those of modules are the model's.
class ObjectAttributes {
public:
    explicit ObjectAttributes(Shared<ModuleAttributes> &modules) : m_modules(modules) { }

    /// What code has set last, or what the file has; AnyFact where nothing is known.
    ops::Fact &at(const AttributePath &path, const Values &values);

private:
    Shared<ModuleAttributes> &m_modules;
    std::map<std::pair<ir::ValueId, std::string>, ops::Fact> m_attributes; ///< of objects that are no modules
};

} // namespace cutaway::analysis
