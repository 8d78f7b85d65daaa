// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ops/schemas/schema.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::print {

/// The kind of Python statement that an operator's nodes become.
enum class StatementForm {
    Call,
    Effect, ///< a statement without a result
    If,
    Loop,
    Closure, ///< the node's region becomes a function that is passed to the call: fork(f)
    Enter,
    Exit,
    Raise,
    GetAttribute,
    SetAttribute,
    CallMethod,
    CallFunction,
};

/// The printed form of an operator's nodes.
struct OperatorSpelling {
    StatementForm form = StatementForm::Call;
    /// The pattern of an operator that is not printed as a call: "$0 is $1". $0, $1, … are the arguments, $* is all of
    /// them, $T the result's type.
    std::string_view pattern;
    bool unpacks = false; ///< whether the results are the items of the expression's value
    std::string callee;
    std::optional<ops::Schema> schema; ///< torch's schema, which decides which arguments need no name
    std::size_t closuresAt = 0;        ///< the argument index of the functions for the node's regions
};

/// Returns the pattern of an operator; "" if it is written as a call.
std::string_view patternOf(std::string_view dialect, std::string_view name);

/// The spellings of a model's operators, each looked up once.
class OperatorSpellings {
public:
    explicit OperatorSpellings(const ir::Model &model) : m_model(model) { }

    const OperatorSpelling &of(ir::OpId op);

private:
    OperatorSpelling make(ir::OpId op) const;

    const ir::Model &m_model;
    std::unordered_map<ir::OpId, OperatorSpelling> m_spellings;
};

} // namespace cutaway::print
