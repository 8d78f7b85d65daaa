// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/formats/torchscript/types.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

using InstanceId = ir::Id<struct InstanceTag>;

/// A module object of data.pkl. An object that is an attribute of several others is a single Instance.
struct Instance {
    struct Attribute {
        std::string_view name; ///< a text of the model's context
        ir::TypeId type;       ///< the type that the class declares, or else the type of the value
        std::variant<ir::Operand, InstanceId> value; ///< a constant (also a tensor or script object) or a module
    };
    std::string className;                       ///< "__torch__.torch.nn.modules.conv.Conv2d"
    const ClassDefinition *definition = nullptr; ///< nullptr: the archive has no code for it
    std::string path; ///< the path from the root, with dots; if several lead to the module, the first one
    std::vector<Attribute> attributes;

    const Attribute *find(std::string_view attribute) const;
};

/// The values of a member like constants.pkl: each is a constant of the model or a module.
using Constants = std::vector<std::variant<ir::Operand, InstanceId>>;

/// The pickled objects of an archive.
struct Objects {
    std::vector<Instance> instances; ///< the first one is the root; empty if data.pkl contains no module
    Constants constants;             ///< CONSTANTS.c0, …

    const Instance &at(InstanceId id) const { return instances[id.index]; }
};

/// Reads data.pkl and constants.pkl into the model: modules, parameters, buffers and other tensors with their
/// storages, attributes of every type, script objects (packed parameters, torchbind classes, script classes; the
/// tensors in their state become constants of the model). No code of the file is run. Errors: data.pkl is damaged, or
/// its top is not an object. All other faults give notes.
Result<Objects> readObjects(ir::Model &model, ir::FileId file, const archive::Zip &zip, const Code &code, Types &types,
                            Notes &notes);

} // namespace cutaway::formats::torchscript
