// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/ir/json/json_reader.h"
#include "views/session/selection.h"

namespace cutaway::desktop {

/// A box or a value as a saved session names it. The name also finds the box or value in a later version of the file,
/// where its id may be another one.
struct SavedSubject {
    enum class Kind : std::uint8_t { Node, Module, Region, Input, Output, Group, Plumbing, Value, Found };
    Kind kind = Kind::Node;
    std::string name;         ///< the name of a node, an input or a value; the path of a module
    std::string op;           ///< a node's operator: "onnx::Conv"
    std::uint32_t id = 0;     ///< id of a node, region, input or value; index of an output; call of a module
    std::uint32_t region = 0; ///< the region of a module, an output, a group or plumbing
    /// The first and the last member of a group; for a found part its first and last node.
    std::uint32_t first = 0, last = 0;
    std::uint32_t level = 0, times = 0; ///< for a found part: the members of layout::FoundSubject
    bool operator==(const SavedSubject &) const = default;
};

/// Returns the name of a selection; nothing for an empty one.
std::optional<SavedSubject> savedSubject(const ir::Function &function, const views::Selection &selection);

/// Returns the box or value of a function that `saved` names: the one with its id if that has its name, or else the
/// only one with its name. Returns nothing otherwise.
std::optional<views::Selection> found(const ir::Function &function, const SavedSubject &saved);

/// Writes a subject as an object. readSubject() reads it; damaged input makes `reader` fail.
void write(JsonWriter &json, const SavedSubject &saved);
SavedSubject readSubject(ir::JsonReader &reader, const ir::Json &json);

} // namespace cutaway::desktop
