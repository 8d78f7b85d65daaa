// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/fx.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/report/names.h"
#include "core/report/text_table.h"
#include "core/report/weights_by_region.h"

#include <charconv>

namespace cutaway::report {

namespace {

/// An operand as Python would show it in torch.fx.
class OperandText {
public:
    OperandText(const ir::Model &model, const ir::Graph &graph) : m_model(model), m_graph(graph) { }

    std::string operator()(const ir::None &) const { return "None"; }
    std::string operator()(ir::ValueId id) const { return nameOf(m_graph, id); }
    std::string operator()(std::int64_t n) const { return std::to_string(n); }
    std::string operator()(double x) const { return shortest(x); }
    std::string operator()(bool b) const { return b ? "True" : "False"; }
    std::string operator()(const std::complex<double> &z) const
    {
        return "(" + shortest(z.real()) + (z.imag() < 0 ? "" : "+") + shortest(z.imag()) + "j)";
    }
    std::string operator()(const ir::String &s) const { return quote(m_graph.context().text(s.text)); }
    std::string operator()(ir::DType dtype) const { return "torch." + std::string(ir::name(dtype)); }
    std::string operator()(ir::Layout layout) const { return "torch." + std::string(ir::name(layout)); }
    std::string operator()(ir::MemoryFormat format) const { return "torch." + std::string(ir::name(format)); }
    std::string operator()(const ir::Device &device) const
    {
        return text(device.kind) + (device.index ? ":" + std::to_string(*device.index) : "");
    }
    std::string operator()(const symbolic::Expr &expr) const { return symbolic::print(expr); }
    std::string operator()(ir::TensorId id) const
    {
        const std::string name = text(m_model.at(id).name);
        return "<tensor " + (name.empty() ? std::to_string(id.index) : name) + ">";
    }
    std::string operator()(ir::TypeId id) const { return m_graph.context().print(id); }
    std::string operator()(ir::FunctionId id) const { return text(m_model.at(id).name); }
    std::string operator()(ir::OpId id) const { return m_graph.context().print(id); }
    std::string operator()(ir::ObjectId id) const { return "<object " + text(m_model.at(id).name) + ">"; }
    std::string operator()(const ir::List &list) const
    {
        const bool tuple = list.kind == ir::List::Kind::Tuple;
        const std::string inner = joined(list.items);
        return tuple ? "(" + inner + (list.items.size() == 1 ? ",)" : ")") : "[" + inner + "]";
    }
    std::string operator()(const ir::Dict &dict) const
    {
        std::string inner;
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
            inner += (i ? ", " : "") + print(dict.items[i]) + ": " + print(dict.items[i + 1]);
        return "{" + inner + "}";
    }

    std::string print(const ir::Operand &operand) const { return std::visit(*this, operand.v); }

    std::string joined(const std::vector<ir::Operand> &operands) const
    {
        std::string inner;
        for (std::size_t i = 0; i < operands.size(); ++i)
            inner += (i ? ", " : "") + print(operands[i]);
        return inner;
    }

private:
    std::string text(ir::NameId id) const { return std::string(m_graph.context().text(id)); }

    static std::string shortest(double x)
    {
        char buffer[32];
        const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
        std::string digits(buffer, error == std::errc{} ? end : buffer);
        return digits.find_first_not_of("-0123456789") == digits.npos ? digits + ".0" : digits;
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
};

struct Call {
    std::string opcode;
    std::string target;
};

class Listing {
public:
    Listing(const ir::Model &model, const ir::Function &function)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_context(m_graph.context()),
          m_operands(model, m_graph),
          m_weights(m_function)
    {
    }

    std::string print() const
    {
        TextTable table = header();
        for (const ir::FunctionInput &input : m_function.inputs) {
            const auto *value = input.value.as<ir::ValueId>();
            const std::string name = value ? nameOf(m_graph, *value) : text(input.name);
            table.addRow({"placeholder", name, input.target == ir::NameId{} ? name : text(input.target)});
        }
        addBody(table, ir::Graph::body);
        std::vector<ir::Operand> outputs;
        for (const ir::FunctionOutput &output : m_function.outputs)
            outputs.push_back(output.value);
        return text(m_function.name) + ":\n" + finished(table, outputs) + regions(ir::Graph::body);
    }

private:
    std::string text(ir::NameId id) const { return std::string(m_context.text(id)); }

    static TextTable header()
    {
        TextTable table({{.maxWidth = 13}, {.maxWidth = 52}, {.maxWidth = 40}, {.maxWidth = 64}, {}});
        table.addRow({"opcode", "name", "target", "args", "kwargs"});
        return table;
    }

    std::string finished(TextTable &table, const std::vector<ir::Operand> &outputs) const
    {
        table.addRow({"output", "output", "output",
                      "((" + m_operands.joined(outputs) + (outputs.size() == 1 ? ",)" : ")") + ",)"});
        return table.print(2);
    }

    std::string region(ir::RegionId id) const
    {
        TextTable table = header();
        for (const ir::ValueId input : m_graph.at(id).inputs)
            table.addRow({"placeholder", nameOf(m_graph, input), nameOf(m_graph, input)});
        addBody(table, id);
        return "\n" + regionName(id) + ":\n" + finished(table, m_graph.at(id).outputs) + regions(id);
    }

    std::string regions(ir::RegionId id) const
    {
        std::string result;
        for (const ir::NodeId node : m_graph.at(id).nodes)
            for (const ir::RegionId inner : m_graph.at(node).regions)
                result += region(inner);
        return result;
    }

    std::string regionName(ir::RegionId id) const
    {
        const std::string name = text(m_graph.at(id).name);
        return name.empty() ? "region_" + std::to_string(id.index) : name;
    }

    void addBody(TextTable &table, ir::RegionId id) const
    {
        for (const ir::ValueId value : m_weights.of(id))
            table.addRow({"get_attr", nameOf(m_graph, value), text(tensorOf(value).name)});
        for (const ir::NodeId node : m_graph.at(id).nodes)
            addNode(table, node);
    }

    const ir::Tensor &tensorOf(ir::ValueId value) const
    {
        return m_model.at(std::get<ir::Weight>(m_graph.at(value).definition).tensor);
    }

    void addNode(TextTable &table, ir::NodeId id) const
    {
        const ir::Node &node = m_graph.at(id);
        for (const ir::RegionId region : node.regions)
            table.addRow({"get_attr", regionName(region), regionName(region)});
        const Call call = callOf(node);
        const bool single = node.outputs.size() == 1;
        const std::string name = single ? nameOf(m_graph, node.outputs.front()) : nameOf(m_graph, id);
        const auto [args, kwargs] = arguments(node);
        table.addRow({call.opcode, name, call.target, "(" + args + ")", "{" + kwargs + "}"});
        for (std::size_t i = 0; !single && i < node.outputs.size(); ++i)
            table.addRow({"call_function", nameOf(m_graph, node.outputs[i]), "_operator::getitem",
                          "(" + name + ", " + std::to_string(i) + ")", "{}"});
    }

    /// A node that is given one of the model's methods calls it.
    Call callOf(const ir::Node &node) const
    {
        for (const ir::Argument &argument : node.arguments)
            if (const auto *id = argument.value.as<ir::FunctionId>())
                if (m_model.at(*id).kind == ir::Function::Kind::Method)
                    return {"call_method", text(m_model.at(*id).name)};
        return {"call_function", m_context.print(node.op)};
    }

    /// What is named goes by its name, but for the first argument, so that no gap of omitted ones can mislead.
    std::pair<std::string, std::string> arguments(const ir::Node &node) const
    {
        std::string args;
        std::string kwargs;
        for (std::size_t i = 0; i < node.arguments.size(); ++i) {
            const ir::Argument &argument = node.arguments[i];
            const std::string value = m_operands.print(argument.value);
            if (i == 0 || argument.name == ir::NameId{})
                args += (args.empty() ? "" : ", ") + value;
            else
                kwargs += (kwargs.empty() ? "" : ", ") + text(argument.name) + ": " + value;
        }
        for (const ir::RegionId region : node.regions)
            args += (args.empty() ? "" : ", ") + regionName(region);
        return {args, kwargs};
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    OperandText m_operands;
    WeightsByRegion m_weights;
};

} // namespace

std::string fxListing(const ir::Model &model, ir::FunctionId function)
{
    return Listing(model, model.at(function)).print();
}

} // namespace cutaway::report
