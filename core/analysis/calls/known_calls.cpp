// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calls/known_calls.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;
using ops::StorageNumber;

constexpr std::uint32_t firstOwn = static_cast<std::uint32_t>(StorageNumber::Weights) + 1;
constexpr std::size_t maxKnown = 64; ///< kept calls of one function at one depth, which are compared one by one

/// Gives storages numbers in the order in which they are met. Weights keep their number.
class OwnNumbers {
public:
    void apply(Fact &fact)
    {
        ops::forEachTensor(fact, [this](ops::TensorFact &tensor) {
            if (tensor.storage <= StorageNumber::Weights)
                return;
            const auto next = static_cast<StorageNumber>(firstOwn + m_met.size());
            const auto [known, isNew] = m_numbers.try_emplace(tensor.storage, next);
            if (isNew)
                m_met.push_back(tensor.storage);
            tensor.storage = known->second;
        });
    }
    void apply(Call &call)
    {
        for (Fact &input : call.inputs)
            apply(input);
        for (auto &[name, fact] : call.attributes)
            apply(fact);
    }
    const std::vector<StorageNumber> &met() const { return m_met; }

private:
    std::unordered_map<StorageNumber, StorageNumber> m_numbers;
    std::vector<StorageNumber> m_met;
};

std::vector<ir::Dim> bytesOf(std::span<const StorageNumber> numbers, const Storages &storages)
{
    std::vector<ir::Dim> bytes;
    for (const StorageNumber number : numbers)
        bytes.push_back(storages.bytes()[static_cast<std::size_t>(number)]);
    return bytes;
}

/// Whether the fact contains no object and no dictionary: the contents of those may change elsewhere.
bool isPlain(const Fact &fact)
{
    if (const auto *list = fact.as<ops::SequenceFact>())
        return std::ranges::all_of(list->each(), isPlain);
    if (const auto *maybe = fact.as<ops::MaybeFact>())
        return std::ranges::all_of(maybe->value, isPlain);
    return !fact.as<ops::DictFact>() && !ops::isObject(fact);
}

bool isPlain(const Call &call)
{
    return std::ranges::all_of(call.inputs, [](const Fact &fact) { return isPlain(fact); })
        && std::ranges::all_of(call.attributes, [](const auto &attribute) { return isPlain(attribute.second); });
}

/// Whether the tensors in two facts have the same strides and storages, which operator== of facts ignores.
bool liesAlike(const Fact &a, const Fact &b)
{
    std::vector<const ops::TensorFact *> tensors;
    ops::forEachTensor(b, [&](const ops::TensorFact &tensor) { tensors.push_back(&tensor); });
    std::size_t at = 0;
    bool isAlike = true;
    ops::forEachTensor(a, [&](const ops::TensorFact &tensor) {
        isAlike = isAlike && at < tensors.size() && tensor.storage == tensors[at]->storage
            && tensor.strides == tensors[at]->strides;
        ++at;
    });
    return isAlike && at == tensors.size();
}

bool isSame(const Fact &a, const Fact &b) { return a == b && liesAlike(a, b); }

/// Whether two calls of one function at one depth have equal arguments, in the same storages.
bool isSame(const Call &a, const Call &b)
{
    return a.reached == b.reached
        && std::ranges::equal(a.inputs, b.inputs, [](const Fact &x, const Fact &y) { return isSame(x, y); })
        && std::ranges::equal(a.attributes, b.attributes, [](const auto &x, const auto &y) {
               return x.first == y.first && isSame(x.second, y.second);
           });
}

} // namespace

std::optional<CallOutcome> KnownCalls::of(const Call &call, Storages &storages) const
{
    const auto all = m_known.find({call.function, call.depth});
    if (all == m_known.end())
        return std::nullopt;
    Call own = call;
    OwnNumbers numbers;
    numbers.apply(own);
    const std::vector<ir::Dim> given = bytesOf(numbers.met(), storages);
    const auto known = std::ranges::find_if(
        all->second, [&](const Known &one) { return one.given == given && isSame(one.call, own); });
    if (known == all->second.end())
        return std::nullopt;
    CallOutcome outcome = known->outcome;
    const auto first = static_cast<std::uint32_t>(firstOwn + given.size());
    for (Fact &result : outcome.results)
        ops::forEachTensor(result, [&](ops::TensorFact &tensor) {
            const auto number = static_cast<std::uint32_t>(tensor.storage);
            if (number >= first)
                tensor.storage = static_cast<StorageNumber>(storages.count() + (number - first));
            else if (number >= firstOwn)
                tensor.storage = numbers.met()[number - firstOwn];
        });
    storages.append(known->made);
    return outcome;
}

void KnownCalls::add(const Call &call, const CallOutcome &outcome, const Storages &storages, std::uint32_t madeBefore)
{
    const bool isKept =
        isPlain(call) && std::ranges::all_of(outcome.results, [](const Fact &fact) { return isPlain(fact); });
    std::vector<Known> &all = m_known[{call.function, call.depth}];
    if (!isKept || all.size() >= maxKnown)
        return;
    Known known{call, outcome, {}, {}};
    OwnNumbers numbers;
    numbers.apply(known.call);
    known.given = bytesOf(numbers.met(), storages);
    const std::size_t given = numbers.met().size();
    for (Fact &result : known.outcome.results)
        numbers.apply(result);
    const auto made = std::span(numbers.met()).subspan(given);
    const auto isNew = [&](StorageNumber number) { return static_cast<std::uint32_t>(number) >= madeBefore; };
    if (!std::ranges::all_of(made, isNew))
        return; // a result lies in older memory that was not among the call's arguments
    known.made = bytesOf(made, storages);
    all.push_back(std::move(known));
}

void keepStoragesOf(Facts &results, Storages &storages, std::uint32_t madeBefore)
{
    std::unordered_map<StorageNumber, StorageNumber> numbers;
    std::vector<StorageNumber> kept;
    for (Fact &result : results)
        ops::forEachTensor(result, [&](ops::TensorFact &tensor) {
            if (static_cast<std::uint32_t>(tensor.storage) < madeBefore)
                return;
            const auto next = static_cast<StorageNumber>(madeBefore + kept.size());
            const auto [known, isNew] = numbers.try_emplace(tensor.storage, next);
            if (isNew)
                kept.push_back(tensor.storage);
            tensor.storage = known->second;
        });
    storages.replaceFrom(madeBefore, bytesOf(kept, storages));
}

} // namespace cutaway::analysis
