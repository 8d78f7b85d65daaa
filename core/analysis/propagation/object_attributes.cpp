// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/object_attributes.h"

namespace cutaway::analysis {

bool isModule(const ops::Fact &object) { return object.as<ir::ModuleId>(); }

ops::Fact &ObjectAttributes::at(const AttributePath &path, const Values &values)
{
    const ops::Fact &object = values.of(path.object);
    return isModule(object) ? m_modules->at(*object.as<ir::ModuleId>(), path.path)
                            : m_attributes[{path.object, path.path}];
}

} // namespace cutaway::analysis
