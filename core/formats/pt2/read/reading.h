// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

#include <optional>
#include <string>

namespace cutaway::formats::pt2 {

/// What the parts of the reader share: the model they fill, and the first fault that makes the file unusable. After
/// fail() reading goes on with nothings and ends soon; the caller looks at fault() once, at the end.
class Reading {
public:
    Reading(ir::Model &filled, const Task &watched) : model(filled), task(watched), notes(filled) { }

    ir::Model &model;
    const Task &task;
    Notes notes;
    std::string program; ///< the member being read, for places

    ir::Context &context() const { return *model.context; }
    ir::NameId name(std::string_view text) const;

    /// The first fault stays. `where` is a place within the program.
    void fail(std::string message, const std::string &where = {});
    void fail(Error error);
    bool failed() const { return m_fault.has_value(); }
    const std::optional<Error> &fault() const { return m_fault; }

private:
    std::optional<Error> m_fault;
};

} // namespace cutaway::formats::pt2
