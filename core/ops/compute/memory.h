// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/value.h"

#include <map>
#include <string>

/// Values of graphs that write in place: tensors that share their elements, lists and objects that go by reference. A
/// value is a copy of what it was when it was read last, and knows where the original lies; a later reader renews it.
/// Graphs that write nothing do without this.
namespace cutaway::compute {

/// The elements of tensors that see all or part of them.
struct Memory {
    ir::Numbers elements;  ///< as they are now, if `isKept`
    bool isKept = false;   ///< else nothing was written yet and no tensor sees a part alone
    bool isShared = false; ///< with tensors that are not followed: it must not be written to
    std::uint64_t writes = 0;
};

struct Reshaped;

/// The placement of a tensor's elements. All values that are one tensor share one; views have their own.
struct Placement {
    std::shared_ptr<Memory> memory;
    std::shared_ptr<const std::vector<std::int64_t>> places = nullptr; ///< nullptr: all elements, row by row
    Cow<ops::Strides> strides = nullptr;                               ///< as PyTorch has them; nullptr: row by row
    mutable std::shared_ptr<const Reshaped> reshaped = nullptr;        ///< since it got another shape in place
    mutable bool isPerhapsAnother = false; ///< a value with another placement may be the same tensor
};

/// The new shape and placement of a tensor that got another shape in place.
struct Reshaped {
    Sizes shape;
    std::shared_ptr<const Placement> lies;
};

/// A list, dictionary or object, shared by all values that stand for it.
struct Container {
    Value now;             ///< the list that it is now; its own `container` is empty
    bool isShared = false; ///< with values that are not followed: it must not be written to
    std::uint64_t writes = 0;
    std::map<std::string, Value, std::less<>> attributes = {}; ///< an object's attributes by name
};

/// Gives a memory or a container of its own to everything in `value` that can be written to and has none: tensors,
/// lists, objects, and the items of lists.
void giveOwnPlaces(Value &value);

/// Updates a value with what was written since it was read.
void renew(Value &value);
void renew(Array &array);

/// The tensor that sees the elements of `base` at `places`, which are row-major positions in `base`. `view` has these
/// elements.
Array placedWithin(const Array &base, std::vector<std::int64_t> places, Array view);

/// Gives `target`, and all values that are the same tensor, the shape of `now`, whose elements lie at `places`. False:
/// it is not known which other values are the same tensor.
bool reshapeInPlace(const Array &target, std::vector<std::int64_t> places, Array now);

/// Writes the elements to where the tensor lies. False: it is not known which other values share them.
bool write(const Array &target, const ir::Numbers &elements);
/// Replaces the contents of a list or dictionary. False as above.
bool write(const Value &target, Value now);

/// Notes that the lists in `value` go into other values in a way that is not followed.
void noteShared(const Value &value);

} // namespace cutaway::compute
