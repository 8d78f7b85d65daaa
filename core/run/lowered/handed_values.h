// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <map>
#include <span>

namespace cutaway::run {

/// Values of a function while its stages run: as inputs, and as a backend returned them.
class HandedValues {
public:
    HandedValues(const ir::Function &function, const Inputs &inputs);

    /// Takes what a stage returned: its results by the names "0", "1", …, and parts of lists after a full stop. Errors
    /// (Backend): one is missing.
    Result<void> take(std::span<const ir::ValueId> results, std::vector<Output> outputs);

    /// The value as an input of another stage. Errors (Usage): a kind of value that is not handed on, with its name.
    Result<InputContent> content(ir::ValueId value) const;
    /// The function's outputs. Errors (Usage): one that is no value of a stage or input.
    Result<std::vector<Output>> outputs() const;

private:
    struct Returned {
        std::string place; ///< "" of the value itself, ".0" of its first item
        std::variant<protocol::Tensor, Opaque> content;
    };
    /// Errors (Usage): a kind of value that is not handed on.
    Result<InputContent> contentOf(ir::ValueId value, const std::vector<Returned> &parts) const;

    const ir::Function &m_function;
    std::map<ir::ValueId, InputContent> m_inputs;
    std::map<ir::ValueId, std::vector<Returned>> m_returned;
};

} // namespace cutaway::run
