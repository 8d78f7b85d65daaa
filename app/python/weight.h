// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"

namespace cutaway::python {

/// A tensor of the file as Python holds it. It keeps the model alive.
struct WeightHandle {
    SharedModel shared;
    ir::TensorId id;

    const ir::Tensor &operator*() const { return shared->at(id); }
    const ir::Tensor *operator->() const { return &shared->at(id); }
};

/// Declares the class Weight.
void bindWeight(nb::module_ &module);

} // namespace cutaway::python
