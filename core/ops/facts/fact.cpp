// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/fact.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/placement.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

const Fact &inside(const Fact &fact)
{
    const auto *maybe = fact.as<MaybeFact>();
    return maybe ? maybe->value.front() : fact;
}

Fact factOfCompound(const ir::Context &context, const ir::CompoundType &type)
{
    std::vector<Fact> items;
    for (const ir::TypeId element : type.elements)
        items.push_back(factOf(context, element));
    using enum ir::CompoundType::Kind;
    switch (type.kind) {
    case List:
        return manyOf(std::move(items.front()));
    case Tuple:
        return tupleFact(std::move(items));
    case Dict:
        return dictOfAny(std::move(items.back()));
    case Optional:
        return MaybeFact{std::move(items)};
    case Future:
    case Await:
        return std::move(items.front()); // an awaitable's fact is that of its result
    case Union:
        return AnyFact{};
    case RRef:
        return ObjectFact{};
    }
    return AnyFact{};
}

ir::Dim joinDims(const ir::Dim &a, const ir::Dim &b) { return a == b ? a : ir::Dim(ir::UnknownDim{}); }

Fact joinTensors(const TensorFact &a, const TensorFact &b)
{
    TensorFact result;
    if (a.dtype == b.dtype)
        result.dtype = a.dtype;
    if (a.shape && b.shape && a.shape->size() == b.shape->size()) {
        ir::Shape joined;
        for (std::size_t i = 0; i < a.shape->size(); ++i)
            joined.push_back(joinDims((*a.shape)[i], (*b.shape)[i]));
        result.shape = std::move(joined);
    }
    if (a.elements == b.elements)
        result.elements = a.elements;
    if (a.texts == b.texts)
        result.texts = a.texts;
    if (a.storage == b.storage)
        result.storage = a.storage;
    if (a.strides == b.strides)
        result.strides = a.strides;
    else if (result.shape)
        result.strides = Strides(result.shape->size(), ir::UnknownDim{});
    return result;
}

Fact joinNumbers(const NumberFact &a, const NumberFact &b)
{
    if (a.kind != b.kind)
        return AnyFact{};
    return a.value == b.value ? a : NumberFact{a.kind, {}};
}

/// A fact that holds for every item of the list.
Fact element(const SequenceFact &list)
{
    Fact result = list.each().empty() ? Fact() : list.each().front();
    for (const Fact &item : list.each())
        result = join(result, item);
    return result;
}

Fact joinSequences(const SequenceFact &a, const SequenceFact &b)
{
    if (a.kind != b.kind)
        return AnyFact{};
    const SequenceFact::Items *first = a.items(), *second = b.items();
    if (first && second && first->size() == second->size()) {
        SequenceFact::Items joined;
        for (std::size_t i = 0; i < first->size(); ++i)
            joined.push_back(join((*first)[i], (*second)[i]));
        return SequenceFact{a.kind, std::move(joined)};
    }
    if (a.kind == ir::List::Kind::Tuple)
        return AnyFact{};
    const bool isOneEmpty = a.each().empty() || b.each().empty();
    Fact item = isOneEmpty ? element(a.each().empty() ? b : a) : join(element(a), element(b));
    return manyOf(std::move(item), joinDims(a.length(), b.length()));
}

Fact joinDicts(const DictFact &a, const DictFact &b)
{
    const DictFact::Entries *first = a.entries(), *second = b.entries();
    if (first && first->empty())
        return dictOfAny(anyValue(b));
    if (second && second->empty())
        return dictOfAny(anyValue(a));
    if (!first || !second || first->size() != second->size())
        return dictOfAny(join(anyValue(a), anyValue(b)));
    DictFact::Entries entries = *first;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i % 2 == 0 && entries[i] != (*second)[i])
            return dictOfAny(join(anyValue(a), anyValue(b)));
        entries[i] = join(entries[i], (*second)[i]);
    }
    return dictFact(std::move(entries));
}

/// Returns the element of a tensor that has only one, which counts like a number.
std::optional<ir::Dim> onlyElement(const Fact &fact)
{
    const TensorFact *tensor = asTensor(fact);
    if (!tensor || !tensor->elements || tensor->elements->size() != 1)
        return std::nullopt;
    return tensor->elements->front();
}

bool holdsWhole(const TensorFact &tensor)
{
    return !tensor.dtype || isInteger(*tensor.dtype) || *tensor.dtype == ir::DType::Bool;
}

std::string printSequence(const SequenceFact &list)
{
    if (const auto *alike = std::get_if<SequenceFact::Alike>(&list.content)) {
        const std::string item = print(alike->item.front());
        return isKnown(alike->length) ? formatted("list of {} × {}", ir::print(alike->length), item)
                                      : formatted("List[{}]", item);
    }
    std::string text(1, list.kind == ir::List::Kind::List ? '[' : '(');
    for (const Fact &item : *list.items())
        text.append(text.size() > 1 ? ", " : "").append(print(item));
    return text + (list.kind == ir::List::Kind::List ? "]" : ")");
}

std::string printDict(const DictFact &dict)
{
    const DictFact::Entries *entries = dict.entries();
    if (!entries)
        return "dict of " + print(anyValue(dict));
    std::string text = "{";
    for (std::size_t i = 0; i + 1 < entries->size(); i += 2)
        text += (i > 0 ? ", " : "") + print((*entries)[i]) + ": " + print((*entries)[i + 1]);
    return text + "}";
}

std::string printNumber(const NumberFact &fact)
{
    return std::visit(Overloaded{
                          [&](std::monostate) {
                              constexpr std::array names{"int", "float", "bool", "complex", "number"};
                              return std::string(names[static_cast<std::size_t>(fact.kind)]);
                          },
                          [](const ir::Dim &dim) { return ir::print(dim); },
                          [](bool b) { return std::string(b ? "true" : "false"); },
                          [](double x) { return formatted("{}", x); },
                          [](const std::complex<double> &x) { return formatted("{}+{}j", x.real(), x.imag()); },
                      },
                      fact.value);
}

std::string printTensor(const TensorFact &fact)
{
    std::string text(fact.dtype ? ir::name(*fact.dtype) : "tensor");
    text += fact.shape ? ir::print(*fact.shape) : "";
    return fact.elements ? text + " = " + ir::print(*fact.elements) : text;
}

} // namespace

bool TensorFact::operator==(const TensorFact &other) const
{
    return dtype == other.dtype && shape == other.shape && elements == other.elements && texts == other.texts;
}

ir::Dim bytesOf(const TensorFact &tensor)
{
    const auto bits = tensor.dtype ? ir::bitWidth(*tensor.dtype) : std::nullopt;
    if (!bits || !tensor.shape)
        return ir::UnknownDim{};
    const ir::Dim count = elementsOf(*tensor.shape);
    return *bits % 8 == 0 ? times(count, std::int64_t{*bits / 8})
                          : ceilDivide(times(count, std::int64_t{*bits}), std::int64_t{8});
}

Fact::Fact() = default;
Fact::Fact(const Fact &) = default;
Fact::Fact(Fact &&) noexcept = default;
Fact &Fact::operator=(const Fact &) = default;
Fact &Fact::operator=(Fact &&) noexcept = default;
Fact::~Fact() = default;
bool Fact::operator==(const Fact &) const = default;

TensorFact tensorFact(std::optional<ir::DType> dtype, Cow<ir::Shape> shape)
{
    return {dtype, StorageNumber::None, std::move(shape), nullptr};
}

TensorFact scalarTensor(ir::DType dtype, ir::Dim element)
{
    std::vector<ir::Dim> elements;
    elements.push_back(std::move(element));
    return {dtype, StorageNumber::None, ir::Shape{}, std::move(elements)};
}

TensorFact vectorTensor(ir::DType dtype, std::vector<ir::Dim> elements)
{
    ir::Shape shape{static_cast<std::int64_t>(elements.size())};
    if (elements.size() > maxTrackedElements)
        return tensorFact(dtype, std::move(shape));
    return {dtype, StorageNumber::None, std::move(shape), std::move(elements)};
}

TensorFact textTensor(ir::Shape shape, std::vector<std::string> texts)
{
    TensorFact result = tensorFact(ir::DType::String, std::move(shape));
    if (texts.size() <= maxTrackedElements && ir::elementCount(*result.shape) == std::ssize(texts))
        result.texts = std::move(texts);
    return result;
}

NumberFact intFact(ir::Dim value)
{
    if (!isKnown(value))
        return {NumberFact::Kind::Int, {}};
    return {NumberFact::Kind::Int, std::move(value)};
}

NumberFact floatFact(std::optional<double> value)
{
    return value ? NumberFact{NumberFact::Kind::Float, *value} : NumberFact{NumberFact::Kind::Float, {}};
}

NumberFact boolFact(std::optional<bool> value)
{
    return value ? NumberFact{NumberFact::Kind::Bool, *value} : NumberFact{NumberFact::Kind::Bool, {}};
}

SequenceFact listFact(std::vector<Fact> items) { return {ir::List::Kind::List, std::move(items)}; }

SequenceFact tupleFact(std::vector<Fact> items) { return {ir::List::Kind::Tuple, std::move(items)}; }

SequenceFact manyOf(Fact item, ir::Dim length)
{
    return {ir::List::Kind::List, SequenceFact::Alike{{std::move(item)}, std::move(length)}};
}

std::span<const Fact> SequenceFact::each() const
{
    const auto *alike = std::get_if<Alike>(&content);
    return alike ? std::span<const Fact>(alike->item) : std::span<const Fact>(*items());
}

std::span<Fact> SequenceFact::each()
{
    auto *alike = std::get_if<Alike>(&content);
    return alike ? std::span<Fact>(alike->item) : std::span<Fact>(*items());
}

ir::Dim SequenceFact::length() const
{
    const auto *alike = std::get_if<Alike>(&content);
    return alike ? alike->length : ir::Dim(std::ssize(*items()));
}

DictFact dictFact(DictFact::Entries entries) { return {std::move(entries)}; }

DictFact dictOfAny(Fact value) { return {DictFact::AnyEntries{{std::move(value)}}}; }

Fact anyValue(const DictFact &dict)
{
    if (const auto *any = std::get_if<DictFact::AnyEntries>(&dict.content))
        return any->value.front();
    Fact value;
    const DictFact::Entries &entries = *dict.entries();
    for (std::size_t i = 1; i < entries.size(); i += 2)
        value = i == 1 ? entries[i] : join(value, entries[i]);
    return value;
}

namespace {

TensorFact factOfTensor(const ir::TensorType &type)
{
    TensorFact fact = tensorFact(type.dtype, type.shape);
    if (type.strides && type.shape && type.strides->size() == type.shape->size())
        fact.strides = normal(*type.shape, *type.strides);
    return fact;
}

} // namespace

ObjectFact objectFact(std::initializer_list<std::pair<std::string_view, Fact>> held)
{
    ObjectFact object;
    for (const auto &[name, value] : held)
        if (!value.as<NoneFact>())
            object.held.emplace_back(name, value);
    return object;
}

Fact factOf(const ir::Context &context, ir::TypeId type)
{
    return std::visit(Overloaded{
                          [](const ir::UnknownType &) -> Fact { return AnyFact{}; },
                          [](const ir::TensorType &t) -> Fact { return factOfTensor(t); },
                          [](const ir::NumberType &t) -> Fact {
                              if (!t.value)
                                  return NumberFact{t.kind, {}};
                              return NumberFact{t.kind, plus(*t.value, std::int64_t{0})};
                          },
                          [](const ir::PlainType &t) -> Fact {
                              return t.kind == ir::PlainType::Kind::None ? Fact(NoneFact{}) : Fact(AnyFact{});
                          },
                          [](const ir::ClassType &) -> Fact { return ObjectFact{}; },
                          [&](const ir::CompoundType &t) -> Fact { return factOfCompound(context, t); },
                      },
                      context.at(type));
}

const TensorFact *asTensor(const Fact &fact) { return inside(fact).as<TensorFact>(); }

std::optional<ir::Dim> asInt(const Fact &fact)
{
    if (auto element = onlyElement(fact))
        return isKnown(*element) && holdsWhole(*asTensor(fact)) ? element : std::nullopt;
    const auto *number = inside(fact).as<NumberFact>();
    if (!number || number->kind == NumberFact::Kind::Float)
        return std::nullopt;
    if (const auto *boolean = std::get_if<bool>(&number->value))
        return std::int64_t{*boolean};
    const auto *value = std::get_if<ir::Dim>(&number->value);
    return value ? std::optional(*value) : std::nullopt;
}

std::optional<double> asFloat(const Fact &fact)
{
    if (const auto *number = inside(fact).as<NumberFact>())
        if (const auto *value = std::get_if<double>(&number->value))
            return *value;
    if (const auto element = onlyElement(fact))
        return floating(*element);
    const auto whole = asInt(fact);
    return whole ? floating(*whole) : std::nullopt;
}

std::optional<bool> asBool(const Fact &fact)
{
    const auto whole = asInt(fact);
    const auto n = whole ? number(*whole) : std::nullopt;
    return n ? std::optional(*n != 0) : std::nullopt;
}

std::optional<std::vector<ir::Dim>> asInts(const Fact &fact)
{
    if (const TensorFact *tensor = asTensor(fact))
        return tensor->elements && holdsWhole(*tensor) ? std::optional(*tensor->elements) : std::nullopt;
    const auto *list = inside(fact).as<SequenceFact>();
    if (!list) {
        const auto single = asInt(fact);
        return single ? std::optional(std::vector<ir::Dim>{*single}) : std::nullopt;
    }
    std::vector<ir::Dim> ints;
    for (const Fact &item : list->each())
        ints.push_back(asInt(item).value_or(ir::UnknownDim{}));
    if (list->items())
        return ints;
    const auto count = number(list->length());
    if (!count || *count < 0 || *count > static_cast<std::int64_t>(maxTrackedElements))
        return std::nullopt;
    return std::vector(static_cast<std::size_t>(*count), ints.front());
}

const Fact *heldBy(const Fact &object, std::string_view name)
{
    const auto *known = inside(object).as<ObjectFact>();
    if (!known)
        return nullptr;
    using Held = std::pair<std::string, Fact>;
    const auto found =
        std::ranges::find(known->held, name, [](const Held &held) { return std::string_view(held.first); });
    return found == known->held.end() ? nullptr : &found->second;
}

bool isObject(const Fact &fact) { return fact.as<ir::ModuleId>() || fact.as<ObjectFact>(); }

/// Returns the fact of a value that is `a` or `b`, at least one of which may be None.
static Fact joinWithNone(const Fact &a, const Fact &b)
{
    if (a.as<NoneFact>())
        return b.as<MaybeFact>() ? b : Fact(MaybeFact{{b}});
    if (b.as<NoneFact>())
        return a.as<MaybeFact>() ? a : Fact(MaybeFact{{a}});
    return MaybeFact{{join(inside(a), inside(b))}};
}

Fact join(const Fact &a, const Fact &b)
{
    if (a == b)
        return a;
    const auto mayBeNone = [](const Fact &fact) { return fact.as<MaybeFact>() || fact.as<NoneFact>(); };
    if (mayBeNone(a) || mayBeNone(b))
        return joinWithNone(a, b);
    if (a.as<TensorFact>() && b.as<TensorFact>())
        return joinTensors(*a.as<TensorFact>(), *b.as<TensorFact>());
    if (a.as<NumberFact>() && b.as<NumberFact>())
        return joinNumbers(*a.as<NumberFact>(), *b.as<NumberFact>());
    if (a.as<SequenceFact>() && b.as<SequenceFact>())
        return joinSequences(*a.as<SequenceFact>(), *b.as<SequenceFact>());
    if (a.as<DictFact>() && b.as<DictFact>())
        return joinDicts(*a.as<DictFact>(), *b.as<DictFact>());
    if (isObject(a) && isObject(b))
        return ObjectFact{};
    return AnyFact{};
}

std::string print(const Fact &fact)
{
    return std::visit(Overloaded{
                          [](const AnyFact &) -> std::string { return "unknown"; },
                          [](const NoneFact &) -> std::string { return "None"; },
                          [](const TensorFact &t) { return printTensor(t); },
                          [](const NumberFact &n) { return printNumber(n); },
                          [](const TextFact &t) { return "\"" + t.text + "\""; },
                          [](const ir::Device &) -> std::string { return "device"; },
                          [](const SequenceFact &s) { return printSequence(s); },
                          [](const DictFact &d) { return printDict(d); },
                          [](const MaybeFact &m) { return "None or " + print(m.value.front()); },
                          [](ir::ModuleId) -> std::string { return "object"; },
                          [](const ObjectFact &) -> std::string { return "object"; },
                          [](const auto &named) { return std::string(ir::name(named)); },
                      },
                      fact.v);
}

} // namespace cutaway::ops
