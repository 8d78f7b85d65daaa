// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/storage_table.h"
#include "core/formats/torchscript/objects.h"

#include <functional>
#include <span>
#include <string>
#include <unordered_map>

namespace cutaway::formats::torchscript {

/// A pickle of the archive, with its folder of storages.
struct PickledMember {
    std::string name; ///< "data.pkl"
    archive::Content content;
    archive::Pickle pickle;
    archive::StorageFolder storages;

    /// Reads a pickle; `stem` is "data" for data.pkl and data/. `zip` must outlive it. Errors: missing or damaged.
    static Result<PickledMember> read(const archive::Zip &zip, ir::FileId file, std::string_view stem);
};

/// Returns "a.C" for "__torch__.a.___torch_mangle_7.C".
std::string plainName(std::string_view qualifiedName);

/// Returns the class or function whose call makes a value, "__torch__.a.C"; nothing for a value that no call makes.
std::optional<std::string> calleeOf(const archive::Pickle &pickle, archive::Pickle::ValueId value);

/// Turns the values of a pickle into constants of the model. A shared value is made only once if it has an identity
/// (a tensor, an object). Lists are copied, up to limits on their nesting and on all of them together, because a
/// short pickle can describe a value of any size.
class PickledValues {
public:
    using ValueId = archive::Pickle::ValueId;
    /// Returns the module that a value is; PickledValues does not read modules itself.
    using FindModule = std::function<std::optional<InstanceId>(ValueId)>;

    PickledValues(ir::Model &model, Types &types, Notes &notes, archive::StorageTable &storages,
                  const PickledMember &member, FindModule findModule);

    /// Returns a value, which `path` names, as a constant. A module inside of a list gives a note and no value.
    ir::Operand constant(ValueId value, const std::string &path);
    /// Makes a tensor of the given kind and returns it; if that is impossible, adds a note and returns no value.
    ir::Operand tensor(const archive::PickledTensor &pickled, ValueId value, const std::string &path,
                       ir::Tensor::Kind kind);
    /// Returns the type of a value for which the code declares none.
    ir::TypeId typeOf(ValueId value, const ir::Operand &operand);

    /// Whether the tensor was made since the last call of takeTensors().
    bool isNew(ir::TensorId id) const { return id.index >= m_firstNew; }
    /// Return the tensors and attributes of script objects made since the last call; a module lists them with its own.
    std::vector<ir::TensorId> takeTensors();
    std::vector<ir::ModuleAttribute> takeObjectAttributes() { return std::exchange(m_objectAttributes, {}); }

private:
    ir::Operand convert(ValueId value, const std::string &path);
    ir::Operand text(ValueId value, std::string_view text);
    ir::Operand list(std::span<const ValueId> items, ir::List::Kind kind, const std::string &path);
    ir::Operand dict(std::span<const std::pair<ValueId, ValueId>> entries, const std::string &path);
    ir::Operand global(const archive::Pickle::Global &global);
    ir::Operand call(ValueId value, const archive::Pickle::Call &call, const std::string &path);
    ir::Operand device(std::span<const ValueId> arguments);
    ir::Operand object(ValueId value, const std::string &className, const archive::Pickle::Call &call,
                       const std::string &path);
    void objectState(ValueId state, std::string_view className, const std::string &path);
    void objectField(ValueId value, const std::string &path);
    ir::Operand nothing(std::string_view code, std::string message);

    ir::Model &m_model;
    Types &m_types;
    Notes &m_notes;
    archive::StorageTable &m_storages;
    const PickledMember &m_member;
    const archive::Pickle &m_pickle;
    FindModule m_findModule;
    std::unordered_map<ValueId, ir::Operand> m_shared; ///< tensors, objects and long texts
    std::vector<ir::TensorId> m_newTensors;
    std::uint32_t m_firstNew = 0;
    std::vector<ir::ModuleAttribute> m_objectAttributes;
    int m_depth = 0;
    std::size_t m_count = 0;
    bool m_isFull = false;
};

} // namespace cutaway::formats::torchscript
