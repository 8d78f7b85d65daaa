// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <map>
#include <span>

namespace cutaway::run {

/// The values of a function while its stages run, as backends returned them, to be passed on as inputs.
class HandedValues {
public:
    HandedValues(const ir::Function &function, const Inputs &inputs);

    /// Keeps the values that a stage returned. An output is named by the index of the result that it belongs to, and an
    /// item of a list also by its index after a full stop: "0", "1.0", "1.1". Errors (Backend): a result is missing.
    Result<void> take(std::span<const ir::ValueId> results, std::vector<Output> outputs);

    /// Returns the value as an input of another stage. Errors (Usage): a kind of value that stages cannot pass on, with
    /// its name.
    Result<InputContent> content(ir::ValueId value) const;
    /// Returns the function's outputs. Errors (Usage): an output is no value of a stage and no input.
    Result<std::vector<Output>> outputs() const;

private:
    struct Returned {
        std::string place; ///< the path of a part of the value: "" for all of it, ".0" for its first item
        std::variant<protocol::Tensor, Opaque> content;
    };
    /// Errors (Usage): a kind of value that stages cannot pass on.
    Result<InputContent> contentOf(ir::ValueId value, const std::vector<Returned> &parts) const;

    const ir::Function &m_function;
    std::map<ir::ValueId, InputContent> m_inputs;
    std::map<ir::ValueId, std::vector<Returned>> m_returned;
};

} // namespace cutaway::run
