// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/formats/torchscript/lowering/graph_builder.h"
#include "core/formats/torchscript/lowering/operator_calls.h"

#include <optional>

namespace cutaway::formats::torchscript {

/// The meanings that operators have in files of an older version of the format, if a later version changed them:
/// torch replaces calls of such operators when it loads a file.
class OldOperators {
public:
    /// `version` is that of the file's format; without one, all operators have their present meanings.
    OldOperators(ir::Context &context, std::optional<int> version);

    /// Changes the arguments of a call to those that mean today what the arguments in the file meant.
    void adapt(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin, Types &types) const;
    /// Returns the function that computes an old call; nullptr if its operator still has the old meaning.
    const FunctionDefinition *functionFor(const OperatorCall &call) const;
    /// Whether a function comes from functionFor(): its body already uses the present operators.
    bool isOwn(const FunctionDefinition &function) const { return function.unit == m_unit.get(); }

private:
    void makeFullFloat(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin, Types &types) const;
    const FunctionDefinition *named(std::string_view name) const;
    bool isTensor(const Typed &value) const { return ir::tensorType(m_context, value.type) != nullptr; }

    ir::Context &m_context;
    const int m_version;
    std::unique_ptr<Unit> m_unit; ///< the code of these functions; nullptr: none is needed
    std::vector<FunctionDefinition> m_functions;
};

} // namespace cutaway::formats::torchscript
