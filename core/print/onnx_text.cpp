// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/onnx_text.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/ops/attribute_reference.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

// The syntax is that of onnx/docs/Syntax.md. Names are printed as they are, even if they are no identifiers, as
// onnx.printer does.

namespace cutaway::print {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// The limit of elements of a tensor that are printed; onnx.printer prints all.
constexpr std::size_t maxPrintedElements = 16;

template <class Items, class Text>
std::string onnxList(const Items &items, const Text &text)
{
    std::string all;
    for (const auto &item : items)
        all += (all.empty() ? "" : ", ") + text(item);
    return all;
}

std::string onnxQuoted(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text)
        (quoted += c == '"' || c == '\\' ? "\\" : "") += c;
    return quoted + "\"";
}

std::string onnxElement(ir::DType dtype)
{
    return dtype == ir::DType::Float32 ? "float" : dtype == ir::DType::Float64 ? "double" : std::string(name(dtype));
}

std::string onnxSize(const ir::Dim &dim)
{
    return std::visit(Overloaded{[](std::int64_t size) { return std::to_string(size); },
                                 [](const symbolic::Expr &expr) { return symbolic::print(expr); },
                                 [](ir::UnknownDim) { return std::string("?"); }},
                      dim);
}

/// Returns "[2,s0]"; "" for a scalar.
std::string onnxSizes(const ir::Shape &shape)
{
    std::string sizes;
    for (const ir::Dim &dim : shape)
        sizes += (sizes.empty() ? "" : ",") + onnxSize(dim);
    return shape.empty() ? "" : "[" + sizes + "]";
}

class OnnxText {
public:
    explicit OnnxText(const ir::Model &model) : m_model(model), m_context(*model.context) { }

    std::string printModel()
    {
        header();
        graph(m_model.functions.front(), ir::Graph::body, 0);
        for (const ir::Function &function : std::span(m_model.functions).subspan(1))
            localFunction(function);
        return std::move(m_out);
    }

    std::string printFunction(const ir::Function &function)
    {
        if (function.kind == ir::Function::Kind::Main)
            graph(function, ir::Graph::body, 0);
        else
            localFunction(function);
        return std::move(m_out);
    }

    /// Returns the positions of the nodes in the printed text.
    std::vector<ir::NodePlace> takePlaces() { return std::move(m_places); }

private:
    template <class... Pieces>
    void put(const Pieces &...pieces)
    {
        (m_out.append(pieces), ...);
    }

    std::string text(ir::NameId name) const { return std::string(m_context.text(name)); }

    std::string opsets() const
    {
        return onnxList(m_model.opsets, [](const auto &opset) {
            const std::string domain = opset.first == "ai.onnx" ? "" : opset.first;
            return onnxQuoted(domain) + " : " + std::to_string(opset.second);
        });
    }

    void header()
    {
        std::vector<std::string> lines;
        // The version is recorded as "ir 8".
        if (const std::string_view version = m_model.formatVersion; version.starts_with("ir "))
            lines.push_back("ir_version: " + std::string(version.substr(3)));
        lines.push_back("opset_import: [" + opsets() + "]");
        const auto add = [&](std::string_view key, const std::string &value) {
            if (!value.empty())
                lines.push_back(std::string(key) + ": " + onnxQuoted(value));
        };
        add("producer_name", m_model.producer);
        add("producer_version", m_model.producerVersion);
        add("doc_string", m_model.documentation);
        put("<\n");
        for (std::size_t i = 0; i < lines.size(); ++i)
            put("   ", lines[i], i + 1 < lines.size() ? ",\n" : "\n");
        put(">\n");
    }

    // ---- types and values

    std::string typeText(ir::TypeId type) const
    {
        return std::visit(Overloaded{[&](const ir::TensorType &t) { return tensorText(t); },
                                     [&](const ir::CompoundType &t) { return compoundText(t); },
                                     [](const auto &) { return std::string(); }},
                          m_context.at(type));
    }

    static std::string tensorText(const ir::TensorType &type)
    {
        if (!type.dtype)
            return {};
        const std::string element = onnxElement(*type.dtype) + (type.shape ? onnxSizes(*type.shape) : "[]");
        return type.layout == ir::Layout::Strided ? element : "sparse_tensor(" + element + ")";
    }

    std::string compoundText(const ir::CompoundType &type) const
    {
        const std::string last = type.elements.empty() ? "" : typeText(type.elements.back());
        if (type.kind == ir::CompoundType::Kind::Dict) {
            const bool isText = std::holds_alternative<ir::PlainType>(m_context.at(type.elements.front()));
            return formatted("map({}, {})", isText ? "string" : "int64", last);
        }
        return type.kind == ir::CompoundType::Kind::Optional ? "optional(" + last + ")" : "seq(" + last + ")";
    }

    std::string nameOf(const ir::Graph &graph, ValueId value) const
    {
        const std::string name = text(graph.at(value).name);
        return name.empty() ? "v" + std::to_string(value.index) : name;
    }

    /// Returns "float[N,3] x".
    std::string declaration(const ir::Graph &graph, ValueId value) const
    {
        const std::string type = typeText(graph.at(value).type);
        return type + (type.empty() ? "" : " ") + nameOf(graph, value);
    }

    std::string weightType(const ir::Tensor &tensor) const
    {
        return onnxElement(tensor.dtype) + onnxSizes(ir::Shape(tensor.shape.begin(), tensor.shape.end()));
    }

    /// Returns "{1,2}"; nothing for a large tensor, and for one whose bytes are missing.
    std::optional<std::string> elements(ir::TensorId id) const
    {
        const auto count = elementCount(m_model.at(id));
        const auto first = count && *count <= static_cast<std::int64_t>(maxPrintedElements)
            ? ir::firstElements(m_model, id, maxPrintedElements, ir::Digits::All)
            : std::unexpected(Error());
        if (!first)
            return std::nullopt;
        std::string all;
        for (const std::string &element : *first)
            all += (all.empty() ? "" : ",") + element;
        return "{" + all + "}";
    }

    // ---- graphs

    void graph(const ir::Function &function, ir::RegionId region, std::size_t depth)
    {
        const ir::Graph &graph = function.graph;
        const ir::Region &body = graph.at(region);
        std::vector<ValueId> inputs;
        std::ranges::copy_if(body.inputs, std::back_inserter(inputs),
                             [&](ValueId input) { return region != ir::Graph::body || !boundTo(function, input); });
        for (const ir::FunctionInput &input : function.inputs)
            if (region == ir::Graph::body && ir::isOverridable(input))
                inputs.push_back(*input.value.as<ValueId>());
        const std::string given = text(region == ir::Graph::body ? function.name : body.name);
        put(given.empty() ? "graph" : given, " (",
            onnxList(inputs, [&](ValueId value) { return declaration(graph, value); }), ") => (",
            onnxList(body.outputs, [&](const Operand &output) { return outputText(graph, output); }), ")");
        weights(function, region, depth);
        nodes(function, region, depth);
    }

    std::string outputText(const ir::Graph &graph, const Operand &output) const
    {
        const auto *value = output.as<ValueId>();
        return value ? declaration(graph, *value) : std::string();
    }

    static std::optional<ir::TensorId> boundTo(const ir::Function &function, ValueId value)
    {
        for (const ir::FunctionInput &input : function.inputs)
            if (input.tensor && input.kind != ir::FunctionInput::Kind::User && input.value == Operand{value})
                return input.tensor;
        return std::nullopt;
    }

    void weights(const ir::Function &function, ir::RegionId region, std::size_t depth)
    {
        std::vector<std::string> lines;
        const ir::Graph &graph = function.graph;
        for (ValueId id{0}; id.index < graph.valueCount(); ++id.index) {
            const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition);
            const auto bound = region == ir::Graph::body ? boundTo(function, id) : std::nullopt;
            if (!(weight && weight->region == region) && !bound)
                continue;
            const ir::TensorId tensor = bound ? *bound : weight->tensor;
            const auto values = elements(tensor);
            lines.push_back(weightType(m_model.at(tensor)) + " " + nameOf(graph, id) + (values ? " = " + *values : ""));
        }
        if (!lines.empty())
            put("\n", std::string(3 * depth + 3, ' '), "<",
                onnxList(lines, [](const std::string &line) { return line; }), ">");
    }

    void nodes(const ir::Function &function, ir::RegionId region, std::size_t depth)
    {
        put(region == ir::Graph::body ? "\n{\n" : " {\n");
        for (const NodeRef node : ir::nodesOf(function.graph, region)) {
            m_places.push_back({m_out.size(), node});
            put(std::string(3 * depth + 3, ' '));
            this->node(function, node, depth + 1);
            put("\n");
        }
        put(std::string(3 * depth, ' '), "}");
        if (region == ir::Graph::body)
            put("\n");
    }

    void node(const ir::Function &function, const NodeRef &node, std::size_t depth)
    {
        const ir::Graph &graph = node.graph();
        put(onnxList(node->outputs, [&](ValueId value) { return nameOf(graph, value); }), " = ",
            node.dialect() == "onnx" ? "" : std::string(node.dialect()) + ".", node.opName());
        std::string separator = " <";
        const auto begin = [&] { put(std::exchange(separator, ", ")); };
        for (const ir::Argument &argument : node->arguments)
            if (argument.name != ir::NameId{} && !argument.value.as<ValueId>()
                && !argument.value.as<ir::FunctionId>()) {
                begin();
                put(text(argument.name), attribute(argument.value));
            }
        for (std::size_t i = 0; i < node->regions.size(); ++i) {
            begin();
            const bool isBranch = ops::kindOf(node) == ops::kind::ifElse;
            put(!isBranch ? "body" : i == 0 ? "then_branch" : "else_branch", ": graph = ");
            this->graph(function, node->regions[i], depth);
        }
        put(separator == " <" ? " (" : "> (", inputs(node), ")");
    }

    std::string inputs(const NodeRef &node) const
    {
        std::vector<std::string> names;
        for (const ir::Argument &argument : node->arguments)
            if (const auto *value = argument.value.as<ValueId>())
                names.push_back(nameOf(node.graph(), *value));
            else if (argument.name == ir::NameId{})
                names.emplace_back();
        return onnxList(names, [](const std::string &name) { return name; });
    }

    // ---- attributes

    /// Returns the type and value of an attribute: ": int = 1".
    std::string attribute(const Operand &value) const
    {
        const auto typed = [](std::string_view type, const std::string &content) {
            return ": " + std::string(type) + " = " + content;
        };
        if (const auto referred = ops::referredAttribute(m_context, value))
            return " = @" + text(*referred);
        return std::visit(
            Overloaded{[&](std::int64_t n) { return typed("int", std::to_string(n)); },
                       [&](bool b) { return typed("int", b ? "1" : "0"); },
                       [&](double x) { return typed("float", formatted("{}", static_cast<float>(x))); },
                       [&](const ir::String &s) { return typed("string", onnxQuoted(m_context.text(s.text))); },
                       [&](ir::TensorId tensor) {
                           return typed("tensor",
                                        weightType(m_model.at(tensor)) + " " + elements(tensor).value_or("{}"));
                       },
                       [&](ir::TypeId type) { return typed("type_proto", typeText(type)); },
                       [&](const ir::List &list) { return typed(listType(list), "[" + items(list) + "]"); },
                       [](const auto &) { return std::string(); }},
            value.v);
    }

    static std::string_view listType(const ir::List &list)
    {
        const Operand *first = list.items.empty() ? nullptr : &list.items.front();
        return first && first->as<double>()      ? "floats"
            : first && first->as<ir::String>()   ? "strings"
            : first && first->as<ir::TensorId>() ? "tensors"
                                                 : "ints";
    }

    std::string items(const ir::List &list) const
    {
        return onnxList(list.items, [&](const Operand &item) {
            const std::string one = attribute(item);
            return one.substr(std::min(one.find("= "), one.size() - 2) + 2);
        });
    }

    // ---- functions

    void localFunction(const ir::Function &function)
    {
        const std::string name = text(function.name);
        const std::size_t colons = std::min(name.rfind("::"), name.size());
        put("<\n  domain: ", onnxQuoted(colons < name.size() ? name.substr(0, colons) : ""), ",\n  opset_import: [",
            opsets(), "]\n>\n", colons < name.size() ? name.substr(colons + 2) : name);
        if (!function.attributes.empty())
            put(" <", onnxList(function.attributes, [&](const ir::Argument &each) { return text(each.name); }), ">");
        const ir::Region &body = function.graph.at(ir::Graph::body);
        put(" (", onnxList(body.inputs, [&](ValueId value) { return nameOf(function.graph, value); }), ") => (",
            onnxList(body.outputs,
                     [&](const Operand &output) {
                         const auto *value = output.as<ValueId>();
                         return value ? nameOf(function.graph, *value) : std::string();
                     }),
            ")");
        nodes(function, ir::Graph::body, 0);
    }

    const ir::Model &m_model;
    const ir::Context &m_context;
    std::string m_out;
    std::vector<ir::NodePlace> m_places;
};

/// Returns the first operator that is neither of ONNX nor of a domain that an ONNX file imports; nothing if there is
/// none.
std::optional<std::string> foreignOperator(const ir::Model &model, const ir::Function &function)
{
    const auto isImported = [&](const NodeRef &node) {
        return ir::isOnnx(model) && std::ranges::contains(model.opsets, node.dialect(), [](const auto &opset) {
                   return std::string_view(opset.first);
               });
    };
    for (std::uint32_t i = 0; i < function.graph.nodeCount(); ++i)
        if (const NodeRef node(function.graph, ir::NodeId{i}); !node->removed && !node.isOnnx() && !isImported(node))
            return node.fullName();
    return std::nullopt;
}

Result<void> checkPrintable(const ir::Model &model, std::optional<ir::FunctionId> function)
{
    for (const ir::Function &each : model.functions)
        if (const auto foreign =
                !function || &each == &model.at(*function) ? foreignOperator(model, each) : std::nullopt)
            return usageError("ONNX's text form is for ONNX models; this one has the operator " + *foreign);
    if (model.functions.empty())
        return usageError("the model has no graph");
    return {};
}

} // namespace

Result<std::string> onnxText(const ir::Model &model, std::optional<ir::FunctionId> function)
{
    CUTAWAY_RETURN_IF_ERROR(checkPrintable(model, function));
    OnnxText text(model);
    return function ? text.printFunction(model.at(*function)) : text.printModel();
}

Result<ir::PlacedText> placedOnnxText(const ir::Model &model, ir::FunctionId function)
{
    CUTAWAY_RETURN_IF_ERROR(checkPrintable(model, function));
    OnnxText text(model);
    ir::PlacedText placed{text.printFunction(model.at(function)), {}};
    placed.places = text.takePlaces();
    return placed;
}

} // namespace cutaway::print
