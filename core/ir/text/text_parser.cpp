// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The textual form of a model. Every item is optional; items may come in any order as long as tensors, objects and
// scopes are declared before their use. Line ends mean nothing. `//` begins a comment.
//
//   model := { item }
//   item  := "model" TEXT | "path" TEXT | "format" TEXT [TEXT] | "producer" TEXT [TEXT] | "documentation" TEXT
//          | "opset" TEXT INT | "metadata" TEXT TEXT | "symbol" NAME ["[" bound "," bound "]"] ["hint" INT]
//          | "file" TEXT
//          | "storage" [INT ":"] INT "bytes" (range | "data" TEXT | "strings" "[" TEXT,* "]" | "missing" TEXT)
//          | "tensor" tensor ":" DTYPE "[" INT,* "]" {"parameter" | "buffer" | "constant" | "packed" | "in" "storage"
//          INT
//                | "offset" INT | "strides" "[" INT,* "]" | "grad" | "transient" | "layout" NAME
//                | "parts" "(" tensor,* ")"}
//          | "module" INT ["in" INT] TEXT {"as" TEXT | "class" TEXT | "tensors" "(" tensor,* ")"
//                | "attributes" "(" (NAME ":" type "=" operand),* ")"}
//          | "object" object {"class" TEXT | "member" TEXT} | "attachment" TEXT {"text" TEXT | range}
//          | "diagnostic" ("info" | "warning" | "error") TEXT TEXT ["about" function] ["#"INT]
//          | "scope" scope {"top" | "in" scope | "name" TEXT | "class" TEXT | "call" INT}
//          | "location" "!" INT place {"in" TEXT | "text" TEXT | "from" "!" INT}
//          | function
//   range := "in" "file" INT "at" INT "length" INT ["big_endian" | "varints"]           bound := INT | "*"
//
//   function  := ("graph" | "method" | "function") "@"label "(" input,* ")" ["->" "(" output,* ")"]
//                ["attributes" arguments] ["doc" TEXT] ["next" "#"INT] "{" region "}"
//   input     := [kind] (definition | "weight" definition | "ref" operand) ["named" TEXT] ["=" tensor]
//              ["default" operand] ["target" TEXT]
//              | "unlisted" definition                   an input of the graph that its signature leaves out
//   output    := [kind] operand ["named" TEXT] ["target" TEXT]
//   region    := {"weight" definition "=" tensor} {node} ["return" output,*]      kinds only in a function's return
//   node      := ["#"INT] [definition,+ "="] operator arguments
//                {"name" TEXT | "in" scope | "at" (place | "!"INT) | "from" ("#"INT),+
//                | "meta" "{" (TEXT "=" TEXT),* "}"}
//                {"region" [TEXT] ["(" definition,* ")"] "{" region "}"}
//   operator  := dialect "::" name ["." overload]               parts that are no words are quoted: "a b"::add.Tensor
//   arguments := "(" ([NAME "="] operand),* ")"
//   operand   := value | INT | FLOAT | "true" | "false" | "none" | "complex" "(" FLOAT "," FLOAT ")" | TEXT | DTYPE
//              | LAYOUT | MEMORYFORMAT | "device" "(" TEXT ")" | "$" (NAME | "(" expression ")") | tensor
//              | "type" "(" type ")" | "graph" function | "op" "(" operator ")" | "object" object
//              | "[" operand,* "]" | "(" operand,* ")" | "{" (operand ":" operand),* "}"       list, tuple, dict
//
//   definition := value [":" type]     type: see type_printer.cpp       expression: see symbolic/expr.h
//   value := "%"label     tensor, function, object := "@"label     scope := label    place := TEXT [":" INT]
//   label := NAME ["#"INT] | "#"INT    the second thing of a name is NAME#1; the first one without a name is #0;
//                                      a label's "#" follows its name without a space
//   NAME  := letters, digits, `_`, `.` and `/`, or a TEXT        TEXT := "…" with \n \t \\ \" \xNN
//
// Defaults: a node has the id of the previous node plus 1 and the name of its first output; unused ids count as
// removed. A function returns what its graph returns. A tensor without a storage gets one without bytes. An undeclared
// scope is made from its path.

#include "core/ir/text/text.h"

#include "core/base/text.h"
#include "core/ir/text/function_parser.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"
#include "core/ir/text/type_parser.h"

#include <algorithm>
#include <cstring>

namespace cutaway::ir {

namespace {

class ModelParser {
public:
    ModelParser(std::string_view text, std::shared_ptr<Context> context)
        : m_model(modelIn(std::move(context))),
          m_lexer(text),
          m_context(*m_model.context),
          m_tables(m_lexer, m_context),
          m_operands(m_lexer, m_context, m_tables.labels)
    {
    }

    Result<Model> run()
    {
        while (!m_lexer.atEnd())
            takeItem();
        finish();
        if (m_lexer.error())
            return std::unexpected(*m_lexer.error());
        return std::move(m_model);
    }

private:
    static Model modelIn(std::shared_ptr<Context> context)
    {
        Model model;
        model.context = std::move(context);
        return model;
    }

    // ---- pieces

    NameId takeTextName() { return m_context.name(m_lexer.takeText()); }

    template <class Kind, class Names>
    Kind takeWordOf(const Names &names, std::string_view wanted)
    {
        const auto kind = kindNamed<Kind>(names, m_lexer.peekWord());
        if (kind)
            m_lexer.acceptWord(m_lexer.peekWord());
        else
            m_lexer.fail(wanted);
        return kind.value_or(Kind{});
    }

    template <class Take>
    auto takeList(std::string_view open, std::string_view close, Take take)
    {
        std::vector<decltype(take())> items;
        m_lexer.expect(open);
        while (!m_lexer.failed() && !m_lexer.accept(close)) {
            items.push_back(take());
            if (!m_lexer.startsWith(close))
                m_lexer.expect(",");
        }
        return items;
    }

    std::vector<std::int64_t> takeIntegers()
    {
        return takeList("[", "]", [&] { return m_lexer.takeInteger<std::int64_t>(); });
    }

    std::vector<TensorId> takeTensors()
    {
        return takeList("(", ")", [&] { return m_operands.takeTensor(); });
    }

    // ---- items

    void takeItem()
    {
        struct Item {
            std::string_view word;
            void (ModelParser::*take)();
        };
        static constexpr Item items[] = {
            {"symbol", &ModelParser::takeSymbol},         {"storage", &ModelParser::takeStorage},
            {"tensor", &ModelParser::takeTensor},         {"module", &ModelParser::takeModule},
            {"object", &ModelParser::takeObject},         {"attachment", &ModelParser::takeAttachment},
            {"scope", &ModelParser::takeScope},           {"location", &ModelParser::takeLocation},
            {"diagnostic", &ModelParser::takeDiagnostic},
        };
        const std::string word(m_lexer.peekWord());
        const auto item = std::ranges::find(items, word, &Item::word);
        const auto function = kindNamed<Function::Kind>(functionKinds, word);
        if (item != std::end(items)) {
            m_lexer.acceptWord(word);
            (this->*item->take)();
        } else if (function) {
            m_lexer.acceptWord(word);
            m_functions.push_back(
                parseFunction(m_lexer, m_context, m_tables, *function, static_cast<std::uint32_t>(m_functions.size())));
        } else {
            takeHead();
        }
    }

    void takeHead()
    {
        if (m_lexer.acceptWord("model")) {
            m_model.name = m_lexer.takeText();
        } else if (m_lexer.acceptWord("path")) {
            m_model.path = m_lexer.takeText();
        } else if (m_lexer.acceptWord("documentation")) {
            m_model.documentation = m_lexer.takeText();
        } else if (m_lexer.acceptWord("format")) {
            m_model.format = m_lexer.takeText();
            m_model.formatVersion = m_lexer.peek() == '"' ? m_lexer.takeText() : "";
        } else if (m_lexer.acceptWord("producer")) {
            m_model.producer = m_lexer.takeText();
            m_model.producerVersion = m_lexer.peek() == '"' ? m_lexer.takeText() : "";
        } else if (m_lexer.acceptWord("opset")) {
            std::string domain = m_lexer.takeText();
            m_model.opsets.emplace_back(std::move(domain), m_lexer.takeInteger<std::int64_t>());
        } else if (m_lexer.acceptWord("metadata")) {
            std::string key = m_lexer.takeText();
            m_model.metadata.emplace_back(std::move(key), m_lexer.takeText());
        } else if (m_lexer.acceptWord("file")) {
            m_model.files.push_back({m_lexer.takeText(), nullptr});
        } else {
            m_lexer.fail("an item of a model ('graph', 'tensor', 'symbol', …)");
        }
    }

    std::optional<std::int64_t> takeBound()
    {
        return m_lexer.accept("*") ? std::nullopt : std::optional(m_lexer.takeInteger<std::int64_t>());
    }

    void takeSymbol()
    {
        Symbol symbol;
        symbol.name = m_lexer.takeName();
        if (m_lexer.accept("[")) {
            symbol.min = takeBound();
            m_lexer.expect(",");
            symbol.max = takeBound();
            m_lexer.expect("]");
        }
        if (m_lexer.acceptWord("hint"))
            symbol.hint = m_lexer.takeInteger<std::int64_t>();
        m_model.symbols.push_back(std::move(symbol));
    }

    /// Parses a range after its "in".
    FileRange takeRange()
    {
        FileRange range;
        const auto take = [&](std::string_view word) {
            m_lexer.expect(word);
            return m_lexer.takeInteger<std::uint64_t>();
        };
        m_lexer.expect("file");
        range.file = {m_lexer.takeInteger<std::uint32_t>()};
        range.offset = take("at");
        range.length = take("length");
        if (const auto encoding = kindNamed<FileRange::Encoding>(encodings, m_lexer.peekWord())) {
            m_lexer.acceptWord(m_lexer.peekWord());
            range.encoding = *encoding;
        }
        return range;
    }

    void takeStorage()
    {
        Storage storage;
        const std::size_t start = m_lexer.position();
        storage.byteLength = m_lexer.takeInteger<std::uint64_t>();
        if (m_lexer.accept(":")) {
            if (storage.byteLength != m_model.storages.size())
                m_lexer.failWith("storages are numbered 0, 1, 2, … in their order", start);
            storage.byteLength = m_lexer.takeInteger<std::uint64_t>();
        }
        m_lexer.expect("bytes");
        if (m_lexer.acceptWord("in"))
            storage.data = takeRange();
        else if (m_lexer.acceptWord("data"))
            storage.data = bytesOf(m_lexer.takeText());
        else if (m_lexer.acceptWord("strings"))
            storage.data = InlineStrings{takeList("[", "]", [&] { return m_lexer.takeText(); })};
        else if (m_lexer.acceptWord("missing"))
            storage.data = NoBytes{m_lexer.takeText()};
        else
            m_lexer.fail("'in file', 'data', 'strings' or 'missing'");
        m_model.storages.push_back(std::move(storage));
    }

    static InlineBytes bytesOf(const std::string &text)
    {
        std::vector<std::byte> bytes(text.size());
        if (!text.empty())
            std::memcpy(bytes.data(), text.data(), text.size());
        return {std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
    }

    void takeTensor()
    {
        Tensor tensor;
        const std::size_t start = m_lexer.position();
        const TensorId slot = m_operands.takeTensor();
        if (m_lexer.failed())
            return;
        LabelTable &labels = m_tables.labels.tensors;
        if (!labels.define(slot.index, static_cast<std::uint32_t>(m_model.tensors.size())))
            m_lexer.failWith("a tensor of this label is there already", start);
        tensor.name = labels.entries()[slot.index].name;
        m_lexer.expect(":");
        const auto dtype = dtypeFromName(m_lexer.peekWord());
        if (!dtype)
            m_lexer.fail("a dtype");
        tensor.dtype = dtype.value_or(DType::Float32);
        m_lexer.acceptWord(m_lexer.peekWord());
        tensor.shape = takeIntegers();
        bool hasStorage = false;
        while (!m_lexer.failed() && takeTensorClause(tensor, hasStorage))
            ;
        if (!hasStorage)
            m_withoutStorage.push_back({static_cast<std::uint32_t>(m_model.tensors.size())});
        m_model.tensors.push_back(std::move(tensor));
    }

    bool takeTensorClause(Tensor &tensor, bool &hasStorage)
    {
        if (const auto kind = kindNamed<Tensor::Kind>(tensorKinds, m_lexer.peekWord())) {
            m_lexer.acceptWord(m_lexer.peekWord());
            tensor.kind = *kind;
        } else if (m_lexer.acceptWord("in")) {
            m_lexer.expect("storage");
            tensor.storage = {m_lexer.takeInteger<std::uint32_t>()};
            hasStorage = true;
        } else if (m_lexer.acceptWord("offset")) {
            tensor.offset = m_lexer.takeInteger<std::int64_t>();
        } else if (m_lexer.acceptWord("strides")) {
            tensor.strides = takeIntegers();
        } else if (m_lexer.acceptWord("grad")) {
            tensor.requiresGrad = true;
        } else if (m_lexer.acceptWord("transient")) {
            tensor.persistent = false;
        } else if (m_lexer.acceptWord("layout")) {
            const auto layout = layoutFromName(m_lexer.takeName());
            if (!layout)
                m_lexer.fail("a layout's name");
            tensor.layout = layout.value_or(Layout::Strided);
        } else if (m_lexer.acceptWord("parts")) {
            tensor.parts = takeTensors();
        } else {
            return false;
        }
        return true;
    }

    void takeModule()
    {
        const std::size_t start = m_lexer.position();
        const auto index = m_lexer.takeInteger<std::uint32_t>();
        if (index != 0 && index != m_model.modules.size())
            m_lexer.failWith("modules are numbered 1, 2, 3, … in their order; 0 is the root", start);
        Module module;
        if (m_lexer.acceptWord("in"))
            module.parent = {m_lexer.takeInteger<std::uint32_t>()};
        module.name = takeTextName();
        module.path = module.name;
        while (!m_lexer.failed() && takeModuleClause(module))
            ;
        if (m_lexer.failed())
            return;
        if (index != 0)
            m_model.modules.push_back(std::move(module));
        else
            m_model.modules.edit(0) = std::move(module);
    }

    bool takeModuleClause(Module &module)
    {
        if (m_lexer.acceptWord("as"))
            module.path = takeTextName();
        else if (m_lexer.acceptWord("class"))
            module.className = takeTextName();
        else if (m_lexer.acceptWord("tensors"))
            module.tensors = takeTensors();
        else if (m_lexer.acceptWord("attributes"))
            module.attributes = takeList("(", ")", [&] { return takeModuleAttribute(); });
        else
            return false;
        return true;
    }

    ModuleAttribute takeModuleAttribute()
    {
        ModuleAttribute attribute;
        attribute.name = m_context.name(m_lexer.takeName());
        m_lexer.expect(":");
        attribute.type = parseType(m_lexer, m_context);
        m_lexer.expect("=");
        attribute.value = m_operands.take();
        return attribute;
    }

    void takeObject()
    {
        const std::size_t start = m_lexer.position();
        const ObjectId slot = m_operands.takeObject();
        if (m_lexer.failed())
            return;
        LabelTable &labels = m_tables.labels.objects;
        if (!labels.define(slot.index, static_cast<std::uint32_t>(m_model.objects.size())))
            m_lexer.failWith("an object of this label is there already", start);
        Object object{labels.entries()[slot.index].name, {}, {}};
        if (m_lexer.acceptWord("class"))
            object.className = takeTextName();
        if (m_lexer.acceptWord("member"))
            object.member = m_lexer.takeText();
        m_model.objects.push_back(std::move(object));
    }

    void takeAttachment()
    {
        Attachment attachment{m_lexer.takeText(), {}, {}};
        if (m_lexer.acceptWord("text"))
            attachment.text = m_lexer.takeText();
        if (m_lexer.acceptWord("in"))
            attachment.range = takeRange();
        m_model.attachments.push_back(std::move(attachment));
    }

    void takeDiagnostic()
    {
        Diagnostic diagnostic;
        diagnostic.severity = takeWordOf<Severity>(severities, "'info', 'warning' or 'error'");
        diagnostic.code = m_lexer.takeText();
        diagnostic.message = m_lexer.takeText();
        if (m_lexer.acceptWord("about"))
            diagnostic.function = m_operands.takeFunction();
        if (m_lexer.accept("#"))
            diagnostic.node = NodeId{m_lexer.takeInteger<std::uint32_t>()};
        m_model.diagnostics.push_back(std::move(diagnostic));
    }

    void takeScope()
    {
        const std::size_t start = m_lexer.position();
        const ScopeTable::Label label = m_tables.scopes.takeLabel();
        Scope scope;
        std::optional<ScopeId> parent;
        std::optional<NameId> name;
        while (!m_lexer.failed()) {
            if (m_lexer.acceptWord("top"))
                parent = ScopeId{};
            else if (m_lexer.acceptWord("in"))
                parent = m_tables.scopes.at(m_tables.scopes.takeLabel());
            else if (m_lexer.acceptWord("name"))
                name = takeTextName();
            else if (m_lexer.acceptWord("class"))
                scope.className = takeTextName();
            else if (m_lexer.acceptWord("call"))
                scope.call = m_lexer.takeInteger<std::uint32_t>();
            else
                break;
        }
        scope.path = m_context.name(label.path);
        scope.parent = parent ? *parent : m_tables.scopes.parentOf(label.path);
        scope.name = name ? *name : m_context.name(label.path.substr(label.path.rfind('.') + 1));
        if (!m_lexer.failed() && !m_tables.scopes.declare(label, m_context.scope(scope)))
            m_lexer.failWith("this scope is declared or used before", start);
    }

    void takeLocation()
    {
        const std::size_t start = m_lexer.position();
        m_lexer.expect("!");
        const auto number = m_lexer.takeInteger<std::uint64_t>();
        Location location = parsePlace(m_lexer, m_context);
        std::optional<std::uint64_t> caller;
        if (m_lexer.acceptWord("in"))
            location.function = takeTextName();
        if (m_lexer.acceptWord("text"))
            location.text = takeTextName();
        if (m_lexer.acceptWord("from")) {
            m_lexer.expect("!");
            caller = m_lexer.takeInteger<std::uint64_t>();
        }
        if (!m_lexer.failed() && !m_tables.locations.describe(number, location, caller, start))
            m_lexer.failWith("this location is described already", start);
    }

    // ---- after parsing: slots become ids

    void finish()
    {
        checkDefined(m_tables.labels.tensors, "tensor");
        checkDefined(m_tables.labels.functions, "function");
        checkDefined(m_tables.labels.objects, "object");
        const std::vector<LocationId> locations =
            m_lexer.failed() ? std::vector<LocationId>() : m_tables.locations.resolve(m_lexer, m_context);
        if (m_lexer.failed())
            return;
        for (const TensorId tensor : m_withoutStorage)
            addStorage(m_model.tensors.edit(tensor.index));
        for (std::uint32_t i = 0; i < m_model.tensors.size(); ++i)
            if (!m_model.tensors[i].parts.empty()) {
                auto &parts = m_model.tensors.edit(i).parts;
                std::ranges::transform(parts, parts.begin(), m_resolve);
            }
        for (Diagnostic &diagnostic : m_model.diagnostics)
            if (diagnostic.function)
                diagnostic.function = m_resolve(*diagnostic.function);
        finishModules();
        for (FunctionDraft &draft : m_functions)
            finishFunction(draft, locations);
    }

    void checkDefined(const LabelTable &labels, std::string_view what)
    {
        for (const auto &entry : labels.entries())
            if (!entry.target && !m_lexer.failed())
                m_lexer.failWith("unknown " + std::string(what) + " '" + sanitized(m_context.text(entry.name)) + "'",
                                 entry.position);
    }

    void addStorage(Tensor &tensor)
    {
        tensor.storage = {static_cast<std::uint32_t>(m_model.storages.size())};
        const auto bytes = byteSize(tensor);
        m_model.storages.push_back({NoBytes{"not given"}, static_cast<std::uint64_t>(bytes.value_or(0))});
    }

    void finishModules()
    {
        for (std::uint32_t i = 0; i < m_model.modules.size(); ++i) {
            Module &module = m_model.modules.edit(i);
            std::ranges::transform(module.tensors, module.tensors.begin(), m_resolve);
            for (ModuleAttribute &attribute : module.attributes)
                replaceIds(attribute.value, m_resolve);
            if (module.parent.index < m_model.modules.size() && i != 0)
                m_model.modules.edit(module.parent.index).children.push_back({i});
        }
    }

    void resolveRegion(GraphDraft::DraftRegion &region, const std::vector<LocationId> &locations)
    {
        for (GraphDraft::DraftNode &node : region.nodes) {
            node.node.location = locations[node.node.location.index];
            for (Argument &argument : node.node.arguments)
                replaceIds(argument.value, m_resolve);
            for (GraphDraft::DraftRegion &inner : node.regions)
                resolveRegion(inner, locations);
        }
        for (Operand &output : region.outputs)
            replaceIds(output, m_resolve);
    }

    void finishFunction(FunctionDraft &draft, const std::vector<LocationId> &locations)
    {
        resolveRegion(draft.graph.body, locations);
        for (auto &value : draft.graph.values)
            if (value.weight)
                value.weight = m_resolve(*value.weight);
        auto built = buildGraph(m_model.context, std::move(draft.graph));
        if (!built)
            return m_lexer.failWith(built.error().message + " in function " + sanitized(m_context.text(draft.name)), 0);
        const auto value = [&](ValueId slot) { return built->values[slot.index]; };
        for (FunctionInput &input : draft.inputs) {
            replaceIds(input.value, m_resolve);
            replaceIds(input.value, value);
            if (input.tensor)
                input.tensor = m_resolve(*input.tensor);
            if (input.defaultValue)
                replaceIds(*input.defaultValue, m_resolve);
        }
        for (FunctionOutput &output : draft.outputs) {
            replaceIds(output.value, m_resolve);
            replaceIds(output.value, value);
        }
        for (Argument &attribute : draft.attributes) {
            replaceIds(attribute.value, m_resolve);
            replaceIds(attribute.value, value);
        }
        m_model.functions.push_back({draft.name, draft.kind, std::move(built->graph), std::move(draft.inputs),
                                     std::move(draft.outputs), std::move(draft.attributes),
                                     std::move(draft.documentation)});
    }

    /// Returns the id for a slot.
    struct Resolve {
        const ModelLabels &labels;
        TensorId operator()(TensorId slot) const { return {labels.tensors.targetOf(slot.index)}; }
        FunctionId operator()(FunctionId slot) const { return {labels.functions.targetOf(slot.index)}; }
        ObjectId operator()(ObjectId slot) const { return {labels.objects.targetOf(slot.index)}; }
    };

    Model m_model;
    TextLexer m_lexer;
    Context &m_context;
    TextTables m_tables;
    OperandParser m_operands;
    Resolve m_resolve{m_tables.labels};
    std::vector<FunctionDraft> m_functions;
    std::vector<TensorId> m_withoutStorage;
};

} // namespace

Result<Model> parseText(std::string_view text) { return parseText(text, std::make_shared<Context>()); }

Result<Model> parseText(std::string_view text, std::shared_ptr<Context> context)
{
    return ModelParser(text, std::move(context)).run();
}

} // namespace cutaway::ir
