// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/value.h"

#include <map>
#include <string>

/// Values of graphs that write in place: tensors that share their elements, lists and objects that are passed by
/// reference. A Value is a copy that was made when the original was last read, with a pointer to the original; each
/// further reading renews the copy. Graphs that write nothing need none of this.
namespace cutaway::compute {

/// The elements that tensors share: each of the tensors sees all or part of them.
struct Memory {
    ir::Numbers elements;  ///< the present elements, if `isKept`
    bool isKept = false;   ///< false: nothing was written yet, and no tensor views only a part
    bool isShared = false; ///< whether tensors that are not followed share it, so that it must not be written to
    std::uint64_t writes = 0;
};

struct Reshaped;

/// Where a tensor's elements lie in a memory. All values that are one tensor share a placement; views have their own.
struct Placement {
    std::shared_ptr<Memory> memory;
    std::shared_ptr<const std::vector<std::int64_t>> places = nullptr; ///< nullptr: all elements, row by row
    Cow<ops::Strides> strides = nullptr;                               ///< the strides in PyTorch; nullptr: row-major
    /// The shape and strides after a change in place; nullptr: unchanged.
    mutable std::shared_ptr<const Reshaped> reshaped = nullptr;
    mutable bool isPerhapsAnother = false; ///< whether a value with another placement may be the same tensor
};

/// The new shape and placement of a tensor that was reshaped in place.
struct Reshaped {
    Sizes shape;
    std::shared_ptr<const Placement> lies;
};

/// A list, dictionary or object that several values share.
struct Container {
    Value now;             ///< the present list, whose own `container` is empty
    bool isShared = false; ///< whether values that are not followed share it, so that it must not be written to
    std::uint64_t writes = 0;
    std::map<std::string, Value, std::less<>> attributes = {}; ///< an object's attributes by name
};

/// Gives tensors, lists, objects and the items of lists in `value` a new memory or container, unless they have one: all
/// that can be written to needs one.
void giveOwnPlaces(Value &value);

/// Updates a value after writes to its memory.
void renew(Value &value);
void renew(Array &array);

/// Returns a tensor that shares the memory of `base`: `view` has the elements that lie at `places`, which are
/// row-major positions in `base`.
Array placedWithin(const Array &base, std::vector<std::int64_t> places, Array view);

/// Gives `target`, and all values that are the same tensor, the shape of `now`, whose elements lie at `places`.
/// Returns false if it is not known which other values are the same tensor.
bool reshapeInPlace(const Array &target, std::vector<std::int64_t> places, Array now);

/// Writes the elements to the tensor's memory. Returns false if it is not known which other values share it.
bool write(const Array &target, const ir::Numbers &elements);
/// Replaces the contents of a list or dictionary. Returns false if it is not known which other values share it.
bool write(const Value &target, Value now);

/// Notes that the lists in `value` become part of other values in a way that is not followed.
void noteShared(const Value &value);

} // namespace cutaway::compute
