// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::print {

/// Gives each tensor that a function reads a path in the modules of the printed code. A path consists of identifiers
/// and numbers, and belongs to only one tensor and to no module.
class TensorPaths {
public:
    TensorPaths(const ir::Model &model, const ir::Function &function);

    /// Returns the tensor of the file that a value is; nothing for other values.
    std::optional<ir::TensorId> tensorOf(ir::ValueId value) const;
    std::optional<ir::TensorId> tensorOf(const ir::Operand &operand) const;
    const std::string &of(ir::TensorId tensor) const { return m_paths.at(tensor); }
    /// Returns the tensors, in the order in which the function reads them.
    const std::vector<ir::TensorId> &tensors() const { return m_tensors; }

private:
    void findFetched(const ir::Function &function);
    void addWritten(const ir::Function &function);
    void findReaders(const ir::Function &function);
    std::string homeOf(ir::TensorId tensor) const;
    void addIn(const ir::Operand &operand);
    void add(ir::TensorId tensor);
    std::string freePath(ir::TensorId tensor) const;

    const ir::Model &m_model;
    /// The module that contains all nodes which read a tensor, the parameter for which the first of these nodes has the
    /// tensor, and the number of these nodes.
    struct Readers {
        std::string module;
        std::string parameter;
        std::size_t count = 0;
    };
    std::unordered_map<ir::TensorId, Readers> m_readers;
    std::unordered_map<ir::ValueId, ir::TensorId> m_byValue;
    std::unordered_map<ir::TensorId, std::string> m_paths;
    std::vector<ir::TensorId> m_tensors;
    std::set<std::string, std::less<>> m_taken;   ///< paths of tensors
    std::set<std::string, std::less<>> m_modules; ///< paths of the modules above the tensors
};

} // namespace cutaway::print
