// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/packing.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::print {

/// The parameters and results of a model's forward(), nested as the file records it.
class MainSignature {
public:
    MainSignature(const ir::Model &model, const ir::Function &function);

    /// Names the parameters, and calls `setName` for each value of them. Returns the statements that unpack the
    /// parameters.
    std::vector<std::string> parameters(const std::function<void(ir::ValueId, const std::string &)> &setName,
                                        const std::function<std::string(std::string_view)> &fresh);
    /// Returns the parameters, "self", "x", "scale=1.0", once parameters() has been called.
    const std::vector<std::string> &list() const { return m_list; }
    /// Returns the expression after return: "y, {'loss': z}"; "" for no results.
    std::string results(const std::function<std::string(const ir::Operand &)> &text) const;
    /// Returns the results as one value: "(y, {'loss': z})".
    std::string result(const std::function<std::string(const ir::Operand &)> &text) const;
    /// Returns the arguments of an example call: "torch.rand(1, 3, 224, 224)"; "" for an input of unknown type or size.
    std::vector<std::string> examples() const;

private:
    std::vector<const ir::FunctionInput *> userInputs() const;
    std::string exampleOf(const ir::FunctionInput &input) const;
    std::string packed(const Packing &packing, std::vector<std::string> &leaves) const;

    const ir::Model &m_model;
    const ir::Function &m_function;
    std::vector<Packing> m_inputs;    ///< the packing of each parameter
    std::vector<std::string> m_names; ///< the parameters' names in the file, if it has them
    std::size_t m_keywords = 0;       ///< the number of parameters at the end that are given by name
    Packing m_outputs;
    bool m_hasInputs = false; ///< whether the packing of the inputs is known and consistent
    bool m_hasOutputs = false;
    std::vector<std::string> m_list{"self"};
};

} // namespace cutaway::print
