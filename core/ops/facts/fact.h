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

/// The distance in elements between neighbours, one number per dimension: torch.Tensor.stride().
using Strides = std::vector<ir::Dim>;

/// The storages of tensors, numbered during one propagation.
enum class StorageNumber : std::uint32_t {
    None = 0,    ///< not placed yet; in a shape rule's result: no argument's storage
    Weights = 1, ///< the storages of the file: parameters, buffers, constants
};

/// A tensor. Unknown properties are empty; an unknown size is an UnknownDim.
struct TensorFact {
    std::optional<ir::DType> dtype;
    StorageNumber storage = StorageNumber::None;
    Cow<ir::Shape> shape; ///< empty: unknown rank
    /// The elements of a small tensor, row by row: sizes that the graph computes with, Booleans as 0 and 1, and the
    /// floats that sizes are multiplied with (Expr::floating, or a formula). There are as many as the shape has; at
    /// most maxTrackedElements.
    Cow<std::vector<ir::Dim>> elements;
    Cow<Strides> strides = nullptr;                ///< nullptr: row by row, without gaps
    Cow<std::vector<std::string>> texts = nullptr; ///< the elements of a tensor of texts
    /// Compares all but storages and strides.
    bool operator==(const TensorFact &other) const;
};
inline constexpr std::size_t maxTrackedElements = 1024;

/// A number or boolean that is not a tensor. An int's value is a Dim (an expression over symbols, or unknown). A
/// float's value may also be a Dim, if that is an expression with floats: tofloat(s0)*1.5.
struct NumberFact {
    using Kind = ir::NumberType::Kind;
    Kind kind = Kind::Int;
    /// The number; std::monostate: it is not known.
    std::variant<std::monostate, ir::Dim, double, bool, std::complex<double>> value;
    bool operator==(const NumberFact &) const = default;
};

struct TextFact {
    std::string text;
    bool operator==(const TextFact &) const = default;
};

/// A list or tuple: either the fact of each item, or a number of items that share one fact.
struct SequenceFact {
    using Items = std::vector<Fact>;
    /// A number of items that all have the fact `item` (a list of one fact, as a fact cannot hold a fact directly).
    struct Alike {
        ir::RareList<Fact> item;
        ir::Dim length;
        bool operator==(const Alike &) const;
    };
    ir::List::Kind kind = ir::List::Kind::List;
    std::variant<Items, Alike> content;

    const Items *items() const { return std::get_if<Items>(&content); } ///< nullptr: all items are alike
    Items *items() { return std::get_if<Items>(&content); }
    /// Returns the facts of the items, or the single fact that all items share.
    std::span<const Fact> each() const;
    std::span<Fact> each();
    ir::Dim length() const;
    bool operator==(const SequenceFact &) const;
};

/// A dictionary: either its entries, or any number of entries that share one fact.
struct DictFact {
    using Entries = std::vector<Fact>; ///< key, value, key, value, …
    /// Any number of entries whose values all have the fact `value` (a list of one fact, as in SequenceFact::Alike).
    struct AnyEntries {
        ir::RareList<Fact> value;
        bool operator==(const AnyEntries &) const;
    };
    std::variant<Entries, AnyEntries> content;

    const Entries *entries() const { return std::get_if<Entries>(&content); } ///< nullptr: the entries are not known
    Entries *entries() { return std::get_if<Entries>(&content); }
    bool operator==(const DictFact &) const;
};

/// None, or a value with the fact `value` (a list of one fact).
struct MaybeFact {
    std::vector<Fact> value;
    bool operator==(const MaybeFact &) const;
};

/// A value of some other type, such as packed weights or a generator, with the known facts of its contents. The fact
/// of a known module of the model is its ir::ModuleId instead.
struct ObjectFact {
    std::vector<std::pair<std::string, Fact>> held;
    bool operator==(const ObjectFact &) const;
};

/// All that is known of a value before the graph runs; it holds for all inputs that the given facts allow.
struct Fact {
    using Variant =
        std::variant<AnyFact, NoneFact, TensorFact, NumberFact, TextFact, ir::DType, ir::Layout, ir::MemoryFormat,
                     ir::Device, SequenceFact, DictFact, MaybeFact, ir::ModuleId, ObjectFact>;
    Variant v;

    // Not inline: the special members of so large a variant are a lot of code, and facts are copied everywhere.
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

// Functions that make facts.
TensorFact tensorFact(std::optional<ir::DType> dtype, Cow<ir::Shape> shape = {});
/// A tensor without dimensions, or a vector, of known elements.
TensorFact scalarTensor(ir::DType dtype, ir::Dim element);
TensorFact vectorTensor(ir::DType dtype, std::vector<ir::Dim> elements);
/// Returns a tensor of texts, which are its elements if their number fits the shape.
TensorFact textTensor(ir::Shape shape, std::vector<std::string> texts);
NumberFact intFact(ir::Dim value = ir::UnknownDim{});
NumberFact floatFact(std::optional<double> value = {});
NumberFact boolFact(std::optional<bool> value = {});
SequenceFact listFact(std::vector<Fact> items);
SequenceFact tupleFact(std::vector<Fact> items);
/// A list of `length` items, all described by `item`.
SequenceFact manyOf(Fact item, ir::Dim length = ir::UnknownDim{});
DictFact dictFact(DictFact::Entries entries);
/// Returns a dictionary of any number of entries, whose values are all described by `value`.
DictFact dictOfAny(Fact value);
/// Returns an object with these facts by name, without those that are None.
ObjectFact objectFact(std::initializer_list<std::pair<std::string_view, Fact>> held);
/// The fact that follows from a type alone; a recorded shape is part of the type.
Fact factOf(const ir::Context &context, ir::TypeId type);

// Functions that read facts. A MaybeFact counts as its value.
const TensorFact *asTensor(const Fact &fact);
/// The value of an int or of a tensor of one element; nothing if the fact is neither or the value is not known.
std::optional<ir::Dim> asInt(const Fact &fact);
std::optional<double> asFloat(const Fact &fact);
std::optional<bool> asBool(const Fact &fact);
/// The ints of a list or of a tensor, or an int alone, each perhaps an UnknownDim; nothing if their number is not
/// known.
std::optional<std::vector<ir::Dim>> asInts(const Fact &fact);
/// A fact that holds for every value of the dictionary.
Fact anyValue(const DictFact &dict);
/// Whether the value is a module or another object.
bool isObject(const Fact &fact);
/// The fact that an object is known to hold under a name; nullptr if `object` is no object or the fact is not known.
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

/// Prints a fact for reasons and tests: "float32[1, s0]", "3", "list of 2".
std::string print(const Fact &fact);

} // namespace cutaway::ops
