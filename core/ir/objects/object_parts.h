// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::ir {

/// The tensors and attributes that the objects of a file hold. Readers list them as tensors and attributes of a
/// module; here each is found by the path of the innermost object that holds it.
class ObjectParts {
public:
    struct Part {
        std::string_view name; ///< the name in the object: "weight"
        Operand value;
    };

    /// Takes O(size of the modules) if the model has objects. The model has to outlive this object.
    explicit ObjectParts(const Model &model);

    /// Returns the parts of `object`. An object of packed weights that is only made on loading has the parts of the
    /// module that makes it.
    const std::vector<Part> &of(ObjectId object) const;
    /// Returns the parts of the object at `path`; none if there is no object at it.
    const std::vector<Part> &of(std::string_view path) const;
    bool isEmpty() const { return m_parts.empty(); }

    /// Returns all tensors in an object and in the objects that it contains, each once.
    std::vector<TensorId> tensorsOf(std::string_view path) const;

private:
    void addModule(const Module &module);

    const Model &m_model;
    std::unordered_map<std::string_view, std::vector<Part>> m_parts; ///< by the object's path
};

} // namespace cutaway::ir
