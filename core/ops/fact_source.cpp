// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/fact_source.h"

#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ops/attribute_reference.h"
#include "core/ops/facts/sequences.h"

#include <algorithm>

namespace cutaway::ops {

const Fact &FactSource::fact(ir::ValueId) const
{
    static const Fact unknown;
    return unknown;
}

Fact FactSource::tensor(ir::TensorId) const { return AnyFact{}; }

Fact FactSource::object(ir::ObjectId) const { return ObjectFact{}; }

Fact FactSource::attribute(ir::NameId) const { return AnyFact{}; }

ir::Dim FactSource::size(const symbolic::Expr &formula) const { return formula; }

ir::Dim FactSource::freshSize(std::string_view, const ir::Dim &) { return ir::UnknownDim{}; }

Fact factOf(const ir::Context &context, const FactSource &source, const ir::Operand &operand)
{
    if (const auto attribute = referredAttribute(context, operand))
        return source.attribute(*attribute);
    return std::visit(
        Overloaded{
            [](const ir::None &) -> Fact { return NoneFact{}; },
            [&](ir::ValueId id) -> Fact { return source.fact(id); },
            [](std::int64_t n) -> Fact { return intFact(n); },
            [](double x) -> Fact { return floatFact(x); },
            [](bool b) -> Fact { return boolFact(b); },
            [](const std::complex<double> &x) -> Fact { return NumberFact{NumberFact::Kind::Complex, x}; },
            [&](const ir::String &s) -> Fact { return TextFact{std::string(context.text(s.text))}; },
            [&](const symbolic::Expr &e) -> Fact { return intFact(source.size(e)); },
            [&](ir::TensorId id) -> Fact { return source.tensor(id); },
            [&](const ir::List &list) -> Fact {
                SequenceFact::Items items;
                items.reserve(list.items.size());
                for (const ir::Operand &item : list.items)
                    items.push_back(factOf(context, source, item));
                const bool isNested =
                    std::ranges::any_of(items, [](const Fact &item) { return item.as<SequenceFact>() != nullptr; });
                Fact sequence = SequenceFact{list.kind, std::move(items)};
                return isNested ? followable(std::move(sequence)) : sequence;
            },
            [&](const ir::Dict &dict) -> Fact {
                std::vector<Fact> entries;
                for (const ir::Operand &item : dict.items)
                    entries.push_back(factOf(context, source, item));
                return dictFact(std::move(entries));
            },
            [](ir::DType x) -> Fact { return x; },
            [](ir::Layout x) -> Fact { return x; },
            [](ir::MemoryFormat x) -> Fact { return x; },
            [](const ir::Device &x) -> Fact { return x; },
            [&](ir::ObjectId id) -> Fact { return source.object(id); },
            [](const auto &) -> Fact { return ObjectFact{}; },
        },
        operand.v);
}

} // namespace cutaway::ops
