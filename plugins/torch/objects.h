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

/// An object of a script class, or a module of the file, as a value.
struct ScriptObject : torch::CustomClassHolder {
    ScriptObject() = default;
    explicit ScriptObject(ir::ModuleId whole) : module(whole) { }

    std::optional<ir::ModuleId> module;        ///< the module of the model, if the object is one
    std::map<std::string, c10::IValue> fields; ///< fields that were set during the run
};

/// A constant that is an object of a script class in the file. Its contents belong to the run: Run::storedObject().
struct StoredObject : torch::CustomClassHolder {
    explicit StoredObject(ir::ObjectId stored) : id(stored) { }
    ir::ObjectId id;
};

/// Whether the model contains the object's fields as attributes and tensors of a module. Objects of torch's own classes
/// are not readable.
bool isReadable(const ir::Model &model, ir::ObjectId id);

/// Returns the fields of a readable object. Throws if one cannot be read.
std::map<std::string, c10::IValue> storedFields(const Program &program, ir::ObjectId id);

/// Returns the object that a value is. Throws if it is none.
ScriptObject &objectOf(Run &run, const c10::IValue &value);

/// Returns an object's field, or a submodule by its dotted path. Throws if there is none.
c10::IValue attributeOf(Run &run, const c10::IValue &object, const std::string &name);

} // namespace cutaway::plugins
