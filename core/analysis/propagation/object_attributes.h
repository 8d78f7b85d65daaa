// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/module_attributes.h"
#include "core/analysis/propagation/shared.h"
#include "core/analysis/propagation/walk.h"

namespace cutaway::analysis {

/// Whether it is known which module of the model the object is.
bool isModule(const ops::Fact &object);

/// The facts of the attributes of objects that occur in one function. Those of the model's modules are in
/// ModuleAttributes.
class ObjectAttributes {
public:
    explicit ObjectAttributes(Shared<ModuleAttributes> &modules) : m_modules(modules) { }

    /// The fact of the attribute as code has set it last, or as the file has it; AnyFact where nothing is known.
    ops::Fact &at(const AttributePath &path, const Values &values);

private:
    Shared<ModuleAttributes> &m_modules;
    /// By object, which is no module of the model, and name of the attribute.
    std::map<std::pair<ir::ValueId, std::string>, ops::Fact> m_attributes;
};

} // namespace cutaway::analysis
