// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <map>
#include <set>
#include <string>

namespace cutaway::passes {

/// Finds which modules of the file the values of a function are. A value is followed from the object that the method is
/// called on, attribute by attribute, and by known positions in lists of modules. Attributes that code sets are not
/// followed.
class ModulePaths {
public:
    explicit ModulePaths(analysis::Reading &reading);

    struct Place {
        ir::ValueId root; ///< the object that the method is called on
        std::string path; ///< the path from the root: "layer1.0"
        ir::ModuleId module;
    };
    std::optional<Place> of(const ir::Operand &operand);

    struct Attribute {
        Place owner;
        std::string_view name; ///< the name of an attribute of the owner
        std::string path() const { return owner.path + (owner.path.empty() ? "" : ".") + std::string(name); }
    };
    /// Returns the attribute that a prim::GetAttr or prim::SetAttr reads or sets; nothing if its owner is not known.
    std::optional<Attribute> attributeOf(const ir::NodeRef &node);
    /// Whether some code of the model sets the attribute.
    bool isSet(const Attribute &attribute) const;

private:
    std::optional<Place> find(const ir::ValueRef &value, const ir::Operand &operand);
    std::optional<Place> itemOf(const ir::NodeRef &node);
    std::optional<Place> childAt(const Attribute &attribute) const;
    void collectSet();

    analysis::Reading &m_reading;
    std::map<ir::ValueId, std::optional<Place>> m_known;
    int m_depth = 0;                                     ///< how deep the lookups of owners are nested at the moment
    std::set<std::pair<std::string, std::string>> m_set; ///< a class, "" for any, and an attribute that code sets
};

} // namespace cutaway::passes
