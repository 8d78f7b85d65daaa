// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/node_ref.h"
#include "core/print/operators/operator_spelling.h"
#include "core/print/torch/call_rows.h"

#include <functional>
#include <string>

namespace cutaway::ops {
class Signatures;
}

namespace cutaway::print {

/// Python code of a value.
struct Expression {
    std::string text;   ///< the code, with holes
    bool isAtom = true; ///< whether it needs no brackets beside an operator or before a dot
    int depth = 0;      ///< the nesting depth of calls in the text
};

/// Returns an operand, which is given for a parameter, as code.
using OperandCode = std::function<Expression(const ir::Operand &operand, std::string_view parameter)>;

/// Makes the Python code of operators' calls: an infix operator, a method, a function of torch, or, where none of these
/// fits, the registered name of the overload.
class CallForms {
public:
    CallForms(const ir::Model &model, ops::Signatures &signatures)
        : m_model(model),
          m_signatures(signatures),
          m_spellings(model)
    {
    }

    /// Returns the code of a node's call. Errors (Usage): an operator that Python cannot call.
    Result<Expression> of(const ir::NodeRef &node, const OperandCode &operand);
    /// Returns "+=" if the node writes the result of an infix operator into its first operand; else "".
    std::string augmented(const ir::NodeRef &node);
    /// Returns the kind of statement that a node becomes; of() does not print its regions.
    StatementForm formOf(const ir::NodeRef &node) { return m_spellings.of(node->op).form; }
    /// Whether the results are the items of the one list or tuple that the call returns.
    bool unpacks(const ir::NodeRef &node);
    /// Whether the node reads one size of a tensor.
    bool isSize(const ir::NodeRef &node) const { return hasPattern(node, oneSize); }
    /// Whether `pattern` is the first pattern for the overload that the node calls.
    bool hasPattern(const ir::NodeRef &node, std::string_view pattern) const;
    /// Whether the node reads the dtype of a tensor, which TorchScript compares with numbers.
    bool isDType(const ir::NodeRef &node);
    /// An argument that has to be printed. givenTo() returns the arguments that differ from their defaults, in the
    /// order of the schema.
    struct Given {
        std::string_view name;
        const ir::Operand *value = nullptr;
        bool isPositional = true; ///< whether it is printed by position, since it has no default
        std::optional<std::int64_t> listSize;
    };
    std::vector<Given> givenTo(const ir::NodeRef &node);

private:
    std::optional<Expression> byPattern(const ir::NodeRef &node, const std::vector<Given> &given,
                                        const OperandCode &operand);
    Expression call(std::string callee, const std::vector<Given> &given, const OperandCode &operand) const;
    std::string nameOf(const ir::NodeRef &node) const;
    std::string registeredName(const ir::NodeRef &node) const;
    bool writesAList(const ir::NodeRef &node);
    bool ofTensors(const ir::NodeRef &node);

    const ir::Model &m_model;
    ops::Signatures &m_signatures;
    OperatorSpellings m_spellings;
};

} // namespace cutaway::print
