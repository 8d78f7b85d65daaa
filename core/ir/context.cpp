// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"

#include "core/ir/stable_vector.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::ir {

namespace {

using boost::hash_combine;

template <class Tag>
std::size_t hash_value(Id<Tag> id)
{
    return std::hash<Id<Tag>>{}(id);
}

std::size_t hashOf(std::string_view text) { return std::hash<std::string_view>{}(text); }

template <class... Parts>
std::size_t hashOfParts(const Parts &...parts)
{
    std::size_t seed = 0;
    (hash_combine(seed, parts), ...);
    return seed;
}

std::size_t hashOf(const Operator &op) { return hashOfParts(op.dialect.index, op.name.index, op.overload.index); }

std::size_t hashOf(const Location &l)
{
    return hashOfParts(l.file.index, l.line, l.function.index, l.text.index, l.caller.index);
}

std::size_t hashOf(const Scope &s)
{
    return hashOfParts(s.parent.index, s.name.index, s.path.index, s.className.index, s.call);
}

std::size_t hashOf(const symbolic::Expr &expr) { return hashOf(symbolic::print(expr)); }

void combine(std::size_t &seed, const std::optional<Shape> &shape)
{
    hash_combine(seed, shape ? shape->size() : ~std::size_t{0});
    for (const Dim &dim : shape ? std::span<const Dim>(*shape) : std::span<const Dim>()) {
        hash_combine(seed, dim.index());
        if (const auto *n = std::get_if<std::int64_t>(&dim))
            hash_combine(seed, *n);
        else if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
            hash_combine(seed, hashOf(*expr));
    }
}

struct TypeHash {
    std::size_t operator()(const UnknownType &) const { return 0; }
    std::size_t operator()(const TensorType &t) const
    {
        std::size_t seed = t.dtype ? static_cast<std::size_t>(*t.dtype) : 255;
        combine(seed, t.shape);
        combine(seed, t.strides);
        hash_combine(seed, t.device ? t.device->kind.index + 1 : 0);
        return hashOfParts(seed, static_cast<int>(t.layout), t.requiresGrad);
    }
    std::size_t operator()(const NumberType &t) const
    {
        return hashOfParts(static_cast<int>(t.kind), t.value ? hashOf(*t.value) : 0);
    }
    std::size_t operator()(const PlainType &t) const { return static_cast<std::size_t>(t.kind); }
    std::size_t operator()(const ClassType &t) const { return hashOfParts(static_cast<int>(t.kind), t.name.index); }
    std::size_t operator()(const CompoundType &t) const
    {
        std::size_t seed = hashOfParts(static_cast<int>(t.kind), t.name.index);
        for (const TypeId element : t.elements)
            hash_combine(seed, element.index);
        for (const NameId field : t.fieldNames)
            hash_combine(seed, field.index);
        return seed;
    }
};

std::size_t hashOf(const Type &type) { return hashOfParts(type.index(), std::visit(TypeHash{}, type)); }

/// Interns items by content. The index stores a part of each hash, so that most comparisons end there and the index can
/// grow without reading items. `Kept` is the type that items are stored as; equal items must also be equal as `Kept`.
template <class T, class Kept = T>
class InternTable {
public:
    InternTable() : m_index(0, Hash{}, Equal{&m_items}) { }

    const StableVector<Kept> &items() const { return m_items; }

    /// Returns the item's id. A new item is stored as keep(item).
    template <class Keep = std::identity>
    std::uint32_t intern(const T &item, Keep keep = {})
    {
        const std::uint32_t hash = shortHash(item);
        if (const auto found = m_index.find(Wanted{item, hash}); found != m_index.end())
            return found->id;
        const std::uint32_t id = m_items.append(keep(item));
        m_index.insert(Entry{id, hash});
        return id;
    }

private:
    struct Entry {
        std::uint32_t id;
        std::uint32_t hash;
    };
    struct Wanted {
        const T &item;
        std::uint32_t hash;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(const auto &key) const { return key.hash; }
    };
    struct Equal {
        using is_transparent = void;
        const StableVector<Kept> *items;
        bool operator()(const Entry &a, const Entry &b) const { return a.id == b.id; }
        bool operator()(const Entry &a, const Wanted &b) const { return a.hash == b.hash && (*items)[a.id] == b.item; }
        bool operator()(const Wanted &a, const Entry &b) const { return (*this)(b, a); }
    };

    static std::uint32_t shortHash(const T &item)
    {
        const std::uint64_t hash = hashOf(item);
        return static_cast<std::uint32_t>(hash ^ (hash >> 32));
    }

    StableVector<Kept> m_items;
    boost::unordered_flat_set<Entry, Hash, Equal> m_index;
};

/// A string in a TextArena: its length, seven bits per byte, the eighth set in all but the last; then its characters.
struct KeptText {
    const char *place;

    // NOLINTNEXTLINE(google-explicit-constructor): it is a string, in half the room
    operator std::string_view() const
    {
        std::size_t size = 0;
        const char *at = place;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(*at++);
            size |= static_cast<std::size_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return {at, size};
        }
    }
};

/// Memory for strings that live as long as the context.
class TextArena {
public:
    KeptText keep(std::string_view text)
    {
        boost::container::static_vector<char, 10> length;
        for (std::size_t left = text.size(); length.empty() || left > 0; left >>= 7)
            length.push_back(static_cast<char>((left & 0x7f) | (left >= 0x80 ? 0x80 : 0)));
        char *place = room(length.size() + text.size());
        text.copy(std::ranges::copy(length, place).out, text.size());
        return {place};
    }

private:
    static constexpr std::size_t blockSize = 64 * 1024;

    char *room(std::size_t size)
    {
        if (size > blockSize / 4)
            return m_large.emplace_back(std::make_unique_for_overwrite<char[]>(size)).get();
        if (m_used + size > blockSize) {
            m_blocks.push_back(std::make_unique_for_overwrite<char[]>(blockSize));
            m_used = 0;
        }
        return m_blocks.back().get() + std::exchange(m_used, m_used + size);
    }

    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::vector<std::unique_ptr<char[]>> m_large;
    std::size_t m_used = blockSize;
};

} // namespace

struct Context::Tables {
    TextArena arena;
    InternTable<std::string_view, KeptText> names;
    InternTable<Operator> ops;
    InternTable<Type> types;
    InternTable<Location> locations;
    InternTable<Scope> scopes;
    std::mutex interning; ///< several readers of one model may intern at the same time

    template <class Id, class T>
    Id intern(InternTable<T> &table, const T &item)
    {
        const std::scoped_lock one(interning);
        return {table.intern(item)};
    }
};

Context::Context() : m_tables(std::make_unique<Tables>())
{
    name("");
    m_tables->ops.intern({});
    m_tables->types.intern(UnknownType{});
    m_tables->locations.intern({});
    m_tables->scopes.intern({});
}

Context::~Context() = default;

NameId Context::name(std::string_view text)
{
    const std::scoped_lock one(m_tables->interning);
    return {m_tables->names.intern(text, [&](std::string_view fresh) { return m_tables->arena.keep(fresh); })};
}

OpId Context::op(std::string_view dialect, std::string_view name, std::string_view overload)
{
    const Operator op{this->name(dialect), this->name(name), this->name(overload)};
    return m_tables->intern<OpId>(m_tables->ops, op);
}

TypeId Context::type(const Type &type) { return m_tables->intern<TypeId>(m_tables->types, type); }

LocationId Context::location(const Location &location)
{
    return m_tables->intern<LocationId>(m_tables->locations, location);
}

ScopeId Context::scope(const Scope &scope) { return m_tables->intern<ScopeId>(m_tables->scopes, scope); }

ScopeId Context::childScope(ScopeId parent, std::string_view name, std::string_view className, std::uint32_t call)
{
    const std::string_view parentPath = text(at(parent).path);
    const std::string path = parentPath.empty() ? std::string(name) : std::string(parentPath) + "." + std::string(name);
    return scope({parent, this->name(name), this->name(path), this->name(className), call});
}

std::string_view Context::text(NameId id) const { return m_tables->names.items()[id.index]; }

const Operator &Context::at(OpId id) const { return m_tables->ops.items()[id.index]; }

const Type &Context::at(TypeId id) const { return m_tables->types.items()[id.index]; }

const Location &Context::at(LocationId id) const { return m_tables->locations.items()[id.index]; }

const Scope &Context::at(ScopeId id) const { return m_tables->scopes.items()[id.index]; }

std::uint32_t Context::nameCount() const { return m_tables->names.items().size(); }

std::uint32_t Context::opCount() const { return m_tables->ops.items().size(); }

std::uint32_t Context::locationCount() const { return m_tables->locations.items().size(); }

std::uint32_t Context::typeCount() const { return m_tables->types.items().size(); }

std::uint32_t Context::scopeCount() const { return m_tables->scopes.items().size(); }

std::string Context::print(OpId id) const
{
    const Operator &op = at(id);
    std::string out(text(op.dialect));
    out += "::";
    out += text(op.name);
    if (const std::string_view overload = text(op.overload); !overload.empty())
        (out += '.') += overload;
    return out;
}

const TensorType *tensorType(const Context &context, TypeId id) { return std::get_if<TensorType>(&context.at(id)); }

} // namespace cutaway::ir
