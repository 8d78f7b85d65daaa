// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The schema is described in docs/ir-json.md. Values in operands are read as indices into "values", which buildGraph()
// replaces by ids.

#include "core/base/limits.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"

#include "core/ir/context.h"
#include "core/ir/graph_draft.h"
#include "core/ir/json/json_reader.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace cutaway::ir {

namespace {

class JsonParser {
public:
    explicit JsonParser(Model start) : m_model(std::move(start)) { }

    Result<Model> run(const Json &document)
    {
        checkSchema(document);
        readHead(document);
        readTables(document);
        readTensors(document);
        readNotes(document);
        m_reader.member(document, "functions",
                        [&](const Json &list) { m_functionCount = list.is_array() ? list.size() : 0; });
        m_reader.items(document, "modules", [&](const Json &json) { readModule(json); });
        readDiagnostics(document);
        m_reader.items(document, "functions", [&](const Json &json) { readFunction(json); });
        checkModules();
        if (m_reader.error())
            return std::unexpected(*m_reader.error());
        return std::move(m_model);
    }

private:
    // ---- pieces

    NameId name(const Json &json) { return m_context.name(m_reader.text(json)); }
    NameId name(const Json &object, const char *key) { return m_context.name(m_reader.text(object, key)); }

    template <class Kind, class Names>
    Kind word(const Json &object, const char *key, const Names &names, Kind defaultValue = {})
    {
        m_reader.member(object, key, [&](const Json &json) {
            if (const auto kind = kindNamed<Kind>(names, m_reader.text(json)))
                defaultValue = *kind;
            else
                m_reader.fail(json, "one of the words of the schema");
        });
        return defaultValue;
    }

    template <class T>
    T named(const Json &json, std::optional<T> (*find)(std::string_view), std::string_view what)
    {
        const auto found = find(m_reader.text(json));
        if (!found)
            m_reader.fail(json, what);
        return found.value_or(T{});
    }

    template <class Id, class Index>
    std::vector<Id> ids(const Json &object, const char *key, Index index)
    {
        std::vector<Id> out;
        m_reader.items(object, key, [&](const Json &json) { out.push_back({index(json)}); });
        return out;
    }

    std::vector<std::int64_t> integers(const Json &json)
    {
        std::vector<std::int64_t> out;
        m_reader.items(json, [&](const Json &item) { out.push_back(m_reader.integer(item)); });
        return out;
    }

    TensorId tensor(const Json &json) { return {m_reader.index(json, m_tensorCount, "tensors")}; }
    TypeId type(const Json &json) { return m_types[m_reader.index(json, m_types.size(), "types")]; }
    FunctionId function(const Json &json) { return {m_reader.index(json, m_functionCount, "functions")}; }

    std::optional<symbolic::Expr> expression(const Json &json)
    {
        auto parsed = symbolic::parse(m_reader.text(json));
        if (!parsed)
            m_reader.failWith(parsed.error().text());
        return parsed ? std::optional(*parsed) : std::nullopt;
    }

    // ---- the header

    void checkSchema(const Json &document)
    {
        const std::string schema = m_reader.text(document, "schema");
        if (schema != "cutaway.ir/1" && !schema.starts_with("cutaway.ir/1."))
            m_reader.failWith("the schema is '" + schema.substr(0, 40) + "' where 'cutaway.ir/1' is expected");
    }

    void readHead(const Json &json)
    {
        m_model.name = m_reader.text(json, "name");
        m_model.path = m_reader.text(json, "path");
        m_model.format = m_reader.text(json, "format");
        m_model.formatVersion = m_reader.text(json, "format_version");
        m_model.producer = m_reader.text(json, "producer");
        m_model.producerVersion = m_reader.text(json, "producer_version");
        m_model.documentation = m_reader.text(json, "documentation");
        m_reader.items(json, "opsets", [&](const Json &entry) {
            m_reader.pair(entry, [&](const Json &domain, const Json &version) {
                m_model.opsets.emplace_back(m_reader.text(domain), m_reader.integer(version));
            });
        });
        m_reader.items(json, "metadata", [&](const Json &entry) {
            m_reader.pair(entry, [&](const Json &key, const Json &value) {
                m_model.metadata.emplace_back(m_reader.text(key), m_reader.text(value));
            });
        });
        m_reader.items(json, "symbols", [&](const Json &symbol) {
            m_model.symbols.push_back({m_reader.text(symbol, "name"), m_reader.integer(symbol, "min"),
                                       m_reader.integer(symbol, "max"), m_reader.integer(symbol, "hint")});
        });
        m_reader.items(json, "files",
                       [&](const Json &file) { m_model.files.push_back({m_reader.text(file), nullptr}); });
    }

    // ---- tables; an entry refers to earlier ones only

    void readTables(const Json &document)
    {
        m_reader.items(document, "types", [&](const Json &json) {
            const Type type = readType(json);
            m_types.push_back(m_reader.failed() ? TypeId{} : m_context.type(type));
        });
        m_reader.items(document, "scopes", [&](const Json &json) {
            Scope scope{m_scopes.empty() ? ScopeId{}
                                         : m_scopes[m_reader.index(json, "parent", m_scopes.size(), "earlier scopes")],
                        name(json, "name"), name(json, "path"), name(json, "class"),
                        static_cast<std::uint32_t>(m_reader.natural(json, "call"))};
            m_scopes.push_back(m_context.scope(scope));
        });
        m_reader.items(document, "locations", [&](const Json &json) {
            Location location;
            location.file = name(json, "file");
            location.line = static_cast<std::uint32_t>(m_reader.natural(json, "line"));
            location.function = name(json, "function");
            location.text = name(json, "text");
            if (!m_locations.empty())
                location.caller = m_locations[m_reader.index(json, "caller", m_locations.size(), "earlier locations")];
            m_locations.push_back(m_context.location(location));
        });
        if (m_types.empty())
            m_types.push_back({});
        if (m_scopes.empty())
            m_scopes.push_back({});
        if (m_locations.empty())
            m_locations.push_back({});
    }

    std::optional<Shape> readShape(const Json &object, const char *key)
    {
        std::optional<Shape> shape;
        m_reader.member(object, key, [&](const Json &array) {
            shape.emplace();
            m_reader.items(array, [&](const Json &dim) {
                if (dim.is_null())
                    shape->emplace_back(UnknownDim{});
                else if (dim.is_number())
                    shape->emplace_back(m_reader.integer(dim));
                else if (const auto expr = expression(dim))
                    shape->emplace_back(*expr);
            });
        });
        return shape;
    }

    Device readDevice(const Json &json)
    {
        Device device{name(json, "device"), {}};
        if (const auto index = m_reader.integer(json, "index")) {
            device.index = static_cast<int>(*index);
            if (*device.index != *index)
                m_reader.failWith("a device's index is out of range");
        }
        return device;
    }

    Type readTensorType(const Json &json)
    {
        TensorType type;
        m_reader.member(json, "dtype", [&](const Json &dtype) { type.dtype = named(dtype, dtypeFromName, "a dtype"); });
        type.shape = readShape(json, "shape");
        type.strides = readShape(json, "strides");
        m_reader.member(json, "on", [&](const Json &device) { type.device = readDevice(device); });
        m_reader.member(json, "layout",
                        [&](const Json &layout) { type.layout = named(layout, layoutFromName, "a layout"); });
        type.requiresGrad = m_reader.boolean(json, "requires_grad", false);
        return type;
    }

    Type readType(const Json &json)
    {
        const std::string kind = m_reader.text(json, "kind");
        if (kind == "tensor")
            return readTensorType(json);
        if (const auto number = kindNamed<NumberType::Kind>(numberNames, kind)) {
            NumberType type{*number, {}};
            m_reader.member(json, "value", [&](const Json &value) { type.value = expression(value); });
            return type;
        }
        if (const auto plain = kindNamed<PlainType::Kind>(plainNames, kind))
            return PlainType{*plain};
        if (const auto classKind = kindNamed<ClassType::Kind>(classNames, kind))
            return ClassType{*classKind, name(json, "name")};
        if (const auto compound = kindNamed<CompoundType::Kind>(compoundNames, kind)) {
            CompoundType type;
            type.kind = *compound;
            m_reader.items(json, "elements", [&](const Json &element) {
                const std::uint32_t index = m_reader.index(element, m_types.size(), "earlier types");
                type.elements.push_back(m_reader.failed() ? TypeId{} : m_types[index]);
            });
            m_reader.items(json, "fields", [&](const Json &field) { type.fieldNames.push_back(name(field)); });
            type.name = name(json, "name");
            if (const auto fault = faultOf(type))
                m_reader.failWith(*fault);
            return type;
        }
        if (kind != "unknown")
            m_reader.failWith("found the kind '" + kind.substr(0, 40) + "' where a type's kind is expected");
        return {};
    }

    // ---- tensors

    std::optional<FileRange> readRange(const Json &object)
    {
        std::optional<FileRange> range;
        m_reader.member(object, "range", [&](const Json &json) {
            range = FileRange{{m_reader.index(json, "file", m_model.files.size(), "files")},
                              m_reader.natural(json, "offset"),
                              m_reader.natural(json, "length"),
                              word<FileRange::Encoding>(json, "encoding", encodings)};
        });
        return range;
    }

    static InlineBytes inlineBytes(const std::string &text)
    {
        std::vector<std::byte> bytes(text.size());
        if (!text.empty())
            std::memcpy(bytes.data(), text.data(), text.size());
        return {std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
    }

    void readStorage(const Json &json)
    {
        Storage storage;
        storage.byteLength = m_reader.natural(json, "bytes");
        if (const auto range = readRange(json))
            storage.data = *range;
        m_reader.member(json, "hex", [&](const Json &hex) { storage.data = inlineBytes(m_reader.bytes(hex)); });
        m_reader.member(json, "missing", [&](const Json &reason) { storage.data = NoBytes{m_reader.text(reason)}; });
        m_reader.member(json, "strings", [&](const Json &list) {
            InlineStrings strings;
            m_reader.items(list, [&](const Json &s) { strings.strings.push_back(m_reader.text(s)); });
            storage.data = std::move(strings);
        });
        m_model.storages.push_back(std::move(storage));
    }

    void readTensors(const Json &document)
    {
        m_reader.items(document, "storages", [&](const Json &json) { readStorage(json); });
        m_reader.member(document, "tensors",
                        [&](const Json &list) { m_tensorCount = list.is_array() ? list.size() : 0; });
        m_reader.items(document, "tensors", [&](const Json &json) {
            Tensor t;
            t.name = name(json, "name");
            t.kind = word(json, "kind", tensorKinds, Tensor::Kind::Constant);
            m_reader.member(json, "dtype",
                            [&](const Json &dtype) { t.dtype = named(dtype, dtypeFromName, "a dtype"); });
            m_reader.member(json, "shape", [&](const Json &shape) { t.shape = integers(shape); });
            m_reader.member(json, "strides", [&](const Json &strides) { t.strides = integers(strides); });
            t.storage = {m_reader.index(json, "storage", m_model.storages.size(), "storages")};
            t.offset = m_reader.integer(json, "offset").value_or(0);
            t.requiresGrad = m_reader.boolean(json, "requires_grad", false);
            t.persistent = m_reader.boolean(json, "persistent", true);
            m_reader.member(json, "layout",
                            [&](const Json &layout) { t.layout = named(layout, layoutFromName, "a layout"); });
            t.parts = ids<TensorId>(json, "parts", [&](const Json &part) { return tensor(part).index; });
            m_model.tensors.push_back(std::move(t));
        });
    }

    // ---- modules and notes

    void readModule(const Json &json)
    {
        Module module;
        // The parent's index is checked when all modules have been read.
        constexpr std::size_t any = std::numeric_limits<std::uint32_t>::max();
        module.parent = {m_reader.index(json, "parent", any, "modules")};
        module.name = name(json, "name");
        module.path = name(json, "path");
        module.className = name(json, "class");
        module.children =
            ids<ModuleId>(json, "children", [&](const Json &id) { return m_reader.index(id, any, "modules"); });
        module.tensors = ids<TensorId>(json, "tensors", [&](const Json &id) { return tensor(id).index; });
        m_reader.items(json, "attributes", [&](const Json &attribute) {
            ModuleAttribute a;
            a.name = name(attribute, "name");
            m_reader.member(attribute, "type", [&](const Json &id) { a.type = type(id); });
            m_reader.member(attribute, "value", [&](const Json &value) { a.value = operand(value); });
            module.attributes.push_back(std::move(a));
        });
        m_modules.push_back(std::move(module));
    }

    void checkModules()
    {
        if (m_modules.empty())
            return;
        const auto inRange = [&](ModuleId id) { return id.index < m_modules.size(); };
        for (const Module &module : m_modules)
            if (!inRange(module.parent) || !std::ranges::all_of(module.children, inRange))
                m_reader.failWith("a module names one that does not exist");
        m_model.modules = {};
        for (Module &module : m_modules)
            m_model.modules.push_back(std::move(module));
    }

    void readNotes(const Json &document)
    {
        m_reader.items(document, "objects", [&](const Json &json) {
            m_model.objects.push_back({name(json, "name"), name(json, "class"), m_reader.text(json, "member")});
        });
        m_reader.items(document, "attachments", [&](const Json &json) {
            Attachment attachment{m_reader.text(json, "name"), {}, readRange(json)};
            m_reader.member(json, "text", [&](const Json &text) { attachment.text = m_reader.text(text); });
            m_model.attachments.push_back(std::move(attachment));
        });
    }

    void readDiagnostics(const Json &document)
    {
        m_reader.items(document, "diagnostics", [&](const Json &json) {
            Diagnostic diagnostic{word(json, "severity", severities, Severity::Warning),
                                  m_reader.text(json, "code"),
                                  m_reader.text(json, "message"),
                                  {},
                                  {}};
            m_reader.member(json, "function", [&](const Json &id) { diagnostic.function = function(id); });
            m_reader.member(json, "node", [&](const Json &id) { diagnostic.node = nodeId(id); });
            m_model.diagnostics.push_back(std::move(diagnostic));
        });
    }

    NodeId nodeId(const Json &json)
    {
        return {m_reader.index(json, std::numeric_limits<std::uint32_t>::max(), "node ids")};
    }

    // ---- operands

    double number(const Json &json)
    {
        if (json.is_number())
            return json.get<double>();
        const std::string text = m_reader.text(json);
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (text != "NaN" && text != "Infinity" && text != "-Infinity")
            m_reader.fail(json, "a number, 'NaN', 'Infinity' or '-Infinity'");
        return text == "NaN" ? std::numeric_limits<double>::quiet_NaN() : text == "Infinity" ? infinity : -infinity;
    }

    /// Reads a part of a complex number: a number or, if the part is not finite, an object such as {"float": "NaN"}.
    double part(const Json &json) { return json.is_object() ? number(json.value("float", Json())) : number(json); }

    std::complex<double> complexNumber(const Json &json)
    {
        std::complex<double> c;
        m_reader.pair(json, [&](const Json &real, const Json &imaginary) { c = {part(real), part(imaginary)}; });
        return c;
    }

    std::vector<Operand> operands(const Json &json)
    {
        std::vector<Operand> out;
        m_reader.items(json, [&](const Json &item) { out.push_back(operand(item)); });
        return out;
    }

    Operand operand(const Json &json)
    {
        if (++m_depth > limits::maxNesting)
            m_reader.failWith("lists are nested more than " + std::to_string(limits::maxNesting) + " deep");
        Operand out = m_reader.failed() ? Operand() : readOperand(json);
        --m_depth;
        return out;
    }

    Operand readOperand(const Json &json)
    {
        if (json.is_null())
            return None{};
        if (json.is_boolean())
            return json.get<bool>();
        if (json.is_number_float())
            return json.get<double>();
        if (json.is_number())
            return m_reader.integer(json);
        if (json.is_array())
            return List{operands(json)};
        if (json.is_string() || json.contains("hex"))
            return String{name(json)};
        return readTagged(json);
    }

    Operand readTagged(const Json &json)
    {
        Operand out;
        bool found = false;
        const auto tag = [&](const char *key, auto read) {
            m_reader.member(json, key, [&](const Json &value) {
                found = true;
                out = Operand(read(value));
            });
        };
        tag("value", [&](const Json &j) {
            const ValueId value{m_reader.index(j, m_isRead.size(), "values")};
            if (!m_reader.failed())
                m_isRead[value.index] = true;
            return value;
        });
        tag("float", [&](const Json &j) { return number(j); });
        tag("complex", [&](const Json &j) { return complexNumber(j); });
        tag("dtype", [&](const Json &j) { return named(j, dtypeFromName, "a dtype"); });
        tag("layout", [&](const Json &j) { return named(j, layoutFromName, "a layout"); });
        tag("memory_format", [&](const Json &j) { return named(j, memoryFormatFromName, "a memory format"); });
        tag("device", [&](const Json &) { return readDevice(json); });
        tag("expr", [&](const Json &j) { return expression(j).value_or(symbolic::Expr::integer(0)); });
        tag("tensor", [&](const Json &j) { return tensor(j); });
        tag("type", [&](const Json &j) { return type(j); });
        tag("function", [&](const Json &j) { return function(j); });
        tag("op", [&](const Json &j) { return op(j); });
        tag("object", [&](const Json &j) { return ObjectId{m_reader.index(j, m_model.objects.size(), "objects")}; });
        tag("tuple", [&](const Json &j) { return List{operands(j), List::Kind::Tuple}; });
        tag("dict", [&](const Json &j) { return Dict{operands(j)}; });
        if (!found)
            m_reader.failWith("found an object with none of the tags of an operand");
        return out;
    }

    OpId op(const Json &json)
    {
        const std::string dialect = m_reader.text(json, "dialect"), opName = m_reader.text(json, "name"),
                          overload = m_reader.text(json, "overload");
        return dialect.empty() && opName.empty() && overload.empty() ? OpId{} : m_context.op(dialect, opName, overload);
    }

    std::vector<Argument> arguments(const Json &object, const char *key)
    {
        std::vector<Argument> out;
        m_reader.items(object, key, [&](const Json &entry) {
            m_reader.pair(entry, [&](const Json &argument, const Json &value) {
                out.push_back({name(argument), operand(value)});
            });
        });
        return out;
    }

    // ---- functions

    void readFunction(const Json &json)
    {
        m_reader.member(json, "values",
                        [&](const Json &list) { m_isRead.assign(list.is_array() ? list.size() : 0, false); });
        Function f{name(json, "name"),
                   word(json, "kind", functionKinds, Function::Kind::Main),
                   Graph(m_model.context),
                   {},
                   {},
                   arguments(json, "attributes"),
                   m_reader.text(json, "documentation")};
        m_reader.items(json, "inputs", [&](const Json &input) {
            FunctionInput in;
            readParameter(input, in, inputKinds);
            m_reader.member(input, "tensor", [&](const Json &id) { in.tensor = tensor(id); });
            m_reader.member(input, "default", [&](const Json &value) { in.defaultValue = operand(value); });
            f.inputs.push_back(std::move(in));
        });
        m_reader.items(json, "outputs", [&](const Json &output) {
            FunctionOutput out;
            readParameter(output, out, outputKinds);
            f.outputs.push_back(std::move(out));
        });
        if (auto built = readGraph(json))
            finishFunction(std::move(f), std::move(*built));
        m_isRead.clear();
    }

    template <class Parameter, class Names>
    void readParameter(const Json &json, Parameter &parameter, const Names &kinds)
    {
        parameter.name = name(json, "name");
        parameter.kind = word(json, "kind", kinds, Parameter::Kind::User);
        m_reader.member(json, "value", [&](const Json &value) { parameter.value = operand(value); });
        parameter.target = name(json, "target");
    }

    void finishFunction(Function function, BuiltGraph built)
    {
        const auto value = [&](ValueId place) { return built.values[place.index]; };
        for (FunctionInput &input : function.inputs)
            replaceIds(input.value, value);
        for (FunctionOutput &output : function.outputs)
            replaceIds(output.value, value);
        for (Argument &attribute : function.attributes)
            replaceIds(attribute.value, value);
        function.graph = std::move(built.graph);
        m_model.functions.push_back(std::move(function));
    }

    std::optional<BuiltGraph> readGraph(const Json &json)
    {
        GraphDraft draft;
        m_reader.member(json, "node_count", [&](const Json &count) { draft.nodeCount = nodeId(count).index; });
        m_reader.items(json, "values", [&](const Json &value) {
            GraphDraft::DraftValue v{name(value, "name"), {}, {}};
            m_reader.member(value, "type", [&](const Json &id) { v.type = type(id); });
            m_reader.member(value, "tensor", [&](const Json &id) { v.weight = tensor(id); });
            draft.values.push_back(v);
        });
        m_isDefined.assign(draft.values.size(), false);
        m_reader.member(json, "body", [&](const Json &body) { draft.body = readRegion(body); });
        for (std::size_t i = 0; i < m_isDefined.size() && !m_reader.failed(); ++i)
            if (m_isRead[i] && !m_isDefined[i])
                m_reader.failWith("function '" + m_reader.text(json, "name") + "' reads the value " + std::to_string(i)
                                  + ", which nothing defines");
        if (m_reader.failed())
            return std::nullopt;
        auto built = buildGraph(m_model.context, std::move(draft));
        if (!built)
            m_reader.failWith(built.error().text());
        return built ? std::optional(std::move(*built)) : std::nullopt;
    }

    std::vector<ValueId> definitions(const Json &object, const char *key)
    {
        return ids<ValueId>(object, key, [&](const Json &json) {
            const std::uint32_t place = m_reader.index(json, m_isDefined.size(), "values");
            if (m_reader.failed())
                return place;
            if (m_isDefined[place])
                m_reader.failWith("value " + std::to_string(place) + " is defined twice");
            m_isDefined[place] = true;
            return place;
        });
    }

    GraphDraft::DraftRegion readRegion(const Json &json)
    {
        GraphDraft::DraftRegion region;
        if (++m_depth > limits::maxNesting)
            m_reader.failWith("regions are nested more than " + std::to_string(limits::maxNesting) + " deep");
        region.name = name(json, "name");
        region.inputs = definitions(json, "inputs");
        region.weights = definitions(json, "weights");
        m_reader.items(json, "nodes", [&](const Json &node) { region.nodes.push_back(readNode(node)); });
        m_reader.member(json, "outputs", [&](const Json &outputs) { region.outputs = operands(outputs); });
        --m_depth;
        return region;
    }

    GraphDraft::DraftNode readNode(const Json &json)
    {
        GraphDraft::DraftNode node;
        m_reader.member(json, "id", [&](const Json &id) { node.id = nodeId(id); });
        m_reader.member(json, "op", [&](const Json &opJson) { node.node.op = op(opJson); });
        node.node.name = name(json, "name");
        if (!m_reader.failed()) {
            node.node.scope = m_scopes[m_reader.index(json, "scope", m_scopes.size(), "scopes")];
            node.node.location = m_locations[m_reader.index(json, "location", m_locations.size(), "locations")];
        }
        node.node.arguments = arguments(json, "arguments");
        node.outputs = definitions(json, "outputs");
        m_reader.items(json, "regions", [&](const Json &region) { node.regions.push_back(readRegion(region)); });
        m_reader.items(json, "origins", [&](const Json &origin) { node.node.origins.push_back(nodeId(origin)); });
        m_reader.items(json, "metadata", [&](const Json &entry) {
            m_reader.pair(entry, [&](const Json &key, const Json &value) {
                node.node.metadata.emplace_back(name(key), name(value));
            });
        });
        return node;
    }

    JsonReader m_reader;
    Model m_model;
    Context &m_context = *m_model.context;
    std::vector<TypeId> m_types; ///< by the index in the document, like the members below
    std::vector<ScopeId> m_scopes;
    std::vector<LocationId> m_locations;
    std::vector<Module> m_modules;
    std::size_t m_tensorCount = 0;
    std::size_t m_functionCount = 0;
    std::vector<bool> m_isRead; ///< by value of the current function, like the members below
    std::vector<bool> m_isDefined;
    int m_depth = 0;
};

} // namespace

namespace {

Result<Model> parse(std::string_view text, Model start)
{
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded())
        return unreadable("the text is not a JSON document");
    return JsonParser(std::move(start)).run(document);
}

} // namespace

Result<Model> parseJson(std::string_view text) { return parse(text, {}); }

Result<Model> parseJsonState(std::string_view text, std::shared_ptr<Context> context)
{
    Model start;
    start.context = std::move(context);
    return parse(text, std::move(start));
}

} // namespace cutaway::ir
