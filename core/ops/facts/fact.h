// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cow.h"
#include "core/ir/argument.h"
#include "core/ir/dim.h"
#include "core/ir/lists.h"
#include "core/ir/type.h"

#include <span>
#include <string>
#include <variant>

namespace cutaway::ir {
class Context;
}

namespace cutaway::ops {

struct Fact;

/// A value of which nothing is known, not even its kind.
struct AnyFact {
    bool operator==(const AnyFact &) const = default;
};

struct NoneFact {
    bool operator==(const NoneFact &) const = default;
};

/// Elements between neighbours, one number per dimension: torch.Tensor.stride().
using Strides = std::vector<ir::Dim>;

/// Storages that tensors lie in, numbered during one propagation.
enum class StorageNumber : std::uint32_t {
    None = 0,    ///< not placed yet: a result that no argument lends its storage
    Weights = 1, ///< the storages of the file: parameters, buffers, constants
};

/// A tensor. Unknown properties are empty; an unknown size is an UnknownDim.
struct TensorFact {
    std::optional<ir::DType> dtype;
    StorageNumber storage = StorageNumber::None;
    Cow<ir::Shape> shape; ///< empty: unknown rank
    /// The elements of a small tensor, row by row: sizes on their way through the graph, booleans as 0 and 1, and the
    /// floats that sizes are multiplied with (Expr::floating, or a formula). As many as the shape has; at most
    /// maxTrackedElements.
    Cow<std::vector<ir::Dim>> elements;
    Cow<Strides> strides = nullptr;                ///< nullptr: row by row, without gaps
    Cow<std::vector<std::string>> texts = nullptr; ///< as `elements`, of a tensor of texts
    /// Compares the tensors themselves: storages and strides do not count.
    bool operator==(const TensorFact &other) const;
};
inline constexpr std::size_t maxTrackedElements = 1024;

/// A number or boolean that is not a tensor. An int's value is a Dim (an expression over symbols, or unknown); a
/// float's may be one that gives floats: tofloat(s0)*1.5.
struct NumberFact {
    using Kind = ir::NumberType::Kind;
    Kind kind = Kind::Int;
    std::variant<std::monostate, ir::Dim, double, bool, std::complex<double>> value; ///< the number; or not known
    bool operator==(const NumberFact &) const = default;
};

struct TextFact {
    std::string text;
    bool operator==(const TextFact &) const = default;
};

/// A list or tuple: exactly some items, or a number of them that are alike.
struct SequenceFact {
    using Items = std::vector<Fact>;
    /// So many items, each as `item` says (a list of one fact, so that a fact can hold facts).
    struct Alike {
        ir::RareList<Fact> item;
        ir::Dim length;
        bool operator==(const Alike &) const;
    };
    ir::List::Kind kind = ir::List::Kind::List;
    std::variant<Items, Alike> content;

    const Items *items() const { return std::get_if<Items>(&content); } ///< nullptr: they are alike
    Items *items() { return std::get_if<Items>(&content); }
    /// The items, or the one fact that each is as.
    std::span<const Fact> each() const;
    std::span<Fact> each();
    ir::Dim length() const;
    bool operator==(const SequenceFact &) const;
};

/// A dictionary: exactly some entries, or any number of them.
struct DictFact {
    using Entries = std::vector<Fact>; ///< key, value, key, value, …
    /// Entries of which it is known only that each value is as `value` says (a list of one fact, so that a fact can
    /// hold facts).
    struct AnyEntries {
        ir::RareList<Fact> value;
        bool operator==(const AnyEntries &) const;
    };
    std::variant<Entries, AnyEntries> content;

    const Entries *entries() const { return std::get_if<Entries>(&content); } ///< nullptr: any
    Entries *entries() { return std::get_if<Entries>(&content); }
    bool operator==(const DictFact &) const;
};

/// None, or else what `value` says (a vector of one fact).
struct MaybeFact {
    std::vector<Fact> value;
    bool operator==(const MaybeFact &) const;
};

/// A value of some other type, such as packed weights or a generator, with what it is known to hold. A module of which
/// it is known which one of the model it is has its ir::ModuleId as fact.
struct ObjectFact {
    std::vector<std::pair<std::string, Fact>> held;
    bool operator==(const ObjectFact &) const;
};

/// A description of a value before the graph runs, true for all inputs that the given facts allow.
struct Fact {
    using Variant =
        std::variant<AnyFact, NoneFact, TensorFact, NumberFact, TextFact, ir::DType, ir::Layout, ir::MemoryFormat,
                     ir::Device, SequenceFact, DictFact, MaybeFact, ir::ModuleId, ObjectFact>;
    Variant v;

    // Out of line: what a variant of so many kinds does is a lot of code, and facts are copied everywhere.
    Fact();
    Fact(const Fact &);
    Fact(Fact &&) noexcept;
    Fact &operator=(const Fact &);
    Fact &operator=(Fact &&) noexcept;
    ~Fact();
    template <class T>
        requires std::constructible_from<Variant, T &&> && (!std::same_as<std::remove_cvref_t<T>, Fact>)
    // NOLINTNEXTLINE(google-explicit-constructor): every alternative is a fact
    Fact(T &&x) : v(std::forward<T>(x))
    {
    }
    template <class T>
    const T *as() const
    {
        return std::get_if<T>(&v);
    }
    bool operator==(const Fact &) const;
};

inline bool SequenceFact::Alike::operator==(const Alike &) const = default;
inline bool SequenceFact::operator==(const SequenceFact &) const = default;
inline bool DictFact::AnyEntries::operator==(const AnyEntries &) const = default;
inline bool DictFact::operator==(const DictFact &) const = default;
inline bool MaybeFact::operator==(const MaybeFact &) const = default;
inline bool ObjectFact::operator==(const ObjectFact &) const = default;

// Making facts.
TensorFact tensorFact(std::optional<ir::DType> dtype, Cow<ir::Shape> shape = {});
/// A 0-dim tensor or a vector of known int64 elements.
TensorFact scalarTensor(ir::DType dtype, ir::Dim element);
TensorFact vectorTensor(ir::DType dtype, std::vector<ir::Dim> elements);
/// A tensor of texts; they are known if the shape has as many.
TensorFact textTensor(ir::Shape shape, std::vector<std::string> texts);
NumberFact intFact(ir::Dim value = ir::UnknownDim{});
NumberFact floatFact(std::optional<double> value = {});
NumberFact boolFact(std::optional<bool> value = {});
SequenceFact listFact(std::vector<Fact> items);
SequenceFact tupleFact(std::vector<Fact> items);
/// A list of `length` items that are as `item` says.
SequenceFact manyOf(Fact item, ir::Dim length = ir::UnknownDim{});
DictFact dictFact(DictFact::Entries entries);
/// A dictionary of any number of values, each as `value` says.
DictFact dictOfAny(Fact value);
/// An object that holds these facts under their names, without those that are None.
ObjectFact objectFact(std::initializer_list<std::pair<std::string_view, Fact>> held);
/// The fact that a type alone tells; a recorded shape is part of the type.
Fact factOf(const ir::Context &context, ir::TypeId type);

// Reading facts. A MaybeFact counts as its value.
const TensorFact *asTensor(const Fact &fact);
/// The value of an int, of a 0-dim tensor or of a vector of one element; nothing if the fact is none of these or the
/// value is not known.
std::optional<ir::Dim> asInt(const Fact &fact);
std::optional<double> asFloat(const Fact &fact);
std::optional<bool> asBool(const Fact &fact);
/// A list of ints, or the elements of a tensor of integers. An element may be an UnknownDim; nothing if the number of
/// elements is not known.
std::optional<std::vector<ir::Dim>> asInts(const Fact &fact);
/// A fact that holds for every value of the dictionary.
Fact anyValue(const DictFact &dict);
/// Whether the value is a module or another object.
bool isObject(const Fact &fact);
/// The fact that an object is known to hold under a name; nullptr if `object` is not an object or that is not known.
const Fact *heldBy(const Fact &object, std::string_view name);

/// The bytes of the tensor's elements.
ir::Dim bytesOf(const TensorFact &tensor);

/// Calls `visit` for every tensor in a fact, also those in lists and dictionaries.
template <class AnyFact, class Visitor>
void forEachTensor(AnyFact &fact, const Visitor &visit)
{
    if (auto *tensor = std::get_if<TensorFact>(&fact.v))
        visit(*tensor);
    else if (auto *list = std::get_if<SequenceFact>(&fact.v))
        for (auto &item : list->each())
            forEachTensor(item, visit);
    else if (auto *maybe = std::get_if<MaybeFact>(&fact.v))
        for (auto &item : maybe->value)
            forEachTensor(item, visit);
    else if (auto *dict = std::get_if<DictFact>(&fact.v)) {
        auto *any = std::get_if<DictFact::AnyEntries>(&dict->content);
        for (auto &item : any ? std::span(any->value) : std::span(*dict->entries()))
            forEachTensor(item, visit);
    }
}

/// The fact of a value that is `a` on one path and `b` on another.
Fact join(const Fact &a, const Fact &b);

/// "float32[1, s0]", "3", "list of 2"; for reasons and tests.
std::string print(const Fact &fact);

} // namespace cutaway::ops
