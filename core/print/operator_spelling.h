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

/// What kind of statement an operator's nodes are in Python code.
enum class StatementForm {
    Call,
    Effect, ///< a statement without a result
    If,
    Loop,
    Closure, ///< its region is a function that the call is given: fork(f)
    Enter,
    Exit,
    Raise,
    GetAttribute,
    SetAttribute,
    CallMethod,
    CallFunction,
};

/// How the nodes of one operator are written.
struct OperatorSpelling {
    StatementForm form = StatementForm::Call;
    /// For what is no call: "$0 is $1". $0, $1, …: the arguments; $*: all of them; $T: the type of the result.
    std::string_view pattern;
    bool unpacks = false; ///< the results are the items of what is written
    std::string callee;
    std::optional<ops::Schema> schema; ///< what torch declares, to tell which arguments need no name
};

/// The spellings of a model's operators, each found once.
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
