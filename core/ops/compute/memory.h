// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/value.h"

#include <map>
#include <string>

/// What graphs that write in place need: tensors that share their elements, lists and objects that go by reference. A
/// value is a copy of what it was when it was read last, and knows where the original lies; who reads it later renews
/// it. Graphs that write nothing do without.
namespace cutaway::compute {

/// Elements of tensors that see them all or in part.
struct Memory {
    ir::Numbers elements;  ///< as they are now, if `isKept`
    bool isKept = false;   ///< else nothing was written yet and no tensor sees a part
    bool isShared = false; ///< with tensors that are not followed: it must not be written to
    std::uint64_t writes = 0;
};

struct Reshaped;

/// Where a tensor's elements lie. All values that are one tensor have the same; views have their own.
struct Placement {
    std::shared_ptr<Memory> memory;
    std::shared_ptr<const std::vector<std::int64_t>> places = nullptr; ///< nullptr: all elements, row by row
    Cow<ops::Strides> strides = nullptr;                               ///< as PyTorch has them; nullptr: row by row
    mutable std::shared_ptr<const Reshaped> reshaped = nullptr;        ///< since it got another shape in place
    mutable bool isPerhapsAnother = false; ///< a value with another placement may be the same tensor
};

/// What became of a tensor that got another shape in place.
struct Reshaped {
    Sizes shape;
    std::shared_ptr<const Placement> lies;
};

/// A list, dictionary or object, which all values have that stand for it.
struct Container {
    Value now;             ///< of a list; its own `container` is empty
    bool isShared = false; ///< with values that are not followed: it must not be written to
    std::uint64_t writes = 0;
    std::map<std::string, Value, std::less<>> attributes = {}; ///< of an object
};

/// Gives all that can be written to a place of its own, where it has none: tensors, lists, objects, and what is in
/// lists.
void giveOwnPlaces(Value &value);

/// Takes over what was written since the value was read.
void renew(Value &value);
void renew(Array &array);

/// The tensor that sees of `base` the elements at these places, which are row-major positions in `base`. The elements
/// of `view` are those.
Array placedWithin(const Array &base, std::vector<std::int64_t> places, Array view);

/// Gives the tensor, and whoever has the same one, the shape of `now`, whose elements it has at these places. False: it
/// is not known who else has it.
bool reshapeInPlace(const Array &target, std::vector<std::int64_t> places, Array now);

/// Writes the elements to where the tensor lies. False: it is not known who else has them.
bool write(const Array &target, const ir::Numbers &elements);
/// Replaces what is in a list or dictionary. False as above.
bool write(const Value &target, Value now);

/// Lists among these values go into others in a way that is not followed.
void noteShared(const Value &value);

} // namespace cutaway::compute
