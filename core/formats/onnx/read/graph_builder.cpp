// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/graph_builder.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/task.h"
#include "core/formats/onnx/scopes.h"
#include "core/formats/onnx/types.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

namespace cutaway::formats::onnx {

namespace {

constexpr std::int64_t firstVersionWithDefaults = 4;

/// Returns the path of a weight's module by its name ("layer1.0.conv1.weight"); "" for names that are no paths.
std::string_view modulePathOf(std::string_view name)
{
    constexpr std::size_t maxPathLength = 500;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || name.size() > maxPathLength
        || name.find_first_of("/:") != std::string_view::npos || name.front() == '.' || name.contains(".."))
        return {};
    return name.substr(0, dot);
}

/// Whether the IR already has what a value's metadata says under this key: the signature, torch's placeholder names.
bool isRepresented(std::string_view key)
{
    return key.starts_with("pkg.torch.export.graph_signature.") || key == "pkg.torch.onnx.original_node_name";
}

using Names = boost::unordered_flat_set<ir::NameId, std::hash<ir::NameId>>;

template <class Tensors>
Names namesOf(const ir::Model &model, const Tensors &tensors)
{
    Names names(tensors.size());
    for (const ir::TensorId tensor : tensors)
        names.insert(model.at(tensor).name);
    return names;
}

ir::RegionId regionOf(const ir::Graph &graph, ir::ValueId value)
{
    return std::visit(Overloaded{
                          [&](const ir::NodeResult &result) { return graph.at(result.node).parent; },
                          [](const ir::NoDefinition &) { return ir::RegionId{}; },
                          [](const auto &definition) { return definition.region; },
                      },
                      graph.at(value).definition);
}

} // namespace

/// A function that is being built.
struct GraphBuilder::Body {
    ir::Function &function;
    ScopeReader scopes;
    ir::Graph &graph() const { return function.graph; }
};

GraphBuilder::GraphBuilder(ir::Model &model, Notes &notes, TypeReader &types, const FunctionIndex &functions,
                           const Task &task)
    : m_model(model),
      m_notes(notes),
      m_types(types),
      m_functions(functions),
      m_task(task),
      m_order(model),
      m_sourceLines(*model.context),
      m_callee(model.context->name(calleeArgument))
{
}

/// At its end, restores the meanings that names had at its start.
struct GraphBuilder::NameScope {
    explicit NameScope(GraphBuilder &builder)
        : b(builder),
          values(builder.m_values.mark()),
          types(builder.m_recordedTypes.mark())
    {
    }
    ~NameScope()
    {
        b.m_values.rollBack(values);
        b.m_recordedTypes.rollBack(types);
    }
    NameScope(const NameScope &) = delete;
    NameScope &operator=(const NameScope &) = delete;

    GraphBuilder &b;
    std::size_t values, types;
};

ir::Function GraphBuilder::main(GraphRecord &record, std::int64_t irVersion)
{
    const ir::NameId name = m_model.context->name(record.name.empty() ? "main" : record.name);
    const std::string documentation(record.documentation);
    ir::Function function{name, ir::Function::Kind::Main, ir::Graph(m_model.context), {}, {}, {}, documentation};
    Body body{function, ScopeReader(m_model)};
    const NameScope names(*this);
    inputs(body, record);
    enterTypes(record);
    enterInitializers(body, record, ir::Graph::body);
    checkInitializers(body, record);
    if (irVersion >= firstVersionWithDefaults)
        addDefaultInputs(body, record);
    region(body, record, ir::Graph::body, {});
    settleScopes(body);
    signOutputs(function, record);
    return function;
}

ir::Function GraphBuilder::local(ir::NameId name, GraphRecord &record)
{
    const std::string documentation(record.documentation);
    ir::Function function{name, ir::Function::Kind::Free, ir::Graph(m_model.context), {}, {}, {}, documentation};
    Body body{function, ScopeReader(m_model)};
    const NameScope names(*this);
    enterTypes(record);
    inputs(body, record);
    region(body, record, ir::Graph::body, {});
    settleScopes(body);
    signOutputs(function, record);
    return function;
}

/// Decides which numbered boxes are calls of the same module. It is called when all nodes have been built, because it
/// compares the nodes of the boxes.
void GraphBuilder::settleScopes(const Body &body)
{
    ir::Graph &graph = body.graph();
    if (body.scopes.numberedBoxes().empty())
        return;
    std::vector<ir::ScopeId> scopes;
    for (ir::NodeId node{0}; node.index < graph.nodeCount(); ++node.index)
        scopes.push_back(graph.at(node).scope);
    const std::vector<ir::ScopeId> settled =
        settledScopes(m_model, graph, scopes, body.scopes.numberedBoxes(), *m_model.context);
    for (ir::NodeId node{0}; node.index < graph.nodeCount(); ++node.index)
        if (settled[node.index] != scopes[node.index])
            graph.setScope(node, settled[node.index]);
}

void GraphBuilder::subgraph(Body &body, GraphRecord &record, ir::RegionId region, ir::ScopeId scope)
{
    const NameScope names(*this);
    enterTypes(record);
    enterInitializers(body, record, region);
    // Before version 4 of the format, each initializer is also listed as an input, which callers do not give.
    const Names initializers = namesOf(m_model, record.initializers);
    for (const ValueRecord &input : record.inputs)
        if (!initializers.contains(input.name))
            bindOnce(body, region, input.name,
                     body.graph().addInput(region, input.name, m_recordedTypes.get(input.name)));
    this->region(body, record, region, scope);
    const std::string name = "graph " + std::string(record.name);
    if (!record.documentation.empty())
        m_model.attachments.push_back({name + ": doc_string", std::string(record.documentation), {}});
    for (const auto &[key, text] : record.metadata)
        m_model.attachments.push_back({name + ": " + std::string(key), std::string(text), {}});
}

void GraphBuilder::signOutputs(ir::Function &function, const GraphRecord &record)
{
    const std::vector<ir::Operand> &results = function.graph.at(ir::Graph::body).outputs;
    for (std::size_t i = 0; i < results.size(); ++i)
        function.outputs.push_back({record.outputs[i].name, ir::FunctionOutput::Kind::User, results[i], {}});
}

/// Adds the graph's inputs and the signature. This makes the symbols, and so comes before any other type is read.
void GraphBuilder::inputs(Body &body, GraphRecord &record)
{
    const Names initializers = namesOf(m_model, record.initializers);
    for (const ValueRecord &input : record.inputs)
        if (input.type.file != nullptr && !initializers.contains(input.name))
            m_types.noteSizes(input.type);
    for (const ValueRecord &input : record.inputs) {
        if (initializers.contains(input.name))
            continue;
        ir::TypeId type = m_recordedTypes.get(input.name);
        if (input.type.file != nullptr) {
            const ValueType read = m_types.inputType(input.type);
            type = read.id;
            if (!read.denotations.empty())
                record.valueTexts.push_back(
                    {input.name, {"denotation", m_model.context->text(m_model.context->name(read.denotations))}});
        }
        const ir::ValueId value = body.graph().addInput(ir::Graph::body, input.name, type);
        bindOnce(body, ir::Graph::body, input.name, value);
        body.function.inputs.push_back({input.name, ir::FunctionInput::Kind::User, value, {}, {}});
    }
}

/// Adds weights that callers may replace to the signature.
void GraphBuilder::addDefaultInputs(Body &body, const GraphRecord &record)
{
    for (const ValueRecord &input : record.inputs) {
        const auto value = boundTo(input.name);
        const auto tensor = value ? ir::ValueRef(body.graph(), *value).weight() : std::nullopt;
        if (!tensor)
            continue;
        body.function.inputs.push_back({input.name, ir::FunctionInput::Kind::Overridable, *value, input.name, tensor});
    }
}

void GraphBuilder::region(Body &body, GraphRecord &record, ir::RegionId region, ir::ScopeId scope)
{
    const auto order = m_order.of(record);
    if (order)
        m_notes.warning(
            "onnx.unsorted",
            formatted("the nodes of graph {} are not in the order they need each other; they are shown sorted",
                      shown(record.name)));
    const auto count = static_cast<std::uint32_t>(record.nodes.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % 4096 == 0)
            m_task.report("building the graph", i, count);
        if (order) {
            node(body, record, record.nodes[(*order)[i]], region, scope);
        } else {
            node(body, record, record.nodes.front(), region, scope);
            record.nodes.pop_front();
        }
    }
    body.graph().setOutputs(region, outputs(record));
    enterTexts(record);
}

void GraphBuilder::enterTypes(const GraphRecord &record)
{
    for (const auto *list : {&record.values, &record.outputs, &record.inputs}) {
        for (const ValueRecord &value : *list) {
            if (value.type.file == nullptr)
                continue;
            const ValueType &type = m_types.type(value.type);
            m_recordedTypes.set(value.name, type.id);
            if (!type.denotations.empty() && list != &record.inputs)
                m_model.attachments.push_back(
                    {"value " + std::string(m_model.context->text(value.name)) + ": denotation", type.denotations, {}});
        }
    }
}

void GraphBuilder::enterTexts(const GraphRecord &record)
{
    for (const auto &[value, text] : record.valueTexts)
        if (!isRepresented(text.key))
            m_model.attachments.push_back(
                {"value " + std::string(m_model.context->text(value)) + ": " + std::string(text.key),
                 std::string(text.text),
                 {}});
    for (const Message &annotation : record.annotations) {
        std::string tensor, parameters;
        MessageReader reader(annotation);
        for (Field field; reader.next(field);) {
            if (field.tag == bytesField(1))
                tensor = field.text();
            else if (field.tag == bytesField(2)) {
                const auto [key, text] = readText(field.payload);
                parameters += formatted("{}{}={}", parameters.empty() ? "" : ", ", key, text);
            }
        }
        m_model.attachments.push_back({"value " + tensor + ": quantization", parameters, {}});
    }
}

void GraphBuilder::enterInitializers(Body &body, const GraphRecord &record, ir::RegionId region)
{
    Names seen(record.initializers.size());
    for (const ir::TensorId id : record.initializers) {
        const ir::NameId name = m_model.at(id).name;
        if (!seen.insert(name).second) {
            m_notes.warning(
                "onnx.duplicate-initializer",
                formatted("there are two initializers {}; the first is used", shown(m_model.context->text(name))));
            continue;
        }
        bind(name, addWeight(body, region, name, id));
        addToModule(id);
    }
}

/// Checks that initializers that are also inputs have the inputs' declared types.
void GraphBuilder::checkInitializers(const Body &body, const GraphRecord &record)
{
    for (const ValueRecord &input : record.inputs) {
        const auto value = boundTo(input.name);
        const auto tensor = value ? ir::ValueRef(body.graph(), *value).weight() : std::nullopt;
        const ir::TypeId type = m_recordedTypes.get(input.name);
        const auto *declared = ir::tensorType(*m_model.context, type);
        if (!tensor || !declared)
            continue;
        const ir::Tensor &made = m_model.at(*tensor);
        const bool isSame = (!declared->dtype || *declared->dtype == made.dtype)
            && (!declared->shape
                || std::ranges::equal(*declared->shape, made.shape, [](const ir::Dim &a, std::int64_t b) {
                       const auto *size = std::get_if<std::int64_t>(&a);
                       return !size || *size == b;
                   }));
        if (!isSame)
            m_notes.error("onnx.initializer-type",
                          formatted("the initializer {} is {}, and {} among the graph's inputs",
                                    shown(m_model.context->text(input.name)),
                                    m_model.context->print(tensorTypeOf(*tensor)), m_model.context->print(type)));
    }
}

void GraphBuilder::addToModule(ir::TensorId tensor)
{
    const std::string_view path = modulePathOf(m_model.context->text(m_model.at(tensor).name));
    if (path != m_lastModulePath)
        m_lastModule = m_model.moduleAt(path);
    m_lastModulePath = path;
    m_model.modules.edit(m_lastModule.index).tensors.push_back(tensor);
}

void GraphBuilder::node(Body &body, GraphRecord &record, NodeRecord &node, ir::RegionId region, ir::ScopeId outer)
{
    const auto outputs = record.outputsOf(node);
    if (node.constant) {
        bindOnce(body, region, outputs.front(), addWeight(body, region, outputs.front(), *node.constant));
        return;
    }
    ir::NodeDraft draft{node.op, node.name, {}, {}, std::move(node.arguments), {}, {}};
    const auto inputs = record.inputsOf(node);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] != ir::NameId{})
            draft.arguments[i].value = resolve(inputs[i], &node);
    if (const auto callee = m_functions.find(node.op); callee != m_functions.end())
        draft.arguments.push_back({m_callee, callee->second});
    const std::string_view name = m_model.context->text(node.name);
    draft.scope = body.scopes.scope(
        name, node.extras ? std::span<const Text>(node.extras->metadata) : std::span<const Text>(), outer);
    if (node.extras)
        keepTexts(draft, *node.extras);
    ir::Graph &graph = body.graph();
    const ir::ScopeId scope = draft.scope;
    const ir::NodeId id = graph.append(region, std::move(draft));
    for (const ir::NameId output : outputs) {
        const ir::ValueId value = graph.addOutput(id, output, m_recordedTypes.get(output));
        if (output != ir::NameId{})
            bindOnce(body, region, output, value);
    }
    if (node.extras)
        for (GraphRecord &inner : node.extras->graphs)
            subgraph(body, inner, graph.addRegion(id, m_model.context->name(inner.name)), scope);
}

void GraphBuilder::keepTexts(ir::NodeDraft &draft, NodeExtras &extras)
{
    ir::Context &context = *m_model.context;
    draft.metadata = std::move(extras.kept);
    for (const auto &[key, text] : extras.metadata) {
        if (key == stackTraceKey)
            draft.location = m_sourceLines.fromTraceback(text);
        if ((key != stackTraceKey || draft.location == ir::LocationId{}) && !ScopeReader::reads(key))
            draft.metadata.emplace_back(context.name(key), context.name(text));
    }
    const ir::LocationId documented = m_sourceLines.fromDocString(extras.documentation);
    if (draft.location == ir::LocationId{})
        draft.location = documented;
    if (!extras.documentation.empty() && documented == ir::LocationId{})
        draft.metadata.emplace_back(context.name("doc_string"), context.name(extras.documentation));
    for (std::size_t i = 0; i < extras.graphAttributes.size(); ++i) {
        const std::string_view attribute = context.text(extras.graphAttributes[i]);
        if (attribute != "then_branch" && attribute != "else_branch" && attribute != "body")
            draft.metadata.emplace_back(extras.graphAttributes[i], context.name(formatted("region {}", i)));
    }
}

std::vector<ir::Operand> GraphBuilder::outputs(const GraphRecord &record)
{
    std::vector<ir::Operand> results;
    for (const ValueRecord &output : record.outputs)
        results.push_back(output.name == ir::NameId{} ? ir::Operand(ir::None{})
                                                      : ir::Operand(resolve(output.name, nullptr)));
    return results;
}

ir::ValueId GraphBuilder::addWeight(Body &body, ir::RegionId region, ir::NameId name, ir::TensorId tensor)
{
    return body.graph().addWeight(region, name, tensorTypeOf(tensor), tensor);
}

void GraphBuilder::bindOnce(const Body &body, ir::RegionId region, ir::NameId name, ir::ValueId value)
{
    if (const auto other = boundTo(name); other && regionOf(body.graph(), *other) == region)
        m_notes.error("onnx.duplicate-name",
                      formatted("two values of the graph have the name {}; ONNX takes each name once",
                                shown(m_model.context->text(name))));
    bind(name, value);
}

std::optional<ir::ValueId> GraphBuilder::boundTo(ir::NameId name) const
{
    const std::uint32_t value = m_values.get(name);
    return value == 0 ? std::nullopt : std::optional(ir::ValueId{value - 1});
}

ir::ValueId GraphBuilder::resolve(ir::NameId name, const NodeRecord *reader) const
{
    if (const auto value = boundTo(name))
        return *value;
    const std::string who = reader
        ? formatted("a {} node {}", m_model.context->print(reader->op), shown(m_model.context->text(reader->name)))
        : std::string("an output of a graph");
    unusable(formatted("nothing makes the value {}", shown(m_model.context->text(name))), "read by " + who);
}

ir::TypeId GraphBuilder::tensorTypeOf(ir::TensorId id) const
{
    const ir::Tensor &tensor = m_model.at(id);
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.layout = tensor.layout;
    type.shape.emplace().reserve(tensor.shape.size());
    for (const std::int64_t size : tensor.shape)
        type.shape->push_back(size >= 0 ? ir::Dim(size) : ir::Dim(ir::UnknownDim{}));
    return m_model.context->type(type);
}

} // namespace cutaway::formats::onnx
