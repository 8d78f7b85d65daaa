// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"

#include <memory>

namespace cutaway::passes {
class History;
}

namespace cutaway::python {

/// Declares the class Page.
void bindPage(nb::module_ &module);

/// Makes the page of a function of the model, and returns a Page. `profile` is the text of a saved profile, or "".
nb::object paged(const SharedModel &model, const RequestTexts &texts, const std::string &device,
                 const std::string &profile);
/// Makes the page of a function with the states of a history, and returns a Page.
nb::object paged(const SharedModel &model, const std::shared_ptr<const passes::History> &history);

/// Makes the page of files in a row, which are states of one graph, and returns a Page.
nb::object paged(const std::vector<std::string> &files);

/// Returns what a notebook shows: the page in a frame. Returns None for weights alone, and for a function that is too
/// large to be kept in a notebook.
nb::object framed(const SharedModel &model);
nb::object framed(const SharedModel &model, const std::shared_ptr<const passes::History> &history);
nb::object framed(const std::vector<std::string> &files);

} // namespace cutaway::python
