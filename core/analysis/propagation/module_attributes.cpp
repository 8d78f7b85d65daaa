// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/module_attributes.h"

#include "core/ir/context.h"

#include <algorithm>
#include <utility>

namespace cutaway::analysis {

using ops::Fact;

Fact &ModuleAttributes::at(ir::ModuleId module, std::string_view path)
{
    while (true) {
        Attributes &held = attributesOf(module);
        const std::size_t dot = path.find('.');
        const auto found = held.find(path.substr(0, dot));
        const auto *child = found == held.end() ? nullptr : found->second.as<ir::ModuleId>();
        if (dot == path.npos || !child)
            return held[std::string(path)];
        module = *child;
        path.remove_prefix(dot + 1);
    }
}

/// Returns the attributes that the file has of a module, which are read at the first call. The elements of tensors are
/// left unknown, since code may change them.
ModuleAttributes::Attributes &ModuleAttributes::attributesOf(ir::ModuleId id)
{
    const auto [known, isNew] = m_modules.try_emplace(id);
    Attributes &held = known->second;
    if (!isNew)
        return held;
    const ir::Module &module = m_model.at(id);
    const ir::Context &context = *m_model.context;
    const std::size_t skipped = module.path == ir::NameId{} ? 0 : context.text(module.path).size() + 1;
    for (const ir::TensorId tensor : module.tensors) {
        const ir::Tensor &stored = m_model.at(tensor);
        const std::string_view path = context.text(stored.name);
        held.emplace(path.substr(std::min(skipped, path.size())),
                     ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end())));
    }
    for (const ir::ModuleAttribute &attribute : module.attributes)
        held.emplace(context.text(attribute.name), m_constants.of(attribute.value));
    for (const ir::ModuleId child : module.children)
        held.insert_or_assign(std::string(context.text(m_model.at(child).name)), child);
    return held;
}

} // namespace cutaway::analysis
