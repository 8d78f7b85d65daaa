// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/recorded_sizes.h"
#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"

namespace cutaway::passes {

/// Finds the types of values that become inputs of a part: the derived type where analysis knows more than the file
/// records, else the recorded one.
class KnownTypes {
public:
    /// `model` and `shapes` must outlive the object.
    KnownTypes(const ir::Model &model, const analysis::Shapes &shapes);

    ir::TypeId of(const ir::ValueRef &value) const;

private:
    const ir::Model &m_model;
    const analysis::Shapes &m_shapes;
    analysis::RecordedSizes m_sizes;
};

} // namespace cutaway::passes
