// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/operands.h"

#include "app/python/objects.h"
#include "app/python/weight.h"
#include "core/ir/context.h"

namespace cutaway::python {

namespace {

nb::object textObject(std::string_view text)
{
    const std::string shown = readable(text);
    return nb::str(shown.data(), shown.size());
}

class OperandObject {
public:
    explicit OperandObject(const SharedFunction &state) : m_state(state) { }

    nb::object operator()(const ir::None &) const { return nb::none(); }
    nb::object operator()(std::int64_t n) const { return nb::int_(n); }
    nb::object operator()(double x) const { return nb::float_(x); }
    nb::object operator()(bool b) const { return nb::bool_(b); }
    nb::object operator()(const std::complex<double> &z) const
    {
        return nb::steal(PyComplex_FromDoubles(z.real(), z.imag()));
    }
    nb::object operator()(const ir::String &text) const { return textObject(context().text(text.text)); }
    nb::object operator()(ir::ValueId id) const { return nb::cast(ValueHandle{m_state, id}); }
    nb::object operator()(ir::TensorId id) const { return nb::cast(WeightHandle{m_state->shared, id}); }
    nb::object operator()(ir::DType dtype) const { return textObject(ir::name(dtype)); }
    nb::object operator()(ir::Layout layout) const { return textObject(ir::name(layout)); }
    nb::object operator()(ir::MemoryFormat format) const { return textObject(ir::name(format)); }
    nb::object operator()(const symbolic::Expr &expr) const { return textObject(symbolic::print(expr)); }
    nb::object operator()(ir::TypeId id) const { return textObject(context().print(id)); }
    nb::object operator()(ir::OpId id) const { return textObject(context().print(id)); }
    nb::object operator()(ir::FunctionId id) const { return textObject(context().text(m_state->shared->at(id).name)); }
    nb::object operator()(ir::ObjectId id) const { return textObject(context().text(m_state->shared->at(id).name)); }
    nb::object operator()(const ir::Device &device) const
    {
        const std::string kind(context().text(device.kind));
        return textObject(device.index ? kind + ":" + std::to_string(*device.index) : kind);
    }
    nb::object operator()(const ir::List &list) const
    {
        nb::list items;
        for (const ir::Operand &item : list.items)
            items.append(std::visit(*this, item.v));
        return list.kind == ir::List::Kind::List ? nb::object(items) : nb::object(nb::tuple(items));
    }
    nb::object operator()(const ir::Dict &dict) const
    {
        nb::dict items;
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
            items[std::visit(*this, dict.items[i].v)] = std::visit(*this, dict.items[i + 1].v);
        return items;
    }

private:
    const ir::Context &context() const { return m_state->graph().context(); }

    const SharedFunction &m_state;
};

} // namespace

nb::object objectOf(const SharedFunction &state, const ir::Operand &operand)
{
    return std::visit(OperandObject(state), operand.v);
}

} // namespace cutaway::python
