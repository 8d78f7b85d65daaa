// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch_graph.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/facts/constant_operand.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace cutaway::print {

namespace {

using Kind = ops::SchemaType::Kind;

/// Prints types as torch does in a graph: "Dict(str, Tensor)", "(int, Tensor?)", "int[]", "Future[Tensor]".
struct GraphType {
    const ir::Context &context;

    std::string of(ir::TypeId type) const { return std::visit(*this, context.at(type)); }

    std::string operator()(const ir::UnknownType &) const { return "Any"; }
    std::string operator()(const ir::TensorType &) const { return "Tensor"; }
    std::string operator()(const ir::NumberType &type) const
    {
        static constexpr std::array names{"int", "float", "bool", "complex", "Scalar"};
        return names[static_cast<std::size_t>(type.kind)];
    }
    std::string operator()(const ir::PlainType &type) const
    {
        static constexpr std::array names{"Any", "NoneType",  "str",    "Device",  "int",
                                          "int", "Generator", "Stream", "Capsule", "Any"};
        return names[static_cast<std::size_t>(type.kind)];
    }
    std::string operator()(const ir::ClassType &type) const { return sanitized(context.text(type.name)); }
    std::string operator()(const ir::CompoundType &type) const
    {
        using enum ir::CompoundType::Kind;
        if (type.name != ir::NameId{})
            return sanitized(context.text(type.name));
        std::vector<std::string> parts;
        for (const ir::TypeId element : type.elements)
            parts.push_back(of(element));
        if (type.kind == List || type.kind == Optional)
            return joined(parts, ", ") + (type.kind == List ? "[]" : "?");
        static constexpr std::array names{"", "", "Dict", "", "Union", "Future", "Await", "RRef"};
        const std::string name = names[static_cast<std::size_t>(type.kind)];
        const bool isRound = type.kind == Dict || type.kind == Tuple;
        return name + (isRound ? "(" : "[") + joined(parts, ", ") + (isRound ? ")" : "]");
    }
};

/// Prints like a C++ stream with all digits, and with a decimal point.
std::string number(double x)
{
    std::string digits = formatted("{:.17g}", x);
    const bool isWhole = digits.find_first_not_of("-0123456789") == digits.npos;
    return digits + (isWhole ? "." : "");
}

/// Returns the last part of a dotted name: "forward" for "__torch__.Net.forward".
std::string lastWord(const std::string &name)
{
    const std::size_t dot = name.rfind('.');
    return dot == name.npos ? name : name.substr(dot + 1);
}

class TorchGraph {
public:
    TorchGraph(const ir::Model &model, const ir::Function &function)
        : m_model(model),
          m_function(function),
          m_graph(function.graph),
          m_types{*model.context},
          m_signatures(*model.context),
          m_next(m_graph.valueCount())
    {
        nameValues();
    }

    std::string print()
    {
        std::vector<std::string> inputs;
        std::vector<ir::Operand> outputs;
        addWeights(inputs);
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                inputs.push_back(declared(*value));
        for (const ir::FunctionOutput &output : m_function.outputs)
            outputs.push_back(output.value);
        return graph(joined(inputs, ",\n      "), ir::Graph::body, outputs);
    }

private:
    /// The text of one graph.
    struct Page {
        /// The text of constants, of other nodes, and of the graphs of forks, which are printed below.
        std::string constants, lines, subgraphs;
        std::unordered_map<std::string, std::string> known; ///< by printed expression: the constant's name
        std::size_t depth = 1;
    };

    std::string text(ir::NameId id) const { return sanitized(m_graph.context().text(id)); }
    std::string fresh() { return "%" + std::to_string(m_next++); }
    void line(const std::string &text) { (m_page.lines += std::string(2 * m_page.depth, ' ')) += text + "\n"; }

    /// Prints a graph of these inputs with the nodes of a region.
    std::string graph(const std::string &inputs, ir::RegionId region, std::span<const ir::Operand> outputs)
    {
        addNodes(region);
        line("return (" + values(outputs) + ")");
        return "graph(" + inputs + "):\n" + m_page.constants + m_page.lines + m_page.subgraphs;
    }

    // ---- values

    /// Makes names that torch's parser accepts; repeated names are numbered like torch's.
    void nameValues()
    {
        std::unordered_map<std::string, int> used;
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            std::string name(m_graph.context().text(m_graph.at(ir::ValueId{i}).name));
            std::ranges::replace_if(
                name, [](unsigned char c) { return c != '_' && !std::isalnum(c) && c != '.'; }, '_');
            const bool isWord = !name.empty() && (name[0] == '_' || std::isalpha(static_cast<unsigned char>(name[0])));
            name = "%" + (isWord ? name : std::to_string(i));
            const int before = used[name]++;
            m_names.push_back(before == 0 ? name : name + "." + std::to_string(before));
        }
    }

    const std::string &name(ir::ValueId id) const { return m_names[id.index]; }
    std::string typeOf(ir::ValueId id) const { return m_types.of(m_graph.at(id).type); }
    std::string declared(ir::ValueId id) const { return name(id) + " : " + typeOf(id); }

    std::string declared(const auto &values) const
    {
        std::vector<std::string> list;
        for (const ir::ValueId id : values)
            list.push_back(declared(id));
        return joined(list, ", ");
    }

    // ---- weights

    /// Adds nodes that fetch weights from the module, and the module as the first input, if a main function refers to
    /// weights directly.
    void addWeights(std::vector<std::string> &inputs)
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const auto tensor = ir::ValueRef(m_graph, ir::ValueId{i}).weight();
            if (!tensor)
                continue;
            const std::string tensorName = text(m_model.at(*tensor).name);
            if (tensorName.starts_with("CONSTANTS.")) { // a constant of the code belongs to no module
                line(declared(ir::ValueId{i}) + " = prim::Constant[value=<Tensor>]()");
                continue;
            }
            if (inputs.empty())
                inputs.push_back("%self : " + className(m_model.at(ir::ModuleId{0})));
            fetch(*tensor, name(ir::ValueId{i}));
        }
    }

    std::string className(const ir::Module &module) const
    {
        const std::string name = text(module.className);
        return name.starts_with("__torch__.") ? name : "__torch__." + name;
    }

    /// Adds a node that fetches a tensor from the module that has it as an attribute.
    void fetch(ir::TensorId tensor, const std::string &result)
    {
        const std::string full(m_graph.context().text(m_model.at(tensor).name));
        const std::size_t dot = full.rfind('.');
        const std::string path = dot == full.npos ? "" : full.substr(0, dot);
        const auto owner = std::ranges::find_if(
            m_model.modules, [&](const ir::Module &module) { return m_graph.context().text(module.path) == path; });
        const std::string object = owner == m_model.modules.end() ? "%self" : fetched(*owner);
        const std::string attribute = owner == m_model.modules.end() ? full : full.substr(path.empty() ? 0 : dot + 1);
        line(result + " : Tensor = prim::GetAttr[name=" + quote(attribute) + "](" + object + ")");
    }

    /// Returns the value of a submodule, which is fetched once.
    std::string fetched(const ir::Module &module)
    {
        if (m_graph.context().text(module.path).empty())
            return "%self";
        const auto [known, isNew] = m_modules.try_emplace(module.path);
        if (isNew) {
            const std::string parent = fetched(m_model.at(module.parent));
            const std::string made = fresh();
            line(made + " : " + className(module) + " = prim::GetAttr[name=" + quote(text(module.name)) + "](" + parent
                 + ")");
            m_modules[module.path] = made;
        }
        return m_modules[module.path];
    }

    // ---- operands

    /// Returns the value of a constant. Constants are printed before everything else, each once.
    std::string constant(const std::string &type, const std::string &attribute)
    {
        const std::string made = type + " = prim::Constant" + attribute + "()";
        const auto [known, isNew] = m_page.known.try_emplace(made);
        if (isNew) {
            known->second = fresh();
            m_page.constants += "  " + known->second + " : " + made + "\n";
        }
        return known->second;
    }
    std::string constantOf(const std::string &type, const std::string &value)
    {
        return constant(type, "[value=" + value + "]");
    }

    struct Written {
        std::string name;
        std::string type;
    };

    /// Returns a type without its "?", its list size and its alias: "int[]" for "int[2]?", "Tensor" for "Tensor(a!)".
    static ops::SchemaType listOf(ops::SchemaType type)
    {
        while (type.kind == Kind::Optional)
            type = ops::SchemaType(type.elements.front());
        type.listSize.reset();
        type.alias.reset();
        return type;
    }
    static ops::SchemaType itemOf(const ops::SchemaType &type)
    {
        const ops::SchemaType list = listOf(type);
        return list.kind == Kind::List ? list.elements.front() : ops::SchemaType{};
    }

    /// Returns the word for a type in a graph. TorchScript has no symbolic numbers: sizes are int there.
    static std::string wordFor(const ops::SchemaType &type)
    {
        if (type.kind == Kind::List && !type.elements.empty())
            return wordFor(type.elements.front()) + "[]";
        return type.kind == Kind::Plain && type.name == "SymInt" ? "int" : ops::print(type);
    }

    /// Prints a node for a list before its reader.
    Written list(const ir::List &list, const ops::SchemaType &wanted)
    {
        const bool isTuple = list.kind == ir::List::Kind::Tuple;
        const ops::SchemaType item = itemOf(wanted);
        std::vector<std::string> names;
        std::vector<std::string> types;
        for (const ir::Operand &operand : list.items) {
            const Written each = written(operand, item);
            names.push_back(each.name);
            types.push_back(each.type);
        }
        if (isTuple)
            return node("(" + joined(types, ", ") + ")", "prim::TupleConstruct", names);
        const bool hasType = item.kind == Kind::Plain || item.kind == Kind::Optional;
        const std::string type = hasType ? wordFor(item) : types.empty() ? "Tensor" : types.front();
        return node(type + "[]", "prim::ListConstruct", names);
    }

    Written dictionary(const ir::Dict &dict)
    {
        std::vector<std::string> names;
        std::array<std::string, 2> types{"str", "Tensor"};
        for (std::size_t i = 0; i < dict.items.size(); ++i) {
            const Written each = written(dict.items[i], {});
            names.push_back(each.name);
            types[i % 2] = each.type;
        }
        return node("Dict(" + types[0] + ", " + types[1] + ")", "prim::DictConstruct", names);
    }

    Written node(const std::string &type, const std::string &call, const std::vector<std::string> &arguments)
    {
        const std::string made = fresh();
        line(made + " : " + type + " = " + call + "(" + joined(arguments, ", ") + ")");
        return {made, type};
    }

    Written written(const ir::Operand &operand, const ops::SchemaType &wanted)
    {
        if (const auto *list = operand.as<ir::List>())
            return this->list(*list, wanted);
        if (const auto *dict = operand.as<ir::Dict>())
            return dictionary(*dict);
        if (const auto *id = operand.as<ir::ValueId>())
            return {name(*id), typeOf(*id)};
        if (const auto *function = operand.as<ir::FunctionId>())
            return {constant("Function", "[name=" + quote(lastWord(text(m_model.at(*function).name))) + "]"),
                    "Function"};
        if (const auto *tensor = operand.as<ir::TensorId>())
            return {weight(*tensor), "Tensor"};
        return plain(operand);
    }

    Written plain(const ir::Operand &operand)
    {
        const auto of = [this](const std::string &type, const std::string &text) {
            return Written{constantOf(type, text), type};
        };
        const auto numbered = [&](auto x) {
            return of("int", std::to_string(ir::numberOf(x, ir::Numbering::C10).value_or(-1)));
        };
        return std::visit(
            Overloaded{[&](bool x) { return of("bool", x ? "1" : "0"); },
                       [&](std::int64_t x) { return of("int", std::to_string(x)); },
                       [&](double x) { return of("float", number(x)); },
                       [&](std::complex<double> x) {
                           return of("complex",
                                     number(x.real()) + (std::signbit(x.imag()) ? "" : "+") + number(x.imag()) + "j");
                       },
                       [&](const ir::String &x) { return of("str", quote(text(x.text))); },
                       [&](ir::DType x) { return numbered(x); }, [&](ir::Layout x) { return numbered(x); },
                       [&](ir::MemoryFormat x) { return numbered(x); },
                       [&](const ir::Device &x) {
                           return of("Device", quote(text(x.kind) + (x.index ? ":" + std::to_string(*x.index) : "")));
                       },
                       [&](ir::ObjectId x) { return of(text(m_model.at(x).className), "object"); },
                       [&](const auto &) { return Written{constant("NoneType", ""), "NoneType"}; }},
            operand.v);
    }

    std::string value(const ir::Operand &operand, const ops::SchemaType &wanted)
    {
        return written(operand, wanted).name;
    }

    std::string values(std::span<const ir::Operand> operands)
    {
        std::vector<std::string> all;
        for (const ir::Operand &operand : operands)
            all.push_back(value(operand, {}));
        return joined(all, ", ");
    }

    /// Returns the constant that stands for a tensor of the model for which there is no input.
    std::string weight(ir::TensorId id) { return constantOf("Tensor", "<Tensor " + text(m_model.at(id).name) + ">"); }

    /// Returns the schema's default for an argument that the file leaves out. An integer there may stand for a float.
    Written byDefault(const ops::Fact &fact, const ops::SchemaType &wanted)
    {
        if (const auto *list = fact.as<ops::SequenceFact>()) {
            std::vector<std::string> names;
            for (const ops::Fact &item : list->each())
                names.push_back(byDefault(item, itemOf(wanted)).name);
            return node(wordFor(listOf(wanted)), "prim::ListConstruct", names);
        }
        const ir::Operand operand = ops::constantOperand(m_graph.context(), fact).value_or(ir::Operand());
        const auto *whole = operand.as<std::int64_t>();
        const bool isFloat = wanted.kind == Kind::Plain && wanted.name == "float";
        return plain(whole && isFloat ? ir::Operand(static_cast<double>(*whole)) : operand);
    }

    // ---- nodes

    void addNodes(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
            addNode(node);
    }

    void addNode(const ir::NodeRef &node)
    {
        if (ops::kindOf(node) == ops::kind::fork && node->regions.size() == 1)
            return addFork(node);
        const auto [attributes, arguments] = parts(node);
        addCall(node, nameOf(node) + attributes, arguments);
        ++m_page.depth;
        for (std::size_t i = 0; i < node->regions.size(); ++i)
            addBlock(node->regions[i], i);
        --m_page.depth;
    }

    static std::string nameOf(const ir::NodeRef &node)
    {
        return std::string(node.dialect()) + "::" + std::string(node.opName());
    }

    void addCall(const ir::NodeRef &node, const std::string &call, const std::vector<std::string> &arguments)
    {
        const std::string place = sourceOf(node) ? " # " + sanitized(*sourceOf(node)) : "";
        line(declared(node->outputs) + " = " + call + "(" + joined(arguments, ", ") + ")" + place);
    }

    void addBlock(ir::RegionId id, std::size_t index)
    {
        const ir::Region &region = m_graph.at(id);
        line("block" + std::to_string(index) + "(" + declared(region.inputs) + "):");
        ++m_page.depth;
        addNodes(id);
        line("-> (" + values(region.outputs) + ")");
        --m_page.depth;
    }

    // ---- forks

    /// Adds a fork: its region is a graph of its own below, whose inputs are also the values that it reads from
    /// outside.
    void addFork(const ir::NodeRef &node)
    {
        const ir::RegionId region = node->regions.front();
        const std::string call = nameOf(node) + "_" + std::to_string(m_forks++);
        std::vector<std::string> arguments = parts(node).arguments;
        std::vector<ir::ValueId> inputs = m_graph.at(region).inputs;
        for (const ir::ValueId outside : readFromOutside(region)) {
            arguments.push_back(name(outside));
            inputs.push_back(outside);
        }
        addCall(node, call, arguments);
        const std::string text = subgraph(region, inputs);
        m_page.subgraphs += "with " + call + " = " + text;
    }

    /// Returns the values that a region reads but does not define, in the order in which it reads them.
    std::vector<ir::ValueId> readFromOutside(ir::RegionId region) const
    {
        std::vector<ir::ValueId> outside;
        std::vector<bool> isInside(m_graph.valueCount());
        const auto read = [&](ir::ValueId id) {
            if (!isInside[id.index] && !std::ranges::contains(outside, id))
                outside.push_back(id);
        };
        const auto walk = [&](const auto &self, ir::RegionId id) -> void {
            for (const ir::ValueId input : m_graph.at(id).inputs)
                isInside[input.index] = true;
            for (const ir::NodeRef node : ir::nodesOf(m_graph, id)) {
                for (const ir::Argument &argument : node->arguments)
                    ir::forEachValue(argument.value, read);
                for (const ir::RegionId own : node->regions)
                    self(self, own);
                for (const ir::ValueId output : node->outputs)
                    isInside[output.index] = true;
            }
            for (const ir::Operand &output : m_graph.at(id).outputs)
                ir::forEachValue(output, read);
        };
        walk(walk, region);
        return outside;
    }

    /// Returns the text of a subgraph with its constants.
    std::string subgraph(ir::RegionId region, const std::vector<ir::ValueId> &inputs)
    {
        const Page around = std::exchange(m_page, {});
        std::string text = graph(declared(inputs), region, m_graph.at(region).outputs);
        m_page = around;
        return text;
    }

    struct Parts {
        std::string attributes; ///< the attributes of the node: "[name=\"weight\"]"
        std::vector<std::string> arguments;
    };

    Parts parts(const ir::NodeRef &node)
    {
        if (const ops::Signature *signature = m_signatures.of(node->op))
            return {"", bySchema(node, *signature)};
        Parts made;
        std::vector<std::string> attributes;
        for (const ir::Argument &argument : node->arguments)
            if (const std::optional<std::string> attribute = attributeOf(argument))
                attributes.push_back(*attribute);
            else if (!isCallee(node, argument))
                made.arguments.push_back(value(argument.value, {}));
        std::ranges::sort(attributes);
        made.attributes = attributes.empty() ? "" : "[" + joined(attributes, ", ") + "]";
        return made;
    }

    std::vector<std::string> bySchema(const ir::NodeRef &node, const ops::Signature &signature)
    {
        std::vector<std::string> values;
        const auto &declared = signature.schema.arguments;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const ir::Operand *given = ops::givenArgument(node, &signature, i);
            if (given)
                values.push_back(value(*given, declared[i].type));
            else if (declared[i].defaultValue)
                values.push_back(byDefault(signature.defaults[i], declared[i].type).name);
        }
        for (std::size_t i = declared.size(); signature.schema.moreArguments && i < node.inputCount(); ++i)
            values.push_back(value(*node.input(i), {}));
        return values;
    }

    /// Returns an argument as an attribute of the node: names of attributes and methods, and types, are no values in
    /// TorchScript.
    std::optional<std::string> attributeOf(const ir::Argument &argument) const
    {
        const std::string_view name = m_graph.context().text(argument.name);
        const auto *word = argument.value.as<ir::String>();
        if (word && (name == "name" || name == "method"))
            return "name=" + quote(text(word->text));
        const auto *list = argument.value.as<ir::List>();
        if (!list || name != "types")
            return std::nullopt;
        std::vector<std::string> types;
        for (const ir::Operand &item : list->items)
            types.push_back(m_types.of(*item.as<ir::TypeId>()));
        return "types=[" + joined(types, ", ") + "]";
    }

    /// Whether an argument is the function that a method's call leads to, which is not printed: torch finds it by its
    /// name.
    bool isCallee(const ir::NodeRef &node, const ir::Argument &argument) const
    {
        return argument.value.as<ir::FunctionId>() && node.argument("method");
    }

    const ir::Model &m_model;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    GraphType m_types;
    ops::Signatures m_signatures;
    std::size_t m_next; ///< the number of the next value that only the printed graph has
    std::vector<std::string> m_names;
    std::unordered_map<ir::NameId, std::string> m_modules; ///< by path: the value of a submodule
    std::size_t m_forks = 0;
    Page m_page;
};

} // namespace

std::string torchGraph(const ir::Model &model, ir::FunctionId function)
{
    return TorchGraph(model, model.at(function)).print();
}

} // namespace cutaway::print
