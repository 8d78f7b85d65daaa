// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/formats/torchscript/lowering/graph_builder.h"
#include "core/formats/torchscript/lowering/operator_calls.h"

#include <optional>

namespace cutaway::formats::torchscript {

/// The meanings of operators in files of an older version of the format, where a later version changed them: torch
/// replaces calls of such operators when it loads a file.
class OldOperators {
public:
    /// `version` is that of the file's format; nothing if the file has none, then all operators are today's.
    OldOperators(ir::Context &context, std::optional<int> version);

    /// Gives a call the arguments that mean today what the file's arguments mean.
    void adapt(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin, Types &types) const;
    /// The function that computes what the call means; nullptr if its operator has that meaning today.
    const FunctionDefinition *functionFor(const OperatorCall &call) const;
    /// Whether a function comes from functionFor(): its body is written in today's operators.
    bool isOwn(const FunctionDefinition &function) const { return function.unit == m_unit.get(); }

private:
    void makeFullFloat(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin, Types &types) const;
    const FunctionDefinition *named(std::string_view name) const;
    bool isTensor(const Typed &value) const { return ir::tensorType(m_context, value.type) != nullptr; }

    ir::Context &m_context;
    const int m_version;
    std::unique_ptr<Unit> m_unit; ///< the functions' code; nullptr: none is needed
    std::vector<FunctionDefinition> m_functions;
};

} // namespace cutaway::formats::torchscript
