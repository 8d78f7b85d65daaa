// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QString>
#include <string>
#include <vector>

namespace cutaway::views {

/// An input, or a part of one, that the file leaves open, and how one line of text gives it.
struct OpenInput {
    std::string path;    ///< "x", "pair.0"
    QString wanted;      ///< "1x3x224x224:float32", with the symbol or "?" where the file leaves a size open
    bool isList = false; ///< of any number of items, with commas between them

    /// What request::giveInputs() reads.
    std::vector<std::string> given(const QString &text) const;
    /// The text that gives what these give to it; "" if they do not.
    QString text(const std::vector<std::string> &given) const;
};

/// Tensors without a rank, size or dtype and numbers; in tuples, and items of lists, too.
std::vector<OpenInput> openInputs(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::views
