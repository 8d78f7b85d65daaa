// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/aliases.h"
#include "core/analysis/propagation/inference.h"
#include "core/analysis/propagation/object_attributes.h"

namespace cutaway::analysis {

/// The nodes of one function that read and set attributes of objects, take modules out of containers, and enter
/// contexts.
class ObjectNodes {
public:
    /// The arguments must outlive this object. `aliases`: of the function's values.
    ObjectNodes(Inference &inference, Shared<Aliases> &aliases);

    /// The result of a node.
    struct Read {
        ops::Fact fact;
        std::optional<AttributePath> holder; ///< the attribute that holds the same object; nothing if none does
    };
    /// The result of prim::GetAttr: the attribute as code has set it last, or as the file has it. Nothing if it is not
    /// known.
    std::optional<Read> get(const ir::NodeRef &node, const Values &values);
    /// Sets the attribute of a prim::SetAttr. Returns false if the node lacks arguments.
    bool set(const ir::NodeRef &node, const Walk &walk);
    /// The module that a node takes out of a ModuleList or ModuleDict, if it is known.
    std::optional<Read> itemOfModules(const ir::NodeRef &node, const Values &values) const;

    /// Enters or leaves the torch.autocast context of a prim::Enter or prim::Exit; other contexts change nothing.
    void visitContext(const ir::NodeRef &node, bool enters, Autocasts &contexts, const Values &values);

    /// The fact of an attribute, as ObjectAttributes has it.
    ops::Fact &attribute(const AttributePath &path, const Values &values) { return m_attributes->at(path, values); }

private:
    std::optional<AttributePath> pathOf(const ir::NodeRef &node) const;

    Inference &m_inference;
    Shared<Aliases> &m_aliases;
    Shared<ObjectAttributes> m_attributes;
};

} // namespace cutaway::analysis
