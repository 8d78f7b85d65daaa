// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/graph.h"

#include "app/python/objects.h"
#include "app/python/operands.h"
#include "app/python/weight.h"
#include "core/analysis/known_tensor.h"
#include "core/ir/names.h"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cutaway::python {

std::vector<SharedFunction> recordedFunctions(const SharedModel &model)
{
    const auto sizes = std::make_shared<const analysis::RecordedSizes>(*model, symbolic::Bindings{});
    std::vector<SharedFunction> functions;
    for (std::uint32_t i = 0; i < model->functions.size(); ++i)
        functions.push_back(std::make_shared<const FunctionState>(model, ir::FunctionId{i}, nullptr, sizes));
    return functions;
}

SharedFunction analysedFunction(const SharedModel &model, std::shared_ptr<const analysis::Analysis> analysis)
{
    auto sizes = std::make_shared<const analysis::RecordedSizes>(*model, analysis->given.bindings);
    const ir::FunctionId function = analysis->function;
    return std::make_shared<const FunctionState>(model, function, std::move(analysis), std::move(sizes));
}

namespace {

/// A parameter or a result of a function.
struct Port {
    SharedFunction state;
    ir::NameId name;
    std::string_view kind;
    const ir::Operand *operand;
    ir::NameId target;
};

ir::NodeRef nodeOf(const NodeHandle &node) { return {node.state->graph(), node.id}; }
ir::ValueRef valueOf(const ValueHandle &value) { return {value.state->graph(), value.id}; }
std::string nameText(const FunctionState &state, ir::NameId name)
{
    return readable(state.graph().context().text(name));
}

template <class Handle>
auto hashOf(const Handle &handle)
{
    return std::hash<const void *>()(handle.state.get()) ^ (std::size_t{handle.id.index} * 0x9e3779b9u);
}

// ---------------------------------------------------------------- values

std::optional<analysis::KnownTensor> known(const ValueHandle &value)
{
    const FunctionState &state = *value.state;
    const ops::Fact *fact = state.analysis ? &state.analysis->shapes.of(value.id) : nullptr;
    return analysis::knownTensor(*state.sizes, valueOf(value).type(), fact);
}

std::string valueKind(const ValueHandle &value)
{
    return known(value) ? "tensor" : std::string(ir::kindOf(valueOf(value).type()));
}

std::optional<std::string> valueDType(const ValueHandle &value)
{
    const auto tensor = known(value);
    return tensor && tensor->dtype ? std::optional(std::string(ir::name(*tensor->dtype))) : std::nullopt;
}

nb::object valueShape(const ValueHandle &value)
{
    const auto tensor = known(value);
    return objectOf(tensor ? tensor->shape : std::nullopt);
}

std::optional<NodeHandle> valueProducer(const ValueHandle &value)
{
    const auto producer = valueOf(value).producer();
    return producer ? std::optional(NodeHandle{value.state, *producer}) : std::nullopt;
}

/// Returns the nodes that read a value, each once.
std::vector<NodeHandle> valueUsers(const ValueHandle &value)
{
    std::vector<NodeHandle> users;
    for (const ir::Use &use : valueOf(value)->uses)
        if (const auto *node = std::get_if<ir::NodeId>(&use))
            if (const NodeHandle user{value.state, *node}; !std::ranges::contains(users, user))
                users.push_back(user);
    return users;
}

std::optional<WeightHandle> valueWeight(const ValueHandle &value)
{
    const auto tensor = valueOf(value).weight();
    return tensor ? std::optional(WeightHandle{value.state->shared, *tensor}) : std::nullopt;
}

std::string valueText(const ValueHandle &value)
{
    const auto tensor = known(value);
    std::string text =
        "<Value " + readable(ir::nameOf(valueOf(value))) + ": " + valueDType(value).value_or(valueKind(value));
    return text + (tensor && tensor->shape ? readable(ir::print(*tensor->shape)) : "") + ">";
}

void bindValue(nb::module_ &module)
{
    nb::class_<ValueHandle>(module, "Value",
                            "What flows between nodes. In a Model's graphs its type is what the file records; in an\n"
                            "Analysis's graph what is derived of it.")
        .def_prop_ro(
            "name", [](const ValueHandle &value) { return readable(ir::nameOf(valueOf(value))); },
            "Its name in the file; '%7' where the file has none.")
        .def_prop_ro("type", valueKind, "'tensor', 'int', 'list', 'any', ...")
        .def_prop_ro("dtype", valueDType, "'float32'; None where it is no tensor or not known.")
        .def_prop_ro("shape", valueShape, nb::sig("def shape(self) -> tuple[int | str | None, ...] | None"),
                     "Sizes in elements: a number, a formula over size symbols ('2*s0'), or None for an unknown one.\n"
                     "None where the rank is not known.")
        .def_prop_ro("producer", valueProducer, "The node that makes it; None for inputs and weights.")
        .def_prop_ro("users", valueUsers, "The nodes that read it.")
        .def_prop_ro("weight", valueWeight, "The tensor of the file that it stands for, or None.")
        .def(
            "__eq__", [](const ValueHandle &a, const ValueHandle &b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const ValueHandle &value) { return hashOf(value); })
        .def("__repr__", valueText);
}

// ---------------------------------------------------------------- nodes

std::vector<ValueHandle> nodeInputs(const NodeHandle &node)
{
    std::vector<ValueHandle> inputs;
    for (const ir::Argument &argument : nodeOf(node)->arguments)
        forEachValue(argument.value, [&](ir::ValueId value) { inputs.push_back({node.state, value}); });
    return inputs;
}

std::vector<ValueHandle> nodeOutputs(const NodeHandle &node)
{
    std::vector<ValueHandle> outputs;
    for (const ir::ValueRef output : nodeOf(node).outputs())
        outputs.push_back({node.state, output.id()});
    return outputs;
}

std::vector<std::pair<std::string, nb::object>> nodeArguments(const NodeHandle &node)
{
    std::vector<std::pair<std::string, nb::object>> arguments;
    for (const ir::Argument &argument : nodeOf(node)->arguments)
        arguments.emplace_back(nameText(*node.state, argument.name), objectOf(node.state, argument.value));
    return arguments;
}

std::vector<GraphHandle> nodeRegions(const NodeHandle &node)
{
    std::vector<GraphHandle> regions;
    for (const ir::RegionId region : nodeOf(node)->regions)
        regions.push_back({node.state, region});
    return regions;
}

std::string nodeText(const NodeHandle &node)
{
    return "<Node " + readable(ir::nameOf(nodeOf(node))) + ": " + readable(nodeOf(node).fullName()) + ">";
}

void bindNode(nb::module_ &module)
{
    nb::class_<NodeHandle>(module, "Node", "One call of an operator.")
        .def_prop_ro(
            "id", [](const NodeHandle &node) { return node.id.index; },
            "Its number within the function, as in reports; passes keep it.")
        .def_prop_ro(
            "name", [](const NodeHandle &node) { return readable(ir::nameOf(nodeOf(node))); },
            "Its name in the file; that of its number where the file has none.")
        .def_prop_ro(
            "op", [](const NodeHandle &node) { return readable(nodeOf(node).fullName()); },
            "The operator of its dialect: 'aten::conv2d.default', 'onnx::Conv'.")
        .def_prop_ro("inputs", nodeInputs, "The values that it reads, in the order of its arguments.")
        .def_prop_ro("outputs", nodeOutputs, "The values that it makes.")
        .def_prop_ro(
            "arguments", nodeArguments, nb::sig("def arguments(self) -> list[tuple[str, object]]"),
            "Name and content of each argument: a Value, a Weight, a number, bool, str, None, or a list, tuple\n"
            "or dict of these. Positional arguments without a known name have the name ''.")
        .def_prop_ro(
            "scope", [](const NodeHandle &node) { return nameText(*node.state, nodeOf(node).scope().path); },
            "The path of the module that calls it: 'layer1.0.conv1'; '' for the model itself.")
        .def_prop_ro(
            "scope_class",
            [](const NodeHandle &node) {
                return readableOrNone(node.state->graph().context().text(nodeOf(node).scope().className));
            },
            "The class of that module, where the file says it.")
        .def_prop_ro(
            "source", [](const NodeHandle &node) { return readableOrNone(ir::sourceOf(nodeOf(node)).value_or("")); },
            "The source position, 'net.py:12', or None.")
        .def_prop_ro("regions", nodeRegions, "The graphs within: branches and loop bodies.")
        .def(
            "__eq__", [](const NodeHandle &a, const NodeHandle &b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const NodeHandle &node) { return hashOf(node); })
        .def("__repr__", nodeText);
}

// ---------------------------------------------------------------- graphs

const ir::Region &regionOf(const GraphHandle &graph) { return graph.state->graph().at(graph.region); }

std::vector<NodeHandle> graphNodes(const GraphHandle &graph)
{
    std::vector<NodeHandle> nodes;
    for (const ir::NodeId node : regionOf(graph).nodes)
        nodes.push_back({graph.state, node});
    return nodes;
}

void addWithRegions(const GraphHandle &graph, std::vector<NodeHandle> &nodes)
{
    for (const NodeHandle &node : graphNodes(graph)) {
        nodes.push_back(node);
        for (const GraphHandle &region : nodeRegions(node))
            addWithRegions(region, nodes);
    }
}

std::vector<NodeHandle> allNodes(const GraphHandle &graph)
{
    std::vector<NodeHandle> nodes;
    addWithRegions(graph, nodes);
    return nodes;
}

std::vector<ValueHandle> graphInputs(const GraphHandle &graph)
{
    std::vector<ValueHandle> inputs;
    for (const ir::ValueId input : regionOf(graph).inputs)
        inputs.push_back({graph.state, input});
    return inputs;
}

nb::list graphOutputs(const GraphHandle &graph)
{
    nb::list outputs;
    for (const ir::Operand &output : regionOf(graph).outputs)
        outputs.append(objectOf(graph.state, output));
    return outputs;
}

std::string graphText(const GraphHandle &graph)
{
    return "<Graph of " + nameText(*graph.state, graph.state->function().name) + ": "
        + std::to_string(regionOf(graph).nodes.size()) + " nodes>";
}

void bindGraphClass(nb::module_ &module)
{
    nb::class_<GraphHandle>(module, "Graph", "Nodes in execution order: a function's body, a branch, a loop body.")
        .def_prop_ro("nodes", graphNodes, "Its nodes, without those of regions within; a new list each time.")
        .def_prop_ro("all_nodes", allNodes, "Its nodes, the nodes of a region after the one that owns it.")
        .def_prop_ro("inputs", graphInputs, "Its inputs, without weights.")
        .def_prop_ro("outputs", graphOutputs, nb::sig("def outputs(self) -> list[object]"),
                     "Its results: Values, or constants.")
        .def("__len__", [](const GraphHandle &graph) { return regionOf(graph).nodes.size(); })
        .def(
            "__eq__", [](const GraphHandle &a, const GraphHandle &b) { return a == b; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__repr__", graphText);
}

// ---------------------------------------------------------------- functions

std::vector<Port> functionInputs(const FunctionHandle &function)
{
    std::vector<Port> ports;
    for (const ir::FunctionInput &input : function.state->function().inputs)
        ports.push_back({function.state, input.name, ir::name(input.kind), &input.value, input.target});
    return ports;
}

std::vector<Port> functionOutputs(const FunctionHandle &function)
{
    std::vector<Port> ports;
    for (const ir::FunctionOutput &output : function.state->function().outputs)
        ports.push_back({function.state, output.name, ir::name(output.kind), &output.value, output.target});
    return ports;
}

void bindPort(nb::module_ &module)
{
    nb::class_<Port>(module, "Port", "One parameter or one result of a function.")
        .def_prop_ro("name", [](const Port &port) { return nameText(*port.state, port.name); })
        .def_prop_ro(
            "kind", [](const Port &port) { return std::string(port.kind); },
            "'user_input', 'parameter', 'buffer', ...; 'user_output', 'buffer_mutation', ...")
        .def_prop_ro(
            "value", [](const Port &port) { return objectOf(port.state, *port.operand); }, "The Value, or a constant.")
        .def_prop_ro(
            "target", [](const Port &port) { return readableOrNone(port.state->graph().context().text(port.target)); },
            "The parameter or buffer that it stands for or changes, or None.")
        .def("__repr__", [](const Port &port) {
            return "<Port " + nameText(*port.state, port.name) + ": " + std::string(port.kind) + ">";
        });
}

std::string_view functionKindText(ir::Function::Kind kind)
{
    return kind == ir::Function::Kind::Main ? "main" : kind == ir::Function::Kind::Method ? "method" : "free";
}

void bindFunction(nb::module_ &module)
{
    nb::class_<FunctionHandle>(module, "Function",
                               "A graph with a signature: a module's method, an exported program, an ONNX model or\n"
                               "one of its functions.")
        .def_prop_ro("name", [](const FunctionHandle &f) { return nameText(*f.state, f.state->function().name); })
        .def_prop_ro(
            "kind", [](const FunctionHandle &f) { return std::string(functionKindText(f.state->function().kind)); },
            "'main', 'method' or 'free'.")
        .def_prop_ro("documentation",
                     [](const FunctionHandle &f) { return readableOrNone(f.state->function().documentation); })
        .def_prop_ro("inputs", functionInputs, "Its parameters, weights included where the file lists them.")
        .def_prop_ro("outputs", functionOutputs, "Its results.")
        .def_prop_ro(
            "graph", [](const FunctionHandle &f) { return GraphHandle{f.state, ir::Graph::body}; }, "Its body.")
        .def("__repr__",
             [](const FunctionHandle &f) { return "<Function " + nameText(*f.state, f.state->function().name) + ">"; });
}

} // namespace

void bindGraph(nb::module_ &module)
{
    bindValue(module);
    bindNode(module);
    bindGraphClass(module);
    bindPort(module);
    bindFunction(module);
}

} // namespace cutaway::python
