// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/torch/signatures.h"

#include "core/ops/call.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <charconv>

namespace cutaway::ops {

namespace {

/// Returns the enumerator that a text in a schema stands for.
Fact named(std::string_view text)
{
    if (const auto dtype = ir::dtypeFromName(text))
        return *dtype;
    if (text == "contiguous_format")
        return ir::MemoryFormat::Contiguous;
    if (text == "preserve_format")
        return ir::MemoryFormat::Preserve;
    if (text == "strided")
        return ir::Layout::Strided;
    return AnyFact{};
}

Fact literal(std::string_view text)
{
    if (text == "None")
        return NoneFact{};
    if (text == "True" || text == "False")
        return boolFact(text == "True");
    if (text.starts_with('"') && text.size() >= 2)
        return TextFact{std::string(text.substr(1, text.size() - 2))};
    if (text.starts_with('[')) {
        SequenceFact::Items items;
        for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            std::string_view item = rest.substr(0, comma);
            item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
            items.push_back(literal(item));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
        return listFact(std::move(items));
    }
    std::int64_t whole = 0;
    const char *const last = text.data() + text.size();
    if (const auto [end, error] = std::from_chars(text.data(), last, whole); error == std::errc() && end == last)
        return intFact(whole);
    double fraction = 0;
    if (const auto [end, error] = std::from_chars(text.data(), last, fraction); error == std::errc() && end == last)
        return floatFact(fraction);
    return named(text);
}

/// In the table the overload that torch.export calls "default" is "", and there are no operators of ONNX.
std::optional<Schema> schemaOf(std::string_view dialect, std::string_view name, std::string_view overload)
{
    auto all = ir::isOnnxDialect(dialect) ? std::vector<Schema>() : schemasOf(dialect, name);
    if (all.empty())
        return std::nullopt;
    const auto exact = std::ranges::find(all, overload == "default" ? "" : overload, &Schema::overload);
    return std::move(exact == all.end() ? all.front() : *exact);
}

} // namespace

const Signature *Signatures::of(ir::OpId op)
{
    const auto [known, isNew] = m_known.try_emplace(op);
    if (isNew) {
        const ir::Operator &parts = m_context.at(op);
        if (auto schema =
                schemaOf(m_context.text(parts.dialect), m_context.text(parts.name), m_context.text(parts.overload))) {
            Signature signature{std::move(*schema), {}};
            for (const SchemaArgument &argument : signature.schema.arguments)
                signature.defaults.push_back(argument.defaultValue ? literal(*argument.defaultValue)
                                                                   : Fact(NoneFact{}));
            known->second = std::move(signature);
        }
    }
    return known->second ? &*known->second : nullptr;
}

const ir::Operand *givenArgument(const ir::NodeRef &node, const Signature *signature, std::string_view parameter)
{
    if (const ir::Operand *named = node.argument(parameter))
        return named;
    if (!signature)
        return nullptr;
    const auto &declared = signature->schema.arguments;
    const auto found = std::ranges::find(declared, parameter, &SchemaArgument::name);
    return found == declared.end() ? nullptr : node.input(static_cast<std::size_t>(found - declared.begin()));
}

const ir::Operand *givenArgument(const ir::NodeRef &node, const Signature *signature, std::size_t position)
{
    if (const ir::Operand *input = node.input(position))
        return input;
    if (signature)
        return position < signature->schema.arguments.size() ? node.argument(signature->schema.arguments[position].name)
                                                             : nullptr;
    // Python's functions have no schema: their arguments are found by position.
    return node.isOnnx() || position >= node->arguments.size() ? nullptr : &node->arguments[position].value;
}

} // namespace cutaway::ops
