// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QString>
#include <string>
#include <vector>

namespace cutaway::views {

/// An input, or a part of one, whose type the file leaves open, and the text that gives it.
struct OpenInput {
    std::string path;    ///< "x", "pair.0"
    QString wanted;      ///< "1x3x224x224:float32", with the symbol or "?" where the file leaves a size open
    bool isList = false; ///< with any number of items, separated by commas

    /// The text in the form that request::giveInputs() reads.
    std::vector<std::string> given(const QString &text) const;
    /// The inverse: what `given` says of this input; "" if nothing.
    QString text(const std::vector<std::string> &given) const;
};

/// Numbers, and tensors of unknown rank, size or dtype, also within tuples and lists.
std::vector<OpenInput> openInputs(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::views
