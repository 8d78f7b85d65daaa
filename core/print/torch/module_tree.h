// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/module_plan.h"

#include <memory>

namespace cutaway::print {

/// A module of the printed code.
struct ModuleNode {
    enum class Form : std::uint8_t {
        Layer,      ///< a layer of torch.nn
        Sequential, ///< torch.nn.Sequential of its children
        List,       ///< torch.nn.ModuleList of its children, which other modules call
        Class,      ///< a module with a class of its own
    };
    std::string path;
    Form form = Form::Class;
    std::vector<std::unique_ptr<ModuleNode>> children; ///< in the order of their calls
    std::vector<ir::TensorId> tensors;
    const Layer *layer = nullptr;
    const ModuleCall *call = nullptr; ///< the first call of the module; nullptr if only its children are called
};

/// The modules of a plan with their parameters and submodules.
class ModuleTree {
public:
    ModuleTree(const ir::Graph &graph, const ModulePlan &plan, const TensorPaths &paths);

    const ModuleNode &root() const { return *m_root; }
    /// Returns the module at a path; nullptr if there is none.
    const ModuleNode *find(std::string_view path) const;
    /// Returns the code by which the class at `from` reads the module or tensor at `path`: "self.blocks[0].scale".
    std::string access(std::string_view from, std::string_view path) const;

private:
    ModuleNode &at(std::string_view path);
    void addItems(const ModuleCall &call, const ir::Graph &graph, const ModulePlan &plan);
    void addLayer(ir::NodeId node, const ir::Graph &graph, const ModulePlan &plan);
    void setForm(ModuleNode &node, const ModulePlan &plan);

    std::unique_ptr<ModuleNode> m_root;
    std::map<std::string, ModuleNode *, std::less<>> m_byPath;
};

/// Returns the number of a child of a Sequential or ModuleList.
std::size_t childNumber(const ModuleNode &child);

} // namespace cutaway::print
