// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/storage_table.h"
#include "core/formats/archive/torch_save.h"
#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::fx {

using SavedId = ir::Id<struct SavedModuleTag>;

/// The code that torch.fx generated for a module, and the imports that say what its globals mean.
struct SavedCode {
    std::string_view source;
    std::string_view imports; ///< "import torch\nfrom torch import device\n"
};

/// A module object of the pickle. The same object may be a part of several others: it is read once.
struct SavedModule {
    /// An attribute: a submodule, a tensor of the model, or another value of the pickle.
    using Attribute = std::variant<SavedId, ir::TensorId, archive::Pickle::ValueId>;

    std::string className; ///< "torch.nn.modules.conv.Conv2d"
    std::string path;      ///< the path from the root, with dots; if several lead to the module, the first one
    std::optional<SavedCode> code;
    std::unordered_map<std::string_view, Attribute> attributes;
    std::vector<std::pair<std::string_view, SavedId>> children; ///< in the order of the file
    std::vector<std::string_view> parameters;                   ///< the names of those attributes that are parameters
    /// The classes of the submodules that could not be read, by name.
    std::unordered_map<std::string_view, std::string> unread;
};

/// Returns the code of a pickled torch.fx.GraphModule as text; nothing for another value.
std::optional<SavedCode> graphModuleCode(const archive::Pickle &pickle, archive::Pickle::ValueId value);

/// The modules of a torch.save file whose root is a GraphModule: reads them into the model's module tree, with their
/// tensors and plain attributes. Nothing is run.
class SavedModules {
public:
    SavedModules(ir::Model &model, const archive::TorchSave &saved, Notes &notes);

    /// Reads the modules. Errors: tensors whose sizes and strides make no sense.
    Result<void> read();

    static constexpr SavedId root{0};
    const SavedModule &at(SavedId id) const { return m_modules[id.index]; }
    /// Returns the constant that a pickled value is: a number, text, dtype, device or tensor, or a list or dict of
    /// them. Nothing for another value.
    std::optional<ir::Operand> constant(archive::Pickle::ValueId value, const std::string &path);

private:
    using ValueId = archive::Pickle::ValueId;
    struct Visit {
        SavedId saved;
        ir::ModuleId module;
        int depth = 0;
    };

    void visit(const Visit &visit);
    void readTuple(const Visit &visit);
    void addToTree(const Visit &visit);
    void readTensors(const Visit &visit, ValueId dict, ir::Tensor::Kind kind);
    void readChildren(const Visit &visit, ValueId dict);
    void readAttribute(const Visit &visit, std::string_view name, ValueId value);
    std::optional<SavedId> module(ValueId value, std::string path);
    ir::TensorId tensor(const archive::PickledTensor &pickled, ValueId value, const std::string &path,
                        ir::Tensor::Kind kind);
    std::optional<ir::Operand> list(std::span<const ValueId> items, ir::List::Kind kind, const std::string &path);
    std::optional<ir::Operand> called(const archive::Pickle::Call &call) const;
    std::string pathOf(SavedId module, std::string_view name) const;

    ir::Model &m_model;
    const archive::TorchSave &m_saved;
    const archive::Pickle &m_pickle;
    Notes &m_notes;
    archive::StorageTable m_storages;
    std::vector<SavedModule> m_modules;
    std::vector<ValueId> m_states; ///< the __dict__ of each module
    std::unordered_map<ValueId, SavedId> m_byValue;
    std::unordered_map<ValueId, ir::TensorId> m_tensors;
    std::unordered_set<SavedId> m_visited;
    std::vector<Visit> m_stack;
    std::vector<ir::TensorId> m_newTensors;
    std::size_t m_pathBytes = 0, m_constants = 0;
    int m_depth = 0;
};

} // namespace cutaway::formats::fx
