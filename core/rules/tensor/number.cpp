// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>

// A number of torch becomes a tensor of ONNX without dimensions, of int64, float64 or bool. A list of known length
// becomes no node: Lowered keeps its items, and rules read them there.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// Returns one size of a tensor, or all of them.
Results sizeRule(L &l)
{
    const auto x = l.tensor(0);
    if (l.call().position({"dim"}) || l.call().has(1u)) {
        const auto axis = ops::dimension(l.known(l.call().integer(1u), "the dimension is"), x.rank());
        if (!axis)
            return l.refuse("no such dimension");
        return {sizeOf(l[0], static_cast<std::int64_t>(*axis))};
    }
    std::vector<Lowered> sizes;
    for (std::size_t i = 0; i < x.rank(); ++i)
        sizes.emplace_back(sizeOf(l[0], static_cast<std::int64_t>(i)));
    return {Lowered::list(std::move(sizes))};
}

Results elementCountRule(L &l) { return {l.make("Size", {l[0]}, {}, DType::Int64)}; }

/// Returns the only element of a tensor, or a number, as a number of the result's kind.
Results numberRule(L &l)
{
    const auto x = l.tensor(0);
    const Term only = x.rank() == 0 ? l[0] : reshape(l[0], std::vector<std::int64_t>{});
    return {cast(only, l.resultDType())};
}

Results listRule(L &l)
{
    std::vector<Lowered> items;
    for (std::size_t i = 0; i < l.call().inputCount(); ++i)
        items.push_back(l.unchanged(i));
    return {Lowered::list(std::move(items))};
}

/// Returns the values of a dictionary, in its order, as a list; the keys are left out.
Results dictionaryRule(L &l)
{
    std::vector<Lowered> values;
    for (std::size_t i = 1; i < l.call().inputCount(); i += 2)
        values.push_back(l.unchanged(i));
    return {Lowered::list(std::move(values))};
}

/// Appends all items of a list to a sequence.
Results grownSequence(L &l, const Lowered &sequence, const Lowered &more)
{
    if (!more.items)
        return l.refuse("the items of the list are not known");
    Lowered grown = sequence;
    for (const Lowered &item : *more.items) {
        const Term next = cast(l.term(item), sequence.dtype);
        grown = l.make("SequenceInsert", {{&l, grown.operand, grown.dtype}, next}, {}, sequence.dtype);
    }
    grown.isSequence = true;
    return {grown};
}

/// Joins two lists.
Results joinedListsRule(L &l)
{
    if (const Lowered first = l.unchanged(0); first.isSequence)
        return grownSequence(l, first, l.unchanged(1));
    std::vector<Lowered> items;
    for (const std::size_t position : {std::size_t{0}, std::size_t{1}}) {
        const Lowered list = l.unchanged(position);
        if (!list.items)
            return l.refuse("the items of the list are not known");
        items.insert(items.end(), list.items->begin(), list.items->end());
    }
    return {Lowered::list(std::move(items))};
}

const std::vector<Lowered> *itemsOf(L &l, const Lowered &list)
{
    if (!list.items)
        l.refuse("the items of the list are not known");
    return list.items ? &*list.items : nullptr;
}

Results unpackRule(L &l)
{
    const Lowered list = l.unchanged();
    const auto *items = itemsOf(l, list);
    return items ? *items : Results();
}

/// Returns the value of a dictionary at a key. The dictionary is a list of its values in the order of its keys.
Results entryRule(L &l, const ops::DictFact &dictionary)
{
    const Lowered values = l.unchanged();
    const auto *items = itemsOf(l, values);
    const ops::DictFact::Entries *entries = dictionary.entries();
    const std::size_t count = items && entries ? std::min(items->size(), entries->size() / 2) : 0;
    for (std::size_t i = 0; i < count; ++i)
        if ((*entries)[2 * i] == l.call()[1u])
            return {(*items)[i]};
    return l.refuse("the key is not known, or not in the dictionary");
}

bool areOfOneDType(const std::vector<Lowered> &items)
{
    const auto isLikeFirst = [&](const Lowered &item) {
        return !item.items && !item.isSequence && !item.operand.as<ir::None>() && item.dtype == items.front().dtype;
    };
    return !items.empty() && std::ranges::all_of(items, isLikeFirst);
}

Results itemRule(L &l)
{
    if (const auto *dictionary = l.call()[0u].as<ops::DictFact>())
        return entryRule(l, *dictionary);
    const Lowered list = l.unchanged();
    if (list.isSequence)
        return {l.make("SequenceAt", {{&l, list.operand, list.dtype}, l[1]}, {}, list.dtype)};
    const auto *items = itemsOf(l, list);
    // prim::TupleIndex has no schema, but a name for its index
    const auto given = l.call().has("index") ? l.call().integer("index") : l.call().integer(1u);
    if (items && !given && areOfOneDType(*items)) {
        const Lowered all = l.sequence(list, items->front().dtype);
        return {l.make("SequenceAt", {{&l, all.operand, all.dtype}, l[1]}, {}, all.dtype)};
    }
    const auto index = items ? ops::dimension(l.known(given, "the index is"), items->size()) : std::nullopt;
    if (!index)
        return l.refuse("the index is not known");
    return {(*items)[*index]};
}

Results sameListRule(L &l) { return {l.unchanged()}; }

Results lengthRule(L &l)
{
    const Lowered of = l.unchanged();
    if (of.isSequence)
        return {l.make("SequenceLength", {{&l, of.operand, of.dtype}}, {}, DType::Int64)};
    return of.items ? Results{l.scalar(static_cast<std::int64_t>(of.items->size()))} : Results{sizeOf(l[0], 0)};
}

constexpr LoweringRule numberRules[] = {
    {"aten::size aten::sym_size", sizeRule},
    {"aten::numel aten::sym_numel", elementCountRule},
    {"aten::Int aten::Float aten::Bool aten::item aten::_local_scalar_dense aten::IntImplicit aten::FloatImplicit "
     "aten::ScalarImplicit prim::NumToTensor torch::sym_float torch::sym_int",
     numberRule},
    {"aten::len", lengthRule},
    {"aten::list", sameListRule},
    {"prim::ListConstruct prim::TupleConstruct", listRule},
    {"prim::DictConstruct", dictionaryRule},
    {"aten::add", joinedListsRule},
    {"prim::ListUnpack prim::TupleUnpack", unpackRule},
    {"aten::__getitem__ prim::TupleIndex", itemRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family number() { return {.toOnnx = to_onnx::numberRules}; }

} // namespace cutaway::rules
