// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/file_symbols.h"
#include "core/ir/objects/object_parts.h"
#include "core/ops/facts/shape_pool.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"

#include <unordered_set>

namespace cutaway::analysis {

/// The facts that the file states and no code changes: operators, weights, constants. Each is looked up once.
class Constants {
public:
    Constants(const ir::Model &model, const FileSymbols &symbols, ops::ShapePool &shapes);

    /// Returns the operator's row; nullptr if the operator is unknown.
    const ops::Operator *rowOf(ir::OpId op);
    ops::Signatures &signatures() { return m_signatures; }
    /// Whether an operator writes to its first argument.
    bool writes(ir::OpId op);
    /// Returns the fact of a tensor of the file. It has the elements of small tensors of integers, which may be sizes
    /// and axes, and of tensors of few floats.
    const ops::Fact &tensor(ir::TensorId id);
    /// Returns the fact of an operand that refers to no values of a graph.
    ops::Fact of(const ir::Operand &constant);
    /// Returns the fact of an object, with all attributes that the file has of it.
    ops::Fact object(ir::ObjectId id);
    /// Reads the attribute `name` of an object of the file; AnyFact if code of the model sets an attribute of that
    /// name. Elements of tensors are left open, as they may change.
    ops::Fact attribute(ir::ObjectId id, ir::NameId name);

private:
    const ir::Model &m_model;
    const FileSymbols &m_symbols;
    ops::ShapePool &m_shapes;
    const ir::ObjectParts m_objects;
    ops::Signatures m_signatures;
    std::unordered_map<ir::OpId, const ops::Operator *> m_rows;
    /// The attributes that any code sets; nothing if they were not computed yet.
    std::optional<std::unordered_set<ir::NameId>> m_setAttributes;
    std::vector<ops::Fact> m_tensors; ///< by TensorId; AnyFact: not computed yet
    int m_objectDepth = 0;
    std::size_t m_objectParts = 0;
};

} // namespace cutaway::analysis
