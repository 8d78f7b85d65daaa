// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/bounded_cost.h"
#include "core/analysis/shapes.h"

#include <span>
#include <string>

namespace cutaway::analysis {

class Autocasts;
class Symbols;

/// An attribute of an object, by a path that may lead through modules: "layer1.0.weight".
struct AttributePath {
    ir::ValueId object;
    std::string path;
};

/// The facts of the values of one function.
class Values {
public:
    virtual ~Values() = default;
    virtual const ops::Fact &of(ir::ValueId value) const = 0;
    virtual ops::Fact of(const ir::Operand &operand) const = 0;

    // Notes that code writes to a list, a tensor or an attribute. Code that is Possibly reached joins both facts, code
    // that is Never reached changes nothing.
    virtual void write(ir::ValueId value, ops::Fact fact, Reached reached) = 0;
    virtual void write(const AttributePath &attribute, const ops::Fact &fact, Reached reached) = 0;
};

/// The walk through one function's graph, as the rules of control flow see it.
class Walk : public Values {
public:
    using Values::of;

    virtual void set(ir::ValueId value, ops::Fact fact) = 0;
    /// Walks the region and returns the facts of its results for `inputs`; missing inputs are unknown. The region is
    /// not reached more surely than the code around it.
    virtual ops::Facts enter(ir::RegionId region, std::span<const ops::Fact> inputs,
                             Reached reached = Reached::Certainly) = 0;
    /// Returns the cost of the region's nodes, from the last time that the region was entered.
    virtual BoundedCost costOf(ir::RegionId region) const = 0;
    virtual Reached reached() const = 0;
    /// The number of writes that have changed a fact so far. If it grows while a region is entered, the region has
    /// effects beside its results.
    virtual std::uint64_t changeCount() = 0;

    virtual std::int64_t opset(std::string_view dialect) const = 0;
    virtual Symbols &symbols() = 0;
    virtual Autocasts &autocasts() = 0;
};

} // namespace cutaway::analysis
