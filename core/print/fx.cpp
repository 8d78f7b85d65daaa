// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fx.h"

#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/control_flow.h"
#include "core/print/module_paths.h"
#include "core/print/python_operands.h"
#include "core/print/text_table.h"
#include "core/print/weights_by_region.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

struct Call {
    std::string opcode;
    std::string target;
    std::vector<ir::Argument> arguments;
};

/// TorchScript operators that are methods of Python's containers and tensors.
constexpr std::array<std::string_view, 6> methods{"aten::append", "aten::extend", "aten::keys",
                                                  "aten::values", "aten::items",  "prim::tolist"};

class Listing {
public:
    Listing(const ir::Model &model, const ir::Function &function)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_operands(
              model, [this](ir::ValueId id) { return nameFor(id); },
              [this](ir::TensorId id) { return "<tensor " + tensorName(id) + ">"; }),
          m_weights(function),
          m_paths(function)
    {
    }

    std::string print() const
    {
        TextTable table = header();
        for (const ir::FunctionInput &input : m_function.inputs) {
            const auto *value = input.value.as<ir::ValueId>();
            const std::string name = value ? nameFor(*value) : text(input.name);
            table.addRow({"placeholder", name, input.target == ir::NameId{} ? name : text(input.target)});
        }
        addBody(table, ir::Graph::body);
        std::vector<ir::Operand> outputs;
        for (const ir::FunctionOutput &output : m_function.outputs)
            outputs.push_back(output.value);
        return text(m_function.name) + ":\n" + finished(table, outputs) + regions(ir::Graph::body);
    }

private:
    std::string text(ir::NameId id) const { return sanitized(m_graph.context().text(id)); }
    std::string nameFor(ir::ValueId id) const { return sanitized(ir::nameOf({m_graph, id})); }
    std::string tensorName(ir::TensorId id) const
    {
        const std::string name = text(m_model.at(id).name);
        return name.empty() ? std::to_string(id.index) : name;
    }

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
            table.addRow({"placeholder", nameFor(input), nameFor(input)});
        addBody(table, id);
        return "\n" + regionName(id) + ":\n" + finished(table, m_graph.at(id).outputs) + regions(id);
    }

    std::string regions(ir::RegionId id) const
    {
        std::string result;
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            for (const ir::RegionId inner : node->regions)
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
            table.addRow({"get_attr", nameFor(value), tensorName(*ir::ValueRef(m_graph, value).weight())});
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            addNode(table, node);
    }

    void addNode(TextTable &table, const ir::NodeRef &node) const
    {
        const auto &outputs = node->outputs;
        if (!outputs.empty() && m_paths.isOnlyAStep(outputs.front()))
            return;
        for (const ir::RegionId region : node->regions)
            table.addRow({"get_attr", regionName(region), regionName(region)});
        const Call call = callOf(node);
        const bool single = outputs.size() == 1;
        const std::string name = single ? nameFor(outputs.front()) : sanitized(nameOf(node));
        if (call.opcode == "get_attr")
            return table.addRow({call.opcode, name, call.target});
        const auto [args, kwargs] = arguments(call.arguments, node->regions);
        table.addRow({call.opcode, name, call.target, "(" + args + ")", "{" + kwargs + "}"});
        for (std::size_t i = 0; !single && i < outputs.size(); ++i)
            table.addRow({"call_function", nameFor(outputs[i]), "_operator.getitem",
                          "(" + name + ", " + std::to_string(i) + ")", "{}"});
    }

    Call callOf(const ir::NodeRef &node) const
    {
        if (const ir::String *method = calledMethod(node))
            return methodCall(node, text(method->text));
        const std::string op = node.fullName();
        if (const auto path = m_paths.of(node))
            return {"get_attr", sanitized(*path), {}};
        if (op == "prim::CallFunction")
            return functionCall(node);
        if (op == "prim::GetAttr")
            return {"call_function", "builtins.getattr", unnamed(node->arguments)};
        if (op == "prim::SetAttr")
            return {"call_function", "builtins.setattr", unnamed(node->arguments)};
        const std::string_view name = std::string_view(op).substr(0, op.find('.'));
        if (std::ranges::contains(methods, name) && !node->arguments.empty())
            return {"call_method", std::string(name.substr(name.rfind(':') + 1)), node->arguments};
        return {"call_function", fxTarget(m_model, node->op), node->arguments};
    }

    static std::vector<ir::Argument> unnamed(std::vector<ir::Argument> arguments)
    {
        for (ir::Argument &argument : arguments)
            argument.name = {};
        return arguments;
    }

    /// A call of a submodule's forward() is printed as a call of the submodule.
    Call methodCall(const ir::NodeRef &node, const std::string &method) const
    {
        Call call{"call_method", method, {}};
        const ir::Operand *self = argumentOf(node, "self", 0);
        const auto path = m_paths.ofCalled(node);
        if (path)
            call = {"call_module", sanitized(*path), {}};
        else if (self)
            call.arguments.push_back({{}, *self});
        std::ranges::copy_if(node->arguments, std::back_inserter(call.arguments),
                             [](const ir::Argument &argument) { return argument.name == ir::NameId{}; });
        return call;
    }

    Call functionCall(const ir::NodeRef &node) const
    {
        Call call{"call_function", fxTarget(m_model, node->op), {}};
        for (const ir::Argument &argument : node->arguments)
            if (m_graph.context().text(argument.name) != "function")
                call.arguments.push_back(argument);
            else if (const auto *name = argument.value.as<ir::String>())
                call.target = text(name->text);
            else
                call.target = m_operands.print(argument.value);
        return call;
    }

    /// Named arguments become kwargs, except for the first one; so an omitted argument shifts no other.
    std::pair<std::string, std::string> arguments(const std::vector<ir::Argument> &given,
                                                  const std::vector<ir::RegionId> &closures) const
    {
        std::string args;
        std::string kwargs;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const std::string value = m_operands.print(given[i].value);
            if (i == 0 || given[i].name == ir::NameId{})
                args += (args.empty() ? "" : ", ") + value;
            else
                kwargs += (kwargs.empty() ? "" : ", ") + text(given[i].name) + ": " + value;
        }
        for (const ir::RegionId region : closures)
            args += (args.empty() ? "" : ", ") + regionName(region);
        return {args, kwargs};
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    PythonOperands m_operands;
    WeightsByRegion m_weights;
    ModulePaths m_paths;
};

} // namespace

std::string fxListing(const ir::Model &model, ir::FunctionId function)
{
    return Listing(model, model.at(function)).print();
}

} // namespace cutaway::print
