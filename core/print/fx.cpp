// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fx.h"

#include "core/base/text.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/ops/row_names.h"
#include "core/print/control_flow.h"
#include "core/print/fx/listed.h"
#include "core/print/module_paths.h"
#include "core/print/operators/operator_spelling.h"
#include "core/print/python_operands.h"
#include "core/print/text_table.h"
#include "core/print/torch/signature_code.h"
#include "core/print/weights_by_region.h"

#include <algorithm>

namespace cutaway::print {

namespace {

struct Call {
    std::string opcode;
    std::string target;
    std::vector<ir::Argument> arguments;
};

/// TorchScript operators that are methods of Python's containers and tensors.
constexpr ops::RowNames methods = "aten::append aten::extend aten::keys aten::values aten::items prim::tolist";

/// Whether the version in a text such as "schema 8.2" is less than 8.3.
bool isBefore83(std::string_view version)
{
    return version.starts_with("schema 8.") && version.size() == 10 && version.back() < '3';
}

/// Returns the name that fx gives a node of this operator: "numpy_t" for "numpy_T".
std::string snakeCase(std::string_view name)
{
    std::string snake;
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper && !snake.empty() && snake.back() >= 'a' && snake.back() <= 'z')
            snake += '_';
        snake += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return snake;
}

class Listing {
public:
    Listing(const ir::Model &model, const ir::Function &function)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_operands(
              model, [this](ir::ValueId id) { return nameFor(id); },
              [this](ir::TensorId id) { return "<tensor " + tensorName(id) + ">"; }, PythonOperands::Devices::Repr),
          m_weights(function),
          m_paths(function),
          m_spellings(model)
    {
        if (ir::formatOf(model).isGraphModule)
            m_listed.emplace(model, function);
    }

    std::string print()
    {
        TextTable table = header();
        for (const ir::FunctionInput &input : m_function.inputs) {
            const auto *value = input.value.as<ir::ValueId>();
            const std::string name = value ? nameFor(*value) : text(input.name);
            addWithoutArguments(table, "placeholder", name, m_listed ? text(input.name) : name);
        }
        if (m_listed)
            addListed(table);
        else
            addBody(table, ir::Graph::body);
        return text(m_function.name) + ":\n" + finished(table, functionResult()) + regions(ir::Graph::body);
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
        TextTable table({{.maxWidth = 13}, {.maxWidth = 52}, {.maxWidth = 40}, {.maxWidth = 64}, {}},
                        TextTable::Lines::Whole);
        table.addRow({"opcode", "name", "target", "args", "kwargs"});
        return table;
    }

    static std::string finished(TextTable &table, const std::string &result)
    {
        table.addRow({"output", "output", "output", "(" + result + ",)", "{}"});
        return table.print(2);
    }

    static void addWithoutArguments(TextTable &table, std::string opcode, std::string name, std::string target)
    {
        table.addRow({std::move(opcode), std::move(name), std::move(target), "()", "{}"});
    }

    /// Returns the text of the function's result. An exported program returns a tuple, which includes the values that
    /// it writes to buffers and inputs; in TorchScript and ONNX a single result is not in a tuple.
    std::string functionResult() const
    {
        std::vector<ir::Operand> outputs;
        for (const ir::FunctionOutput &output : m_function.outputs)
            outputs.push_back(output.value);
        return !ir::formatOf(m_model).isGraphModule
            ? regionResult(outputs)
            : MainSignature(m_model, m_function).result([this](const ir::Operand &operand) {
                  return m_operands.print(operand);
              });
    }

    std::string regionResult(const std::vector<ir::Operand> &outputs) const
    {
        const bool isOne = outputs.size() == 1;
        if (isOne && !ir::isExportedProgram(m_model))
            return m_operands.print(outputs.front());
        return "(" + m_operands.joined(outputs) + (isOne ? ",)" : ")");
    }

    std::string region(ir::RegionId id)
    {
        TextTable table = header();
        for (const ir::ValueId input : m_graph.at(id).inputs)
            addWithoutArguments(table, "placeholder", nameFor(input), nameFor(input));
        addBody(table, id);
        return "\n" + regionName(id) + ":\n" + finished(table, regionResult(m_graph.at(id).outputs)) + regions(id);
    }

    std::string regions(ir::RegionId id)
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

    void addBody(TextTable &table, ir::RegionId id)
    {
        for (const ir::ValueId value : m_weights.of(id))
            addWithoutArguments(table, "get_attr", nameFor(value), tensorName(*ir::ValueRef(m_graph, value).weight()));
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            addNode(table, node);
    }

    /// Adds the rows that the file's own graph lists. Nodes that have changed since the file was read are listed as
    /// they are now.
    void addListed(TextTable &table)
    {
        for (const FxListedRow &row : m_listed->rows())
            if (row.node)
                addNode(table, *row.node);
            else
                addRow(table, row.cells);
    }

    static void addRow(TextTable &table, const std::vector<std::string> &cells)
    {
        table.addRow({cells[0], cells[1], cells[2], "(" + cells[3] + ")", "{" + cells[4] + "}"});
    }

    void addNode(TextTable &table, const ir::NodeRef &node)
    {
        const auto &outputs = node->outputs;
        if (!outputs.empty() && m_paths.isOnlyAStep(outputs.front()))
            return;
        for (const ir::RegionId region : node->regions)
            addWithoutArguments(table, "get_attr", regionName(region), regionName(region));
        const Call call = callOf(node);
        const bool isOne = isOneValue(node);
        const std::string name = isOne ? nameFor(outputs.front()) : nameOfAll(node);
        if (call.opcode == "get_attr")
            return addWithoutArguments(table, call.opcode, name, call.target);
        const auto [args, kwargs] = arguments(call.arguments, node);
        table.addRow({call.opcode, name, call.target, "(" + args + ")", "{" + kwargs + "}"});
        for (std::size_t i = 0; !isOne && i < outputs.size(); ++i)
            table.addRow({"call_function", nameFor(outputs[i]), "operator.getitem",
                          "(" + name + ", " + std::to_string(i) + ")", "{}"});
    }

    /// Returns the name of a node with several results. Where the file has none, torch makes one from the operator's.
    std::string nameOfAll(const ir::NodeRef &node) const
    {
        if (!ir::isExportedProgram(m_model) || !(m_isOfOldSchema || node.name().empty()))
            return sanitized(nameOf(node));
        const std::string target = std::string(node.opName()).append(node.overload().empty() ? "" : "_");
        const std::string base = snakeCase(target + std::string(node.overload()));
        const auto before = std::ranges::count_if(m_graph.at(node->parent).nodes, [&](ir::NodeId other) {
            return other < node.id() && m_graph.at(other).op == node->op;
        });
        return before == 0 ? base : base + "_" + std::to_string(before);
    }

    /// Whether a node stands for its only result: in an exported program, the node of an operator that returns a list
    /// stands for the list.
    bool isOneValue(const ir::NodeRef &node)
    {
        if (node.outputCount() != 1 || !ir::isExportedProgram(m_model))
            return node.outputCount() == 1;
        const auto &schema = m_spellings.of(node->op).schema;
        const bool isList =
            schema && schema->returns.size() == 1 && schema->returns[0].type.kind == ops::SchemaType::Kind::List;
        const bool isItsResult = !m_isOfOldSchema && node.name() == node.output(0).name();
        return !isList && (node->regions.empty() || isItsResult);
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
        if (methods.has(node.dialect(), node.opName()) && !node->arguments.empty())
            return {"call_method", std::string(node.opName()), node->arguments};
        return {"call_function", fxTarget(m_model, node->op), node->arguments};
    }

    static std::vector<ir::Argument> unnamed(std::vector<ir::Argument> arguments)
    {
        for (ir::Argument &argument : arguments)
            argument.name = {};
        return arguments;
    }

    /// Returns the call of a method; a call of a submodule's forward() becomes a call of the submodule.
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

    /// Returns the texts of args and kwargs. Arguments that are keyword-only in the schema are in kwargs, and so are
    /// those after one that is left out.
    std::pair<std::string, std::string> arguments(const std::vector<ir::Argument> &given, const ir::NodeRef &node)
    {
        const OperatorSpelling &spelling = m_spellings.of(node->op);
        std::vector<std::string> args;
        std::string kwargs;
        bool isGapless = true;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const std::string value = m_operands.print(given[i].value);
            isGapless = isGapless && (given[i].name == ir::NameId{} || isPositional(given, i, spelling.schema));
            if (isGapless || given[i].name == ir::NameId{})
                args.push_back(value);
            else
                kwargs += (kwargs.empty() ? "" : ", ") + text(given[i].name) + ": " + value;
        }
        std::vector<std::string> closures;
        for (const ir::RegionId region : node->regions)
            closures.push_back(regionName(region));
        const bool isHigherOrder = ir::isExportedProgram(m_model) && spelling.closuresAt <= args.size();
        args.insert(isHigherOrder ? args.begin() + static_cast<std::ptrdiff_t>(spelling.closuresAt) : args.end(),
                    closures.begin(), closures.end());
        return {joined(args, ", ") + (args.size() == 1 ? "," : ""), kwargs};
    }

    bool isPositional(const std::vector<ir::Argument> &given, std::size_t index,
                      const std::optional<ops::Schema> &schema) const
    {
        if (!schema)
            return index == 0 || ir::isExportedProgram(m_model); // in a program, an operator of Python has no schema
        const auto &declared = schema->arguments;
        return index < declared.size() && !declared[index].keywordOnly
            && declared[index].name == text(given[index].name) && !(m_isOfOldSchema && declared[index].defaultValue);
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    PythonOperands m_operands;
    WeightsByRegion m_weights;
    ModulePaths m_paths;
    OperatorSpellings m_spellings;
    std::optional<FxListed> m_listed; ///< the list of a file of torch.fx; nothing if the model is not from such a file
    /// Before schema 8.3 a .pt2 file does not record which arguments were positional; torch passes those with defaults
    /// by keyword.
    const bool m_isOfOldSchema = ir::isExportedProgram(m_model) && isBefore83(m_model.formatVersion);
};

} // namespace

std::string fxListing(const ir::Model &model, ir::FunctionId function)
{
    return Listing(model, model.at(function)).print();
}

} // namespace cutaway::print
