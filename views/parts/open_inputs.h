// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <QString>
#include <string>
#include <vector>

namespace cutaway::views {

/// An input that the user may give, or a part of one, and how it is written.
struct OpenInput {
    std::string path;      ///< the path of the input, "x", or of a part of it, "pair.0"
    QString wanted;        ///< the form of a value: "1x3x224x224:float32", with a symbol or "?" for each open size
    QString example = {};  ///< a text that the user could give if the file leaves something open; else ""
    QString dtype = {};    ///< the dtype of a tensor for texts that name none; "" for numbers
    bool isTensor = false; ///< whether the input is a tensor, for which users give sizes, elements or a file
    bool isFixed = false;  ///< whether `wanted` is the file's value
    bool isList = false;   ///< whether the input is a list of any length; commas separate its items

    /// Returns the text in the form that request::giveInputs() reads.
    std::vector<std::string> given(const QString &text) const;
    /// Returns the text in `given` for this input; "" if there is none.
    QString text(const std::vector<std::string> &given) const;
};

/// Returns the inputs that are tensors, or numbers that the file leaves open, also within tuples and lists.
std::vector<OpenInput> openInputs(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::views
