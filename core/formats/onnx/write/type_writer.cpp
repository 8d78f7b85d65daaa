// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/type_writer.h"

#include "core/base/overloaded.h"
#include "core/formats/onnx/types.h"
#include "core/ir/context.h"

#include <charconv>
#include <map>
#include <ranges>
#include <string>

namespace cutaway::formats::onnx {

namespace {

using ir::CompoundType;

constexpr std::uint64_t int64Type = 7, stringType = 8;

/// The parts of "IMAGE, dim 0 DATA_BATCH".
struct Denotations {
    std::string_view whole;
    std::map<std::size_t, std::string_view> dims;
};

Denotations denotationsOf(std::string_view text)
{
    constexpr std::string_view separator = ", ", dim = "dim ";
    Denotations denotations;
    for (const auto part : text | std::views::split(separator)) {
        const std::string_view item(part.begin(), part.end());
        const std::size_t space = item.find(' ', dim.size());
        std::size_t index = 0;
        if (item.starts_with(dim) && space != std::string_view::npos
            && std::from_chars(item.data() + dim.size(), item.data() + space, index).ptr == item.data() + space)
            denotations.dims[index] = item.substr(space + 1);
        else
            denotations.whole = item;
    }
    return denotations;
}

class TypeWriter {
public:
    TypeWriter(const ir::Model &model, std::string_view denotations)
        : m_context(*model.context),
          m_denotations(denotationsOf(denotations))
    {
    }

    MessageWriter type(ir::TypeId id) const
    {
        MessageWriter message;
        std::visit(Overloaded{[&](const ir::TensorType &t) { tensor(message, t); },
                              [&](const CompoundType &t) { compound(message, t); },
                              [&](const ir::ClassType &t) { opaque(message, t); }, [](const auto &) {}},
                   m_context.at(id));
        return message;
    }

    std::string_view denotation() const { return m_denotations.whole; }

private:
    void tensor(MessageWriter &message, const ir::TensorType &type) const
    {
        MessageWriter tensor;
        if (const auto dataType = type.dtype ? dataTypeOf(*type.dtype) : std::nullopt)
            tensor.number(1, *dataType);
        if (type.shape)
            tensor.message(2, shape(*type.shape));
        message.message(type.layout == ir::Layout::Strided ? 1 : 8, tensor);
    }

    MessageWriter shape(const ir::Shape &shape) const
    {
        MessageWriter message;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            MessageWriter dim;
            if (const auto *size = std::get_if<std::int64_t>(&shape[i]))
                dim.integer(1, *size);
            else if (const auto *expr = std::get_if<symbolic::Expr>(&shape[i]))
                dim.text(2, expr->kind() == symbolic::Kind::Symbol ? expr->name() : symbolic::print(*expr));
            if (const auto known = m_denotations.dims.find(i); known != m_denotations.dims.end())
                dim.text(3, known->second);
            message.message(1, dim);
        }
        return message;
    }

    void compound(MessageWriter &message, const CompoundType &type) const
    {
        MessageWriter inner;
        if (type.kind == CompoundType::Kind::List || type.kind == CompoundType::Kind::Optional) {
            inner.message(1, this->type(type.elements.front()));
            message.message(type.kind == CompoundType::Kind::List ? 4 : 9, inner);
        } else if (type.kind == CompoundType::Kind::Dict) {
            const auto *key = std::get_if<ir::PlainType>(&m_context.at(type.elements.front()));
            inner.number(1, key ? stringType : int64Type);
            inner.message(2, this->type(type.elements.back()));
            message.message(5, inner);
        }
    }

    void opaque(MessageWriter &message, const ir::ClassType &type) const
    {
        const std::string_view name = m_context.text(type.name);
        const std::size_t dot = name.rfind('.');
        MessageWriter inner;
        if (dot != std::string_view::npos)
            inner.text(1, name.substr(0, dot));
        inner.text(2, name.substr(dot + 1));
        message.message(7, inner);
    }

    const ir::Context &m_context;
    Denotations m_denotations;
};

} // namespace

std::optional<std::uint64_t> dataTypeOf(ir::DType dtype) { return ir::numberOf(dtype, ir::Numbering::Onnx); }

MessageWriter typeMessage(const ir::Model &model, ir::TypeId type, std::string_view denotations)
{
    const TypeWriter writer(model, denotations);
    MessageWriter message = writer.type(type);
    message.textIfAny(6, writer.denotation());
    return message;
}

} // namespace cutaway::formats::onnx
