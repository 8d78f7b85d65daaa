// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "plugins/torch/program.h"

#include <map>
#include <optional>
#include <string>
#include <torch/custom_class.h>

namespace cutaway::plugins {

/// An object of a script class or a module of the file, as a value.
struct ScriptObject : torch::CustomClassHolder {
    ScriptObject() = default;
    explicit ScriptObject(ir::ModuleId whole) : module(whole) { }

    std::optional<ir::ModuleId> module;        ///< which of the model's it is
    std::map<std::string, c10::IValue> fields; ///< what was set while running
};

/// An object of a script class that lies in the file, as a constant: what it holds is the run's, Run::storedObject().
struct StoredObject : torch::CustomClassHolder {
    explicit StoredObject(ir::ObjectId stored) : id(stored) { }
    ir::ObjectId id;
};

/// Whether what the object holds is in the model, as attributes and tensors of a module. Objects of torch's own classes
/// are not.
bool isReadable(const ir::Model &model, ir::ObjectId id);

/// What the file has in an object that is readable. Throws what of it cannot be read.
std::map<std::string, c10::IValue> storedFields(const Program &program, ir::ObjectId id);

/// Throws if the value is no object.
ScriptObject &objectOf(Run &run, const c10::IValue &value);

/// What an object holds under a name, or a module below under a dotted one. Throws if that is nothing.
c10::IValue attributeOf(Run &run, const c10::IValue &object, const std::string &name);

} // namespace cutaway::plugins
