// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/ops/facts/fact.h"
#include "core/ops/schemas/schema.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace cutaway::ops {

struct Signature {
    Schema schema;
    std::vector<Fact> defaults; ///< by argument; None for an argument without a default
};

/// The schemas of a model's operators, each looked up once, with their defaults as facts.
class Signatures {
public:
    explicit Signatures(const ir::Context &context) : m_context(context) { }

    /// The schema of this overload, or else the first one of the operator; nullptr for operators of other dialects.
    const Signature *of(ir::OpId op);

private:
    const ir::Context &m_context;
    std::unordered_map<ir::OpId, std::optional<Signature>> m_known;
};

/// The argument that a node gives for a parameter of its schema, by name or by position; nullptr: none, so that the
/// default holds. Without a schema (nullptr), as in ONNX, only an argument with that name or at that position.
const ir::Operand *givenArgument(const ir::NodeRef &node, const Signature *signature, std::string_view parameter);
const ir::Operand *givenArgument(const ir::NodeRef &node, const Signature *signature, std::size_t position);

} // namespace cutaway::ops
