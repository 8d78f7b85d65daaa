// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/ids.h"

#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace cutaway::formats::archive {

/// A Python pickle as inert data: it holds the values that unpickling would make and makes none of them. A global is a
/// pair of names, a call is its function beside its arguments. Values refer to each other by id, so a shared value is
/// stored once and a list may hold itself: code that walks values must guard against both.
class Pickle {
public:
    using ValueId = ir::Id<struct PickleValueTag>;

    struct None { };
    struct Text {
        std::string_view text; ///< a view of the pickle's bytes
    };
    struct Bytes {
        std::string_view bytes;
    };
    struct Items {
        enum class Kind : std::uint8_t { List, Tuple, Set };
        Kind kind = Kind::List;
        std::vector<ValueId> items;
    };
    struct Dict {
        std::vector<std::pair<ValueId, ValueId>> entries;
    };
    struct Global {
        std::string_view module;
        std::string_view name;
    };
    /// The call that REDUCE or NEWOBJ would make, with the state, entries and items that later opcodes add to it.
    struct Call {
        ValueId callee;
        ValueId arguments;                                ///< usually a tuple; TorchScript's enums have the bare value
        std::optional<ValueId> state;                     ///< from BUILD
        std::vector<std::pair<ValueId, ValueId>> entries; ///< from SETITEMS
        std::vector<ValueId> items;                       ///< from APPENDS
    };
    /// An object that is stored outside of the pickle: a storage.
    struct Persistent {
        ValueId id;
    };
    /// An integer that does not fit in 64 bits.
    struct BigInteger {
        std::string_view littleEndian;
    };
    using Value =
        std::variant<None, bool, std::int64_t, double, Text, Bytes, BigInteger, Items, Dict, Global, Call, Persistent>;

    /// Reads one pickle of protocol 2 to 5 from the front of `bytes`, which must outlive the result. Errors name what
    /// is wrong and the byte: unknown opcodes, an empty stack, a missing memo entry, more values than the limit.
    static Result<Pickle> read(std::span<const std::byte> bytes);

    ValueId root() const { return m_root; }
    /// Returns the number of bytes read: the next pickle of a stream starts there.
    std::size_t length() const { return m_length; }
    std::size_t size() const { return m_values.size(); }
    const Value &at(ValueId id) const { return m_values[id.index]; }

    template <class T>
    const T *as(ValueId id) const
    {
        return std::get_if<T>(&at(id));
    }
    std::optional<std::string_view> text(ValueId id) const;
    std::optional<std::int64_t> integer(ValueId id) const;
    /// Returns the items of a list, tuple or set; nothing for another value.
    std::optional<std::span<const ValueId>> items(ValueId id) const;
    /// Returns the integers of a tuple, a list or a torch.Size; nothing for another value, or if there are more than
    /// `most`.
    std::optional<std::vector<std::int64_t>> integers(ValueId id, std::size_t most) const;
    /// Returns the entries of a dict or of an OrderedDict record; nothing for another value.
    std::optional<std::span<const std::pair<ValueId, ValueId>>> entries(ValueId id) const;
    /// Returns the value of a text key in entries(dict), the last one if the key occurs several times; nothing if it
    /// does not occur.
    std::optional<ValueId> entry(ValueId dict, std::string_view key) const;
    bool isGlobal(ValueId id, std::string_view module, std::string_view name) const;
    /// Returns the arguments of the value if it is a call of module.name, else nothing.
    std::optional<std::span<const ValueId>> callOf(ValueId id, std::string_view module, std::string_view name) const;

private:
    friend class PickleReader;
    std::vector<Value> m_values;
    ValueId m_root;
    std::size_t m_length = 0;
};

} // namespace cutaway::formats::archive
