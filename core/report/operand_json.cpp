// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/operand_json.h"

#include "core/ir/context.h"
#include "core/ir/names.h"

#include <span>

namespace cutaway::report {

namespace {

class OperandWriter {
public:
    OperandWriter(JsonWriter &out, const ir::Model &model, const ir::Graph &graph)
        : m_out(out),
          m_model(model),
          m_graph(graph)
    {
    }

    void operator()(const ir::None &) { m_out.null(); }
    void operator()(std::int64_t n) { m_out.value(n); }
    void operator()(double x) { m_out.value(x); }
    void operator()(bool b) { m_out.value(b); }
    void operator()(const ir::String &s) { m_out.value(text(s.text)); }
    void operator()(ir::ValueId id) { tagged("value", ir::nameOf({m_graph, id})); }
    void operator()(ir::DType dtype) { tagged("dtype", ir::name(dtype)); }
    void operator()(ir::Layout layout) { tagged("layout", ir::name(layout)); }
    void operator()(ir::MemoryFormat format) { tagged("memory_format", ir::name(format)); }
    void operator()(const symbolic::Expr &expr) { tagged("expr", symbolic::print(expr)); }
    void operator()(ir::TypeId id) { tagged("type", m_graph.context().print(id)); }
    void operator()(ir::OpId id) { tagged("op", m_graph.context().print(id)); }
    void operator()(ir::FunctionId id) { tagged("function", text(m_model.at(id).name)); }
    void operator()(ir::ObjectId id) { tagged("object", text(m_model.at(id).name)); }

    void operator()(const std::complex<double> &z)
    {
        m_out.beginObject();
        m_out.member("real", z.real());
        m_out.member("imag", z.imag());
        m_out.endObject();
    }

    void operator()(const ir::Device &device)
    {
        const std::string_view kind = text(device.kind);
        tagged("device", device.index ? std::string(kind) + ":" + std::to_string(*device.index) : std::string(kind));
    }

    void operator()(ir::TensorId id)
    {
        const ir::Tensor &tensor = m_model.at(id);
        m_out.beginObject();
        m_out.member("tensor", text(tensor.name));
        m_out.member("dtype", ir::name(tensor.dtype));
        m_out.key("shape");
        m_out.beginArray();
        for (const std::int64_t size : tensor.shape)
            m_out.value(size);
        m_out.endArray();
        m_out.endObject();
    }

    void operator()(const ir::List &list)
    {
        if (list.kind == ir::List::Kind::List)
            return items(list.items);
        m_out.beginObject();
        m_out.key("tuple");
        items(list.items);
        m_out.endObject();
    }

    /// Writes a dictionary as a list [key, value, key, value], since its keys may be any operands.
    void operator()(const ir::Dict &dict)
    {
        m_out.beginObject();
        m_out.key("dict");
        items(dict.items);
        m_out.endObject();
    }

private:
    std::string_view text(ir::NameId id) const { return m_graph.context().text(id); }

    void tagged(std::string_view tag, std::string_view value)
    {
        m_out.beginObject();
        m_out.member(tag, value);
        m_out.endObject();
    }

    void items(std::span<const ir::Operand> operands)
    {
        m_out.beginArray();
        for (const ir::Operand &operand : operands)
            std::visit(*this, operand.v);
        m_out.endArray();
    }

    JsonWriter &m_out;
    const ir::Model &m_model;
    const ir::Graph &m_graph;
};

} // namespace

void writeOperand(JsonWriter &out, const ir::Model &model, const ir::Graph &graph, const ir::Operand &operand)
{
    std::visit(OperandWriter(out, model, graph), operand.v);
}

} // namespace cutaway::report
