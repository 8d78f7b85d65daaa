// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"
#include "core/ir/model.h"
#include "core/print/python_names.h"

#include <unordered_map>

namespace cutaway::print {

/// Whether the caller passes this input; all other inputs of a signature belong to the module.
bool isParameter(const ir::FunctionInput &input);

/// The Python names of one function's values, weights and regions: the file's name where that is a unique identifier;
/// weights are attributes of self.
class TorchScriptNames {
public:
    TorchScriptNames(const ir::Model &model, const ir::Function &function);

    const std::string &of(ir::ValueId value) const { return m_values[value.index]; }
    const std::string &of(ir::TensorId tensor);
    const std::string &of(ir::RegionId region) const { return m_regions[region.index]; }
    /// Returns the name of the input that is bound to this parameter, buffer or argument. If there is none, returns the
    /// target's own name, each part made an identifier.
    std::string ofTarget(ir::NameId target) const;
    /// Returns a name that is not used in the function yet.
    std::string fresh(const std::string &wanted) { return m_names.fresh(wanted); }
    /// Makes the value be printed as this expression from now on.
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
    UniqueNames m_attributes; ///< names of weights, which are attributes of self
    std::unordered_map<ir::TensorId, std::string> m_tensors;
    std::unordered_map<ir::NameId, ir::ValueId> m_targets;
    std::vector<std::string> m_values;
    std::vector<std::string> m_regions;
    /// By result of a loop: the value of the body that shares its variable.
    std::vector<std::pair<ir::ValueId, ir::ValueId>> m_sameVariable;
};

} // namespace cutaway::print
