// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"
#include "core/formats/onnx/write/writing.h"
#include "core/ir/node_ref.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// The names that the values of one function get in the file: their own ones if possible. A value gets a new name if
/// it has none and is read, or if its name means another value where it is defined. A value that is a result of the
/// function gets the result's name.
class ValueNames {
public:
    ValueNames(const Writing &writing, const ir::Function &function);

    const std::string &of(ir::ValueId value) const { return m_names[value.index]; }
    /// Returns the weights of a region, in the order of their ids.
    const std::vector<ir::ValueRef> &weightsOf(ir::RegionId region) const { return m_weights[region.index]; }
    /// Makes a name that nothing else has.
    std::string fresh(std::string_view wanted) { return m_taken.fresh(wanted); }

private:
    void claimResults(const ir::Function &function);
    void nameRegion(ir::RegionId region);
    void name(ir::ValueId value);

    const Writing &m_writing;
    const ir::Graph &m_graph;
    std::vector<std::string> m_names;
    std::vector<std::vector<ir::ValueRef>> m_weights;
    UniqueNames m_taken;                            ///< the names of all values of the function
    std::unordered_set<std::string_view> m_visible; ///< the names that are visible at the current position of the walk
    std::vector<std::string_view> m_order;          ///< m_visible in the order in which the names became visible
    std::vector<bool> m_claimed;
};

/// Whether a value is a weight that is written as a Constant node; the others are initializers.
bool isConstantNode(const Writing &writing, const ir::ValueRef &value);

} // namespace cutaway::formats::onnx
