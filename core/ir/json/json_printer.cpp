// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The schema is described in docs/ir-json.md. Types, scopes and locations are tables in the context's order, in which
// an entry refers only to earlier ones.

#include "core/ir/json/json.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"

#include <cmath>
#include <span>

namespace cutaway::ir {

namespace {

std::string hexOf(std::string_view bytes)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes)
        out += {digits[static_cast<std::uint8_t>(c) >> 4], digits[c & 15]};
    return out;
}

class JsonPrinter {
public:
    explicit JsonPrinter(const Model &model) : m_model(model), m_context(*model.context) { }

    std::string print()
    {
        object([&] {
            m_writer.member("schema", "cutaway.ir/1");
            printHead();
            array("storages", m_model.storages, [&](const Storage &s) { printStorage(s); });
            array("tensors", m_model.tensors, [&](const Tensor &t) { printTensor(t); });
            printTables();
            array("modules", m_model.modules, [&](const Module &m) { printModule(m); });
            printNotes();
            array("functions", m_model.functions, [&](const Function &f) { printFunction(f); });
        });
        return m_writer.take();
    }

private:
    // ---- pieces

    template <class Print>
    void object(Print print)
    {
        m_writer.beginObject();
        print();
        m_writer.endObject();
    }

    template <class Items, class Print>
    void array(const Items &items, Print print)
    {
        m_writer.beginArray();
        for (const auto &item : items)
            print(item);
        m_writer.endArray();
    }

    /// Prints an array as a member, unless it is empty.
    template <class Items, class Print>
    void array(std::string_view key, const Items &items, Print print)
    {
        if (items.empty())
            return;
        m_writer.key(key);
        array(items, print);
    }

    /// Prints a text, or hexadecimal bytes if JSON cannot represent it.
    void text(std::string_view s)
    {
        if (sanitized(s, true) == s)
            m_writer.value(s);
        else
            object([&] { m_writer.member("hex", hexOf(s)); });
    }
    void text(NameId id) { text(m_context.text(id)); }

    void textMember(std::string_view key, std::string_view s)
    {
        if (s.empty())
            return;
        m_writer.key(key);
        text(s);
    }
    void textMember(std::string_view key, NameId id) { textMember(key, m_context.text(id)); }

    template <class Id>
    void ids(std::string_view key, const Id &list)
    {
        array(key, list, [&](const auto &id) { m_writer.value(id.index); });
    }

    template <class T>
    void optionalMember(std::string_view key, const std::optional<T> &value)
    {
        if (value)
            m_writer.member(key, *value);
    }

    void pairs(std::string_view key, const auto &list)
    {
        array(key, list, [&](const auto &entry) {
            m_writer.beginArray();
            text(entry.first);
            text(entry.second);
            m_writer.endArray();
        });
    }

    // ---- the model

    void printHead()
    {
        textMember("name", m_model.name);
        textMember("path", m_model.path);
        textMember("format", m_model.format);
        textMember("format_version", m_model.formatVersion);
        textMember("producer", m_model.producer);
        textMember("producer_version", m_model.producerVersion);
        textMember("documentation", m_model.documentation);
        array("opsets", m_model.opsets, [&](const auto &opset) {
            m_writer.beginArray();
            text(opset.first);
            m_writer.value(opset.second);
            m_writer.endArray();
        });
        pairs("metadata", m_model.metadata);
        array("symbols", m_model.symbols, [&](const Symbol &symbol) {
            object([&] {
                textMember("name", symbol.name);
                optionalMember("min", symbol.min);
                optionalMember("max", symbol.max);
                optionalMember("hint", symbol.hint);
            });
        });
        array("files", m_model.files, [&](const DataFile &file) { text(file.path.string()); });
    }

    void printRange(const FileRange &range)
    {
        m_writer.key("range");
        object([&] {
            m_writer.member("file", range.file.index);
            m_writer.member("offset", range.offset);
            m_writer.member("length", range.length);
            m_writer.member("encoding", nameOf(encodings, range.encoding));
        });
    }

    void printStorage(const Storage &storage)
    {
        object([&] {
            m_writer.member("bytes", storage.byteLength);
            if (const auto *range = std::get_if<FileRange>(&storage.data)) {
                printRange(*range);
            } else if (const auto *bytes = std::get_if<InlineBytes>(&storage.data)) {
                m_writer.member("hex",
                                hexOf({reinterpret_cast<const char *>(bytes->bytes->data()), bytes->bytes->size()}));
            } else if (const auto *strings = std::get_if<InlineStrings>(&storage.data)) {
                m_writer.key("strings");
                array(strings->strings, [&](const std::string &s) { text(s); });
            } else {
                m_writer.key("missing");
                text(std::get<NoBytes>(storage.data).reason);
            }
        });
    }

    void integers(std::string_view key, const std::vector<std::int64_t> &list)
    {
        m_writer.key(key);
        array(list, [&](std::int64_t n) { m_writer.value(n); });
    }

    void printTensor(const Tensor &tensor)
    {
        object([&] {
            textMember("name", tensor.name);
            m_writer.member("kind", nameOf(tensorKinds, tensor.kind));
            m_writer.member("dtype", name(tensor.dtype));
            integers("shape", tensor.shape);
            if (tensor.strides)
                integers("strides", *tensor.strides);
            m_writer.member("storage", tensor.storage.index);
            m_writer.member("offset", tensor.offset);
            m_writer.member("requires_grad", tensor.requiresGrad);
            m_writer.member("persistent", tensor.persistent);
            m_writer.member("layout", name(tensor.layout));
            ids("parts", tensor.parts);
        });
    }

    void printModule(const Module &module)
    {
        object([&] {
            m_writer.member("parent", module.parent.index);
            textMember("name", module.name);
            textMember("path", module.path);
            textMember("class", module.className);
            ids("children", module.children);
            ids("tensors", module.tensors);
            array("attributes", module.attributes, [&](const ModuleAttribute &attribute) {
                object([&] {
                    textMember("name", attribute.name);
                    m_writer.member("type", attribute.type.index);
                    m_writer.key("value");
                    printOperand(attribute.value);
                });
            });
        });
    }

    void printNotes()
    {
        array("objects", m_model.objects, [&](const Object &o) {
            object([&] {
                textMember("name", o.name);
                textMember("class", o.className);
                textMember("member", o.member);
            });
        });
        array("attachments", m_model.attachments, [&](const Attachment &attachment) {
            object([&] {
                textMember("name", attachment.name);
                if (attachment.text) {
                    m_writer.key("text");
                    text(*attachment.text);
                }
                if (attachment.range)
                    printRange(*attachment.range);
            });
        });
        array("diagnostics", m_model.diagnostics, [&](const Diagnostic &diagnostic) {
            object([&] {
                m_writer.member("severity", nameOf(severities, diagnostic.severity));
                textMember("code", diagnostic.code);
                textMember("message", diagnostic.message);
                if (diagnostic.function)
                    m_writer.member("function", diagnostic.function->index);
                if (diagnostic.node)
                    m_writer.member("node", diagnostic.node->index);
            });
        });
    }

    // ---- the context's tables

    template <class Id, class Print>
    void table(std::string_view key, std::uint32_t count, Print print)
    {
        m_writer.key(key);
        m_writer.beginArray();
        for (std::uint32_t i = 0; i < count; ++i)
            object([&] { print(m_context.at(Id{i})); });
        m_writer.endArray();
    }

    void printTables()
    {
        table<TypeId>("types", m_context.typeCount(),
                      [&](const Type &type) { std::visit([&](const auto &t) { printType(t); }, type); });
        table<ScopeId>("scopes", m_context.scopeCount(), [&](const Scope &scope) {
            m_writer.member("parent", scope.parent.index);
            textMember("name", scope.name);
            textMember("path", scope.path);
            textMember("class", scope.className);
            m_writer.member("call", scope.call);
        });
        table<LocationId>("locations", m_context.locationCount(), [&](const Location &location) {
            textMember("file", location.file);
            m_writer.member("line", location.line);
            textMember("function", location.function);
            textMember("text", location.text);
            m_writer.member("caller", location.caller.index);
        });
    }

    void printType(const UnknownType &) { m_writer.member("kind", "unknown"); }

    void printShape(std::string_view key, const std::optional<Shape> &shape)
    {
        if (!shape)
            return;
        m_writer.key(key);
        array(*shape, [&](const Dim &dim) {
            if (const auto *n = std::get_if<std::int64_t>(&dim))
                m_writer.value(*n);
            else if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
                text(symbolic::printParsable(*expr));
            else
                m_writer.null();
        });
    }

    void printDevice(const Device &device)
    {
        object([&] {
            textMember("device", device.kind);
            optionalMember("index", device.index);
        });
    }

    void printType(const TensorType &type)
    {
        m_writer.member("kind", "tensor");
        if (type.dtype)
            m_writer.member("dtype", name(*type.dtype));
        printShape("shape", type.shape);
        printShape("strides", type.strides);
        if (type.device) {
            m_writer.key("on");
            printDevice(*type.device);
        }
        m_writer.member("layout", name(type.layout));
        m_writer.member("requires_grad", type.requiresGrad);
    }

    void printType(const NumberType &type)
    {
        m_writer.member("kind", nameOf(numberNames, type.kind));
        if (type.value)
            textMember("value", symbolic::printParsable(*type.value));
    }

    void printType(const PlainType &type) { m_writer.member("kind", nameOf(plainNames, type.kind)); }

    void printType(const ClassType &type)
    {
        m_writer.member("kind", nameOf(classNames, type.kind));
        textMember("name", type.name);
    }

    void printType(const CompoundType &type)
    {
        m_writer.member("kind", nameOf(compoundNames, type.kind));
        ids("elements", type.elements);
        array("fields", type.fieldNames, [&](NameId field) { text(field); });
        textMember("name", type.name);
    }

    // ---- operands

    void printOp(OpId id)
    {
        const Operator &op = m_context.at(id);
        object([&] {
            textMember("dialect", op.dialect);
            textMember("name", op.name);
            textMember("overload", op.overload);
        });
    }

    void printFloat(double x)
    {
        if (std::isfinite(x))
            m_writer.value(x);
        else
            object([&] { m_writer.member("float", x); }); // x is not finite: the writer makes it a string
    }

    template <class T>
    void tagged(std::string_view tag, const T &value)
    {
        object([&] { m_writer.member(tag, value); });
    }

    void items(std::string_view tag, std::span<const Operand> list)
    {
        object([&] {
            m_writer.key(tag);
            array(list, [&](const Operand &item) { printOperand(item); });
        });
    }

    void printOperand(const Operand &operand)
    {
        std::visit([&](const auto &x) { print(x); }, operand.v);
    }

    void print(None) { m_writer.null(); }
    void print(ValueId id) { tagged("value", m_valueIndex[id.index]); }
    void print(std::int64_t n) { m_writer.value(n); }
    void print(double x) { printFloat(x); }
    void print(bool b) { m_writer.value(b); }
    void print(String s) { text(s.text); }
    void print(DType dtype) { tagged("dtype", name(dtype)); }
    void print(Layout layout) { tagged("layout", name(layout)); }
    void print(MemoryFormat format) { tagged("memory_format", name(format)); }
    void print(const Device &device) { printDevice(device); }
    void print(TensorId id) { tagged("tensor", id.index); }
    void print(TypeId id) { tagged("type", id.index); }
    void print(FunctionId id) { tagged("function", id.index); }
    void print(ObjectId id) { tagged("object", id.index); }
    void print(const Dict &dict) { items("dict", dict.items); }
    void print(const symbolic::Expr &expr)
    {
        object([&] {
            m_writer.key("expr");
            text(symbolic::printParsable(expr));
        });
    }
    void print(OpId id)
    {
        object([&] {
            m_writer.key("op");
            printOp(id);
        });
    }
    void print(const std::complex<double> &c)
    {
        object([&] {
            m_writer.key("complex");
            m_writer.beginArray();
            printFloat(c.real());
            printFloat(c.imag());
            m_writer.endArray();
        });
    }
    void print(const List &list)
    {
        if (list.kind == List::Kind::Tuple)
            items("tuple", list.items);
        else
            array(list.items, [&](const Operand &item) { printOperand(item); });
    }

    void printArguments(std::string_view key, const std::vector<Argument> &arguments)
    {
        array(key, arguments, [&](const Argument &argument) {
            m_writer.beginArray();
            text(argument.name);
            printOperand(argument.value);
            m_writer.endArray();
        });
    }

    // ---- functions

    /// Numbers the values in the order of their definitions.
    void numberValues(const Graph &graph)
    {
        m_weights.assign(graph.regionCount(), {});
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
            if (const auto *weight = std::get_if<Weight>(&graph.at(ValueId{i}).definition))
                m_weights[weight->region.index].push_back({i});
        m_valueIndex.assign(graph.valueCount(), 0);
        m_values.clear();
        const auto add = [&](const auto &values) {
            for (const ValueId value : values) {
                m_valueIndex[value.index] = static_cast<std::uint32_t>(m_values.size());
                m_values.push_back(value);
            }
        };
        const auto walk = [&](const auto &self, RegionId id) -> void {
            add(graph.at(id).inputs);
            add(m_weights[id.index]);
            for (const NodeId node : graph.at(id).nodes) {
                add(graph.at(node).outputs);
                for (const RegionId inner : graph.at(node).regions)
                    self(self, inner);
            }
        };
        walk(walk, Graph::body);
    }

    void printFunction(const Function &function)
    {
        numberValues(function.graph);
        object([&] {
            textMember("name", function.name);
            m_writer.member("kind", nameOf(functionKinds, function.kind));
            textMember("documentation", function.documentation);
            array("inputs", function.inputs, [&](const FunctionInput &input) {
                object([&] {
                    printParameter(input.name, nameOf(inputKinds, input.kind), input.value, input.target);
                    if (input.tensor)
                        m_writer.member("tensor", input.tensor->index);
                    if (input.defaultValue) {
                        m_writer.key("default");
                        printOperand(*input.defaultValue);
                    }
                });
            });
            array("outputs", function.outputs, [&](const FunctionOutput &output) {
                object([&] {
                    printParameter(output.name, nameOf(outputKinds, output.kind), output.value, output.target);
                });
            });
            printArguments("attributes", function.attributes);
            printGraph(function.graph);
        });
    }

    void printParameter(NameId name, std::string_view kind, const Operand &value, NameId target)
    {
        textMember("name", name);
        m_writer.member("kind", kind);
        m_writer.key("value");
        printOperand(value);
        textMember("target", target);
    }

    void printGraph(const Graph &graph)
    {
        m_writer.member("node_count", graph.nodeCount());
        array("values", m_values, [&](ValueId id) {
            const Value &value = graph.at(id);
            object([&] {
                textMember("name", value.name);
                m_writer.member("type", value.type.index);
                if (const auto *weight = std::get_if<Weight>(&value.definition))
                    m_writer.member("tensor", weight->tensor.index);
            });
        });
        m_writer.key("body");
        printRegion(graph, Graph::body);
    }

    void valueList(std::string_view key, const auto &list)
    {
        array(key, list, [&](ValueId id) { m_writer.value(m_valueIndex[id.index]); });
    }

    void printRegion(const Graph &graph, RegionId id)
    {
        const Region &region = graph.at(id);
        object([&] {
            textMember("name", region.name);
            valueList("inputs", region.inputs);
            valueList("weights", m_weights[id.index]);
            array("nodes", region.nodes, [&](NodeId node) { printNode(graph, node); });
            array("outputs", region.outputs, [&](const Operand &output) { printOperand(output); });
        });
    }

    void printNode(const Graph &graph, NodeId id)
    {
        const Node &node = graph.at(id);
        object([&] {
            m_writer.member("id", id.index);
            m_writer.key("op");
            printOp(node.op);
            textMember("name", node.name);
            if (node.scope != ScopeId{})
                m_writer.member("scope", node.scope.index);
            if (node.location != LocationId{})
                m_writer.member("location", node.location.index);
            printArguments("arguments", node.arguments);
            valueList("outputs", node.outputs);
            array("regions", node.regions, [&](RegionId region) { printRegion(graph, region); });
            ids("origins", node.origins);
            pairs("metadata", node.metadata);
        });
    }

    const Model &m_model;
    const Context &m_context;
    JsonWriter m_writer;
    std::vector<std::vector<ValueId>> m_weights; ///< by region: its weights
    std::vector<std::uint32_t> m_valueIndex;     ///< by ValueId: the index in "values"
    std::vector<ValueId> m_values;
};

} // namespace

std::string printJson(const Model &model) { return JsonPrinter(model).print(); }

} // namespace cutaway::ir
