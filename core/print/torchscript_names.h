// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/print/python_names.h"

#include <unordered_map>

namespace cutaway::print {

/// Whether the caller gives it; everything else in a signature belongs to the module.
bool isParameter(const ir::FunctionInput &input);

/// What the values, weights and regions of one function are called in its Python code: as in the file where that is an
/// identifier of its own, weights as attributes of self.
class TorchScriptNames {
public:
    TorchScriptNames(const ir::Model &model, const ir::Function &function);

    const std::string &of(ir::ValueId value) const { return m_values[value.index]; }
    const std::string &of(ir::TensorId tensor);
    const std::string &of(ir::RegionId region) const { return m_regions[region.index]; }
    /// What the input that is bound to this parameter, buffer or argument is called; the plain name if there is none.
    std::string ofTarget(ir::NameId target) const;
    /// A name that nothing else in the function has.
    std::string fresh(const std::string &wanted) { return m_names.take(wanted); }
    /// From here on the value is written as this expression.
    void replace(ir::ValueId value, std::string expression) { m_values[value.index] = std::move(expression); }

private:
    void nameInputs();
    void nameWeights();
    std::string weight(std::string_view name);
    void joinLoopVariables();
    void nameValues();
    void nameRegions();

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    UniqueNames m_names;
    UniqueNames m_attributes; ///< names of weights, which are looked up in self
    std::unordered_map<ir::TensorId, std::string> m_tensors;
    std::unordered_map<ir::NameId, ir::ValueId> m_targets;
    std::vector<std::string> m_values;
    std::vector<std::string> m_regions;
    std::vector<std::pair<ir::ValueId, ir::ValueId>> m_sameVariable; ///< a loop's result, and that value in its body
};

} // namespace cutaway::print
