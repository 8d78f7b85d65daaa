// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/packing.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::print {

/// The parameters and results of a model's forward(), packed as the file records it.
class MainSignature {
public:
    MainSignature(const ir::Model &model, const ir::Function &function);

    /// Names the parameters; returns the statements that take packed ones apart.
    std::vector<std::string> parameters(const std::function<void(ir::ValueId, const std::string &)> &setName,
                                        const std::function<std::string(std::string_view)> &fresh);
    /// "self", "x", "scale=1.0"; after parameters().
    const std::vector<std::string> &list() const { return m_list; }
    /// "y, {'loss': z}", as it stands after return; "" for no results.
    std::string results(const std::function<std::string(const ir::Operand &)> &text) const;
    /// The results as one value: "(y, {'loss': z})".
    std::string result(const std::function<std::string(const ir::Operand &)> &text) const;
    /// The arguments of a call: "torch.rand(1, 3, 224, 224)"; "" for an input without a known one.
    std::vector<std::string> examples() const;

private:
    std::vector<const ir::FunctionInput *> userInputs() const;
    std::string exampleOf(const ir::FunctionInput &input) const;
    std::string packed(const Packing &packing, std::vector<std::string> &leaves) const;

    const ir::Model &m_model;
    const ir::Function &m_function;
    std::vector<Packing> m_inputs;    ///< one per parameter
    std::vector<std::string> m_names; ///< the parameters' names, where the file has them
    std::size_t m_keywords = 0;       ///< how many of the last are given by name
    Packing m_outputs;
    bool m_hasInputs = false; ///< whether the packing is known, and fits the inputs
    bool m_hasOutputs = false;
    std::vector<std::string> m_list{"self"};
};

} // namespace cutaway::print
