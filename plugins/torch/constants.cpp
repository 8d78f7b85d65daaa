// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/constants.h"

#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "plugins/torch/arguments.h"
#include "plugins/torch/conversions.h"
#include "plugins/torch/file_objects.h"
#include "plugins/torch/objects.h"
#include "plugins/torch/weights.h"

#include <algorithm>

namespace cutaway::plugins {

namespace {

bool isOpen(const c10::TypePtr &type)
{
    return !type || type->hasFreeVariables() || type->kind() == c10::TypeKind::AnyType;
}

/// Makes sources for operands, including those nested in lists.
class Maker {
public:
    Maker(const Program &program, const ir::Graph *graph, bool isFresh)
        : m_program(program),
          m_context(*program.model().context),
          m_graph(graph),
          m_isFresh(isFresh)
    {
    }

    Result<Source> make(const ir::Operand &operand, const c10::TypePtr &type)
    {
        const c10::TypePtr wanted = withoutOptional(type);
        const auto constant = [&](c10::IValue value) -> Result<Source> {
            return adapted(std::move(value), {wanted, {}});
        };
        return std::visit(
            Overloaded{
                [&](ir::None) -> Result<Source> { return c10::IValue(); },
                [&](ir::ValueId id) -> Result<Source> { return id; },
                [&](std::int64_t n) { return constant(n); },
                [&](double x) { return constant(x); },
                [&](bool b) { return constant(b); },
                [&](std::complex<double> z) { return constant(c10::complex<double>(z)); },
                [&](ir::String text) { return constant(std::string(m_context.text(text.text))); },
                [&](ir::DType dtype) { return dtypeNumber(dtype); },
                [&](ir::Layout layout) { return constant(static_cast<std::int64_t>(torchLayout(layout))); },
                [&](ir::MemoryFormat format) { return constant(static_cast<std::int64_t>(torchMemoryFormat(format))); },
                [&](const ir::Device &) { return constant(m_program.device()); },
                [&](const symbolic::Expr &size) { return sizeOf(size); },
                [&](ir::TensorId id) { return weight(id); },
                [&](const ir::List &list) { return listOf(list, wanted); },
                [&](const ir::Dict &dict) { return dictOf(dict, wanted); },
                [&](ir::ObjectId id) { return object(id); },
                // names of functions and types: nodes that use them read the operand itself
                [&](const auto &) -> Result<Source> { return c10::IValue(); },
            },
            operand.v);
    }

private:
    static Result<Source> dtypeNumber(ir::DType dtype)
    {
        const auto type = scalarType(dtype);
        return type ? Result<Source>(c10::IValue(static_cast<std::int64_t>(*type)))
                    : backendError("torch has no dtype " + std::string(ir::name(dtype)));
    }

    static Result<Source> sizeOf(const symbolic::Expr &size)
    {
        return size.kind() == symbolic::Kind::Integer
            ? Result<Source>(c10::IValue(size.integerValue()))
            : backendError("the size " + symbolic::print(size) + " is not a value of the graph");
    }

    Result<Source> weight(ir::TensorId id)
    {
        CUTAWAY_TRY(auto tensor, m_program.weights().tensor(id));
        return c10::IValue(tensor);
    }

    Result<Source> object(ir::ObjectId id) const
    {
        const ir::Model &model = m_program.model();
        if (isReadable(model, id))
            return c10::IValue::make_capsule(c10::make_intrusive<StoredObject>(id));
        CUTAWAY_TRY(auto made, m_program.fileObjects().at(m_context.text(model.at(id).name)));
        return made;
    }

    /// Returns the type of an operand with this source. In a list or dictionary without a type, the type of the first
    /// item becomes that of all.
    c10::TypePtr typeOf(const ir::Operand &operand, const Source &source) const
    {
        if (const auto *id = operand.as<ir::ValueId>(); id && m_graph)
            return torchType(m_context, m_graph->at(*id).type);
        if (const auto *constant = std::get_if<c10::IValue>(&source))
            return constant->isNone() ? c10::AnyType::get() : constant->type();
        const MadeValue &made = *std::get<std::shared_ptr<const MadeValue>>(source);
        switch (made.kind) {
        case MadeValue::Kind::List:
            return c10::ListType::create(made.element);
        case MadeValue::Kind::Dict:
            return c10::DictType::create(made.key, made.element);
        case MadeValue::Kind::Tuple:
            break;
        }
        return c10::AnyType::get();
    }

    Result<std::shared_ptr<MadeValue>> itemsOf(std::span<const ir::Operand> operands,
                                               const std::function<c10::TypePtr(std::size_t)> &typeAt)
    {
        auto made = std::make_shared<MadeValue>();
        for (std::size_t i = 0; i < operands.size(); ++i) {
            CUTAWAY_TRY(auto source, make(operands[i], typeAt(i)));
            made->items.push_back(std::move(source));
        }
        return made;
    }

    Source finished(std::shared_ptr<MadeValue> made) const
    {
        const auto isConstant = [](const Source &source) { return std::holds_alternative<c10::IValue>(source); };
        if (m_isFresh || !std::ranges::all_of(made->items, isConstant))
            return std::shared_ptr<const MadeValue>(std::move(made));
        const Routine none{};
        return valueOf({std::shared_ptr<const MadeValue>(std::move(made)), {}}, Frame{none, {}});
    }

    Result<Source> listOf(const ir::List &list, const c10::TypePtr &wanted)
    {
        const auto *listType = wanted ? wanted->castRaw<c10::ListType>() : nullptr;
        const auto *tupleType = wanted ? wanted->castRaw<c10::TupleType>() : nullptr;
        const c10::TypePtr element = listType ? listType->getElementType() : nullptr;
        CUTAWAY_TRY(auto made, itemsOf(list.items, [&](std::size_t i) -> c10::TypePtr {
                        return tupleType && i < tupleType->elements().size() ? tupleType->elements()[i] : element;
                    }));
        const bool isTuple = list.kind == ir::List::Kind::Tuple && !listType;
        made->kind = isTuple ? MadeValue::Kind::Tuple : MadeValue::Kind::List;
        made->element = !isOpen(element) ? element
            : list.items.empty()         ? c10::TypePtr(c10::TensorType::get())
                                         : typeOf(list.items.front(), made->items.front());
        return finished(std::move(made));
    }

    Result<Source> dictOf(const ir::Dict &dict, const c10::TypePtr &wanted)
    {
        const auto *type = wanted ? wanted->castRaw<c10::DictType>() : nullptr;
        CUTAWAY_TRY(auto made, itemsOf(dict.items, [&](std::size_t i) -> c10::TypePtr {
                        return !type ? nullptr : i % 2 == 0 ? type->getKeyType() : type->getValueType();
                    }));
        made->kind = MadeValue::Kind::Dict;
        const bool isEmpty = dict.items.size() < 2;
        made->key = type ? type->getKeyType()
            : isEmpty    ? c10::TypePtr(c10::StringType::get())
                         : typeOf(dict.items[0], made->items[0]);
        made->element = type ? type->getValueType()
            : isEmpty        ? c10::TypePtr(c10::TensorType::get())
                             : typeOf(dict.items[1], made->items[1]);
        return finished(std::move(made));
    }

    const Program &m_program;
    const ir::Context &m_context;
    const ir::Graph *m_graph;
    bool m_isFresh;
};

} // namespace

Result<Source> sourceOf(const Program &program, const ir::Graph *graph, const ir::Operand &operand,
                        const c10::TypePtr &wanted, bool isFresh)
{
    return Maker(program, graph, isFresh).make(operand, wanted);
}

c10::IValue constantOf(const Program &program, const ir::Operand &operand, const c10::TypePtr &wanted)
{
    const auto source = sourceOf(program, nullptr, operand, wanted, false);
    TORCH_CHECK(source.has_value(), source.error().text());
    const auto *value = std::get_if<c10::IValue>(&*source);
    TORCH_CHECK(value, "a value where a constant was expected");
    return *value;
}

} // namespace cutaway::plugins
