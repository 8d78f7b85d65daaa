// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

#include <string>

namespace cutaway::formats::pt2 {

/// The state that the parts of the reader share. The parts throw Unusable.
class Reading {
public:
    Reading(ir::Model &model, const Task &task) : model(model), task(task), notes(model) { }

    ir::Model &model;
    const Task &task;
    Notes notes;
    std::string program; ///< the member that is being read, for error messages

    ir::Context &context() const { return *model.context; }
    ir::NameId name(std::string_view text) const;

    /// Throws Unusable. `where` is a position within the program.
    [[noreturn]] void fail(std::string message, std::string where = {}) const;
};

} // namespace cutaway::formats::pt2
