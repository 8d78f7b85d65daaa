// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QString>
#include <string>
#include <vector>

namespace cutaway::views {

/// An input, or a part of one, that can be given, and the text that gives it.
struct OpenInput {
    std::string path;      ///< "x", "pair.0"
    QString wanted;        ///< "1x3x224x224:float32", with the symbol or "?" where the file leaves a size open
    QString example = {};  ///< a text that can be given, where the file leaves something open; else ""
    QString dtype = {};    ///< a tensor's dtype if the text does not name one; "" for numbers
    bool isTensor = false; ///< its sizes, elements, or a file of them
    bool isFixed = false;  ///< `wanted` is what the file says, and would give the same
    bool isList = false;   ///< a list of any length: its text has the items with commas between

    /// The text in the form that request::giveInputs() reads.
    std::vector<std::string> given(const QString &text) const;
    /// The inverse: what `given` says of this input; "" if nothing.
    QString text(const std::vector<std::string> &given) const;
};

/// Tensors, and numbers that the file leaves open, also within tuples and lists.
std::vector<OpenInput> openInputs(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::views
