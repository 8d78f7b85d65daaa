// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::print {

/// The dotted path without its last name: "layer1.0" of "layer1.0.weight"; "" without a dot.
std::string_view parentPath(std::string_view path);
/// The last name of a dotted path.
std::string_view lastName(std::string_view path);
/// Whether `path` is `ancestor` or below it; everything is below "".
bool isWithinPath(std::string_view path, std::string_view ancestor);
/// The path from `ancestor`, which it is within.
std::string_view pathFrom(std::string_view ancestor, std::string_view path);

/// The paths of the tensors that a function reads in the modules of the printed code: of identifiers and numbers, each
/// only of one tensor and of no module.
class TensorPaths {
public:
    TensorPaths(const ir::Model &model, const ir::Function &function);

    /// The tensor of the file that a value is.
    std::optional<ir::TensorId> tensorOf(ir::ValueId value) const;
    std::optional<ir::TensorId> tensorOf(const ir::Operand &operand) const;
    const std::string &of(ir::TensorId tensor) const { return m_paths.at(tensor); }
    /// The tensors, in the order of the function.
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
    /// The module that has all nodes which read a tensor, and the parameter that the tensor is for if only one node
    /// reads it.
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
    std::set<std::string, std::less<>> m_modules; ///< paths of the modules above them
};

} // namespace cutaway::print
