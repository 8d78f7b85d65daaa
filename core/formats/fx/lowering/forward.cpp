// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A statement is a node of the fx graph. In the model it becomes the nodes of what it computes: one, several or none.
// A leaf module of torch.nn becomes the operators that it computes, and an item of a known tuple becomes the item
// itself. If the meaning is not known, the statement becomes one node that is named after its target.
#include "core/formats/fx/lowering/forward.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/fx/lowering/listed.h"
#include "core/formats/fx/read/parser.h"
#include "core/formats/limits.h"
#include "core/formats/python/operators.h"
#include "core/formats/unusable.h"
#include "core/ir/json/tree_spec.h"

#include <algorithm>

namespace cutaway::formats::fx {

namespace {

/// Reads "from typing import List as typing_List" or "import torch.fx._pytree as fx_pytree" into `imports`.
void readImport(std::string_view line, Imports &imports)
{
    const auto word = [&line] {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const std::string_view next = line.substr(0, line.find(' '));
        line.remove_prefix(next.size());
        return next;
    };
    std::string full;
    std::string_view next = word();
    if (next == "from") {
        full = std::string(word()) + ".";
        next = word();
    }
    if (next != "import")
        return;
    const std::string_view name = word();
    full += name;
    if (full.starts_with("builtins."))
        full.erase(0, 9); // "builtins." is removed: builtins that are not imported have no module either
    if (word() == "as")
        imports.insert_or_assign(word(), std::move(full));
    else if (full.size() > name.size())
        imports.insert_or_assign(name, std::move(full));
}

Imports importsOf(std::string_view text)
{
    Imports imports;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        readImport(text.substr(start, end - start), imports);
        start = end + 1;
    }
    for (const auto &[name, full] :
         {std::pair("inf", "math.inf"), std::pair("nan", "math.nan"), std::pair("device", "torch.device")})
        imports.try_emplace(name, full); // torch.fx imports these names into all code that it writes
    return imports;
}

/// Makes a module, with the table of its code's lines, the current one during its lifetime.
class OpenModule {
public:
    OpenModule(GraphLowering &graph, SavedId module)
        : m_builder(graph.builder),
          m_location(graph.builder.location()),
          m_open(graph, module)
    {
    }
    ~OpenModule() { m_builder.setLocation(m_location); }
    OpenModule(const OpenModule &) = delete;
    OpenModule &operator=(const OpenModule &) = delete;

private:
    GraphBuilder &m_builder;
    ir::LocationId m_location;
    GraphLowering::Open m_open;
};

bool isTreeFunction(const std::optional<std::string> &name, std::string_view function)
{
    return name && name->ends_with(function) && name->contains("pytree");
}

/// Adds the leaves of nested lists and dicts, in order.
void addLeaves(const Term &term, std::vector<Term> &leaves)
{
    if (const auto *items = term.as<ItemsTerm>())
        for (const Term &item : items->items)
            addLeaves(item, leaves);
    else if (const auto *dict = term.as<DictTerm>())
        for (const auto &[key, value] : dict->entries)
            addLeaves(value, leaves);
    else
        leaves.push_back(term);
}

class ForwardLowering {
public:
    /// `isListed`: the statements are the nodes of the listed graph, not of a module that it calls.
    ForwardLowering(GraphLowering &graph, const ParsedCode &code, ModuleTerm module, bool isListed)
        : m_graph(graph),
          m_code(code),
          m_module(std::move(module)),
          m_isListed(isListed),
          m_evaluator(graph, code.program, &code.imports)
    {
        m_evaluator.bind("self", {m_module});
    }

    Term nested(const GivenArguments &given);
    ir::Function root();

private:
    const Function &forward() const { return *m_code.forward; }
    const Assign *assignAt(StatementId id) const { return fx::assignAt(m_code.program, m_code.program.at(id)); }
    void addInputs(ir::Function &function);
    void addInput(ir::Function &function, const Parameter &parameter);
    ir::TypeId inputType(const Parameter &parameter);
    ir::TypeId annotated(ExpressionId id);
    void findSpecialized();
    const Assign *flattening() const;
    void addOutputs(ir::Function &function, const Term &result, const std::string &name);
    std::optional<std::string> specOf(const Term &result) const;

    Term statements();
    void assign(const Assign &assign);
    void unpack(const Assign &assign);
    void augment(std::size_t index, const Augment &augment);
    void list(ListedNode node, std::string_view name);
    /// Defines a value: `name` is its name in the code, `listed` the name of its node in the fx graph.
    template <class Compute>
    void define(std::string_view name, std::string_view listed, ExpressionId value, const Compute &compute);
    Term opaque(std::string_view name, ExpressionId value, const std::string &reason);
    Term opaqueModule(const ModuleTerm &module, const Call &call);
    GivenArguments anyArguments(std::span<const ExpressionId> positional, const Call *call);
    Term anyTerm(ExpressionId id);
    Term result(ExpressionId id);
    void setLine(std::uint32_t line);

    GraphLowering &m_graph;
    const ParsedCode &m_code;
    ModuleTerm m_module;
    bool m_isListed;
    Evaluator m_evaluator;
    const Assign *m_flattening = nullptr; ///< the statement that unpacks nested arguments
    std::unordered_map<std::string_view, ir::TypeId> m_specialized;
};

Term ForwardLowering::nested(const GivenArguments &given)
{
    m_evaluator.bindParameters(forward(), given, 1);
    return statements();
}

ir::Function ForwardLowering::root()
{
    ir::Function function{.name = m_graph.context().name("forward"),
                          .kind = ir::Function::Kind::Main,
                          .graph = ir::Graph(m_graph.model.context),
                          .inputs = {},
                          .outputs = {},
                          .attributes = {},
                          .documentation = {}};
    for (const StatementId id : forward().body)
        if (const Assign *assign = assignAt(id))
            for (const std::string_view name : namesOf(m_code.program, *assign))
                m_graph.builder.reserve(name);
    findSpecialized();
    addInputs(function);
    const Term result = statements();
    for (std::string &row : m_graph.builder.takeUnmade())
        m_graph.model.metadata.emplace_back("fx.end", std::move(row));
    addOutputs(function, result, "output");
    if (const auto spec = specOf(result); spec && !result.as<Typed>())
        m_graph.model.metadata.emplace_back("out_spec", "[1," + *spec + "]");
    std::vector<ir::Operand> operands;
    for (const ir::FunctionOutput &output : function.outputs)
        operands.push_back(output.value);
    m_graph.builder.graph.setOutputs(ir::Graph::body, std::move(operands));
    function.graph = std::move(m_graph.builder.graph);
    return function;
}

/// Returns the statement that unpacks nested arguments at the start of the code, to the names of the placeholders;
/// nullptr if there is none.
const Assign *ForwardLowering::flattening() const
{
    for (const StatementId id : forward().body) {
        const Assign *assign = assignAt(id);
        const auto *call = assign && isUnpacked(m_code.program, *assign)
            ? std::get_if<Call>(&m_code.program.at(*assign->value).kind)
            : nullptr;
        if (call && isTreeFunction(m_evaluator.globalName(call->callee), ".tree_flatten_spec"))
            return assign;
    }
    return nullptr;
}

void ForwardLowering::addInputs(ir::Function &function)
{
    m_flattening = flattening();
    if (m_flattening) {
        for (const std::string_view name : namesOf(m_code.program, *m_flattening))
            if (name != "self")
                addInput(function, {{}, name, 0, {}, {}});
        return;
    }
    for (const Parameter &parameter : forward().parameters)
        if (&parameter != &forward().parameters.front())
            addInput(function, parameter);
}

ir::TypeId ForwardLowering::annotated(ExpressionId id)
{
    using Kind = ir::CompoundType::Kind;
    const GraphLowering::Level level(m_graph);
    const Expression::Kind &kind = m_code.program.at(id).kind;
    if (const auto *subscript = std::get_if<Subscript>(&kind)) {
        const std::string name = m_evaluator.globalName(subscript->object).value_or("");
        if (name == "typing.List" || name == "list")
            return m_graph.types.compound(Kind::List, {annotated(subscript->index)});
        if (name == "typing.Optional")
            return m_graph.types.compound(Kind::Optional, {annotated(subscript->index)});
        return {};
    }
    const std::string name = m_evaluator.globalName(id).value_or("");
    if (name == "torch.Tensor")
        return m_graph.types.tensor();
    for (const std::string_view plain : {"int", "float", "bool", "str", "complex"})
        if (name == plain)
            return m_graph.types.of(ops::SchemaType::plain(plain));
    return {};
}

/// Finds the types of arguments that were fixed when the graph was traced: the code compares each with its value and
/// asserts that they are equal.
void ForwardLowering::findSpecialized()
{
    const Binary *equal = nullptr;
    for (const StatementId id : forward().body) {
        const Assign *assign = assignAt(id);
        if (!assign)
            continue;
        if (const auto *binary = std::get_if<Binary>(&m_code.program.at(*assign->value).kind)) {
            equal = binary->op == "==" ? binary : nullptr;
            continue;
        }
        const auto *name = equal ? std::get_if<Name>(&m_code.program.at(equal->left).kind) : nullptr;
        if (name && std::holds_alternative<Literal>(m_code.program.at(equal->right).kind)
            && m_code.program.textOf(*assign->value).contains("has been specialized to have value"))
            m_specialized.try_emplace(name->text,
                                      m_graph.types.ofConstant(m_graph.operators.value(anyTerm(equal->right)).operand));
        equal = nullptr;
    }
}

ir::TypeId ForwardLowering::inputType(const Parameter &parameter)
{
    if (parameter.type)
        return annotated(*parameter.type);
    if (const auto known = m_specialized.find(parameter.name); known != m_specialized.end())
        return known->second;
    const Term value = parameter.value ? anyTerm(*parameter.value) : Term{GlobalTerm{}};
    if (const auto *typed = value.as<Typed>(); typed && !isNone(value))
        return typed->type;
    if (parameter.stars > 0)
        return {};
    m_graph.notes.info("fx.input",
                       "the file does not say what the input " + shown(parameter.name) + " is; it is read as a tensor");
    return m_graph.types.tensor();
}

void ForwardLowering::addInput(ir::Function &function, const Parameter &parameter)
{
    m_graph.builder.reserve(parameter.name);
    const Typed value = m_graph.builder.addInput(parameter.name, inputType(parameter));
    ir::FunctionInput &input = function.inputs.emplace_back();
    input.name = m_graph.context().name(std::string(static_cast<std::size_t>(parameter.stars), '*')
                                        + std::string(parameter.name));
    input.value = value.operand;
    if (parameter.value) {
        const Term byDefault = anyTerm(*parameter.value);
        if (const auto *typed = byDefault.as<Typed>())
            input.defaultValue = typed->operand;
    }
    m_evaluator.bind(parameter.name, {value});
}

/// Returns torch's pytree spec of the nested lists, tuples and dicts of a result; nothing if a key is no text.
std::optional<std::string> ForwardLowering::specOf(const Term &result) const
{
    std::vector<std::string> keys, children;
    const auto add = [&](const Term &item) {
        const auto child = specOf(item);
        if (child)
            children.push_back(*child);
        return child.has_value();
    };
    if (const auto *items = result.as<ItemsTerm>())
        return std::ranges::all_of(items->items, add)
            ? std::optional(ir::sequenceSpec(items->isTuple ? ir::List::Kind::Tuple : ir::List::Kind::List, children))
            : std::nullopt;
    const auto *dict = result.as<DictTerm>();
    if (!dict)
        return ir::leafSpec();
    for (const auto &[key, value] : dict->entries) {
        const auto text = textOf(m_graph.context(), key);
        if (!text || !add(value))
            return std::nullopt;
        keys.emplace_back(*text);
    }
    return ir::dictSpec(keys, children);
}

/// Adds an output for each leaf of nested tuples, lists and dicts.
void ForwardLowering::addOutputs(ir::Function &function, const Term &result, const std::string &name)
{
    if (const auto *items = result.as<ItemsTerm>()) {
        for (std::size_t i = 0; i < items->items.size(); ++i)
            addOutputs(function, items->items[i], formatted("{}_{}", name, i));
        return;
    }
    if (const auto *dict = result.as<DictTerm>()) {
        for (const auto &[key, value] : dict->entries)
            addOutputs(function, value,
                       std::string(textOf(m_graph.context(), key).value_or(formatted("{}_key", name))));
        return;
    }
    ir::FunctionOutput &output = function.outputs.emplace_back();
    try {
        output.value = m_graph.operators.value(result).operand;
    } catch (const NotKnown &notKnown) {
        m_graph.notes.warning("fx.output", "an output is left out: " + notKnown.reason);
    }
    const auto *value = output.value.as<ir::ValueId>();
    output.name = value ? m_graph.builder.graph.at(*value).name : m_graph.context().name(name);
}

void ForwardLowering::setLine(std::uint32_t line)
{
    const std::size_t start = m_code.lines[std::min<std::size_t>(line, m_code.lines.size()) - 1];
    std::string_view text = m_code.program.source.substr(start);
    text = text.substr(0, std::min(text.find('\n'), limits::maxObjectNameLength));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    ir::Location location;
    location.file = m_graph.context().name((m_module.path.empty() ? "" : m_module.path + "/") + "forward.py");
    location.line = line;
    location.function = m_graph.context().name("forward");
    location.text = m_graph.context().name(sanitized(text));
    m_graph.builder.setLocation(m_graph.context().location(location));
}

Term ForwardLowering::statements()
{
    const auto &body = forward().body;
    for (std::size_t i = 0; i < body.size(); ++i) {
        m_graph.count(1);
        const Statement &statement = m_code.program.at(body[i]);
        setLine(statement.line);
        if (const Assign *assigned = assignAt(body[i])) {
            if (isUnpacked(m_code.program, *assigned))
                unpack(*assigned);
            else
                assign(*assigned);
        } else if (const auto *augmented = std::get_if<Augment>(&statement.kind)) {
            augment(i, *augmented);
        } else if (const auto *forgotten = std::get_if<Assign>(&statement.kind); forgotten && forgotten->value) {
            for (const std::string_view name : namesOf(m_code.program, *forgotten))
                m_evaluator.forget(name);
        } else if (const auto *returned = std::get_if<Return>(&statement.kind)) {
            return returned->value ? result(*returned->value) : m_evaluator.calls().constant(ir::Operand());
        }
    }
    return m_evaluator.calls().constant(ir::Operand());
}

/// Evaluates `return pytree.tree_unflatten([a, b], self._out_spec)` or a plain result.
Term ForwardLowering::result(ExpressionId id)
{
    const auto *call = std::get_if<Call>(&m_code.program.at(id).kind);
    if (call && call->arguments.size() == 2 && isTreeFunction(m_evaluator.globalName(call->callee), ".tree_unflatten"))
        return anyTerm(call->arguments[0].value);
    return anyTerm(id);
}

void ForwardLowering::list(ListedNode node, std::string_view name)
{
    if (!m_isListed)
        return;
    node.name = sanitized(name);
    m_graph.builder.list(std::move(node));
}

template <class Compute>
void ForwardLowering::define(std::string_view name, std::string_view listed, ExpressionId value, const Compute &compute)
{
    const ir::NodeId first = m_graph.builder.nextNode();
    Term term;
    try {
        term = compute();
    } catch (const NotKnown &notKnown) {
        m_graph.builder.removeFrom(first);
        term = opaque(listed, value, notKnown.reason);
    }
    if (m_isListed)
        m_graph.builder.nameResult(term, listed);
    m_evaluator.bind(name, std::move(term));
}

void ForwardLowering::assign(const Assign &assign)
{
    const std::string_view name = namesOf(m_code.program, assign)[0];
    if (auto node = listedNode(m_evaluator, *assign.value)) {
        list(std::move(*node), name);
    } else if (const auto *other = std::get_if<Name>(&m_code.program.at(*assign.value).kind)) {
        // `x_1 = x` gives the placeholder its own name
        const Term *term = m_evaluator.find(other->text);
        const auto *typed = term ? term->as<Typed>() : nullptr;
        const auto *input = typed ? typed->operand.as<ir::ValueId>() : nullptr;
        if (m_isListed && input && std::holds_alternative<ir::RegionInput>(m_graph.builder.graph.at(*input).definition))
            m_graph.builder.nameInput(*input, name);
    }
    define(name, name, *assign.value, [&] { return m_evaluator.evaluate(*assign.value); });
}

void ForwardLowering::unpack(const Assign &assign)
{
    if (m_isListed && &assign == m_flattening)
        return; // its targets are the names of the inputs, which are already known
    const auto *call = std::get_if<Call>(&m_code.program.at(*assign.value).kind);
    const bool isTree =
        call && !call->arguments.empty() && isTreeFunction(m_evaluator.globalName(call->callee), ".tree_flatten_spec");
    std::vector<Term> leaves;
    const Term value = anyTerm(isTree ? call->arguments[0].value : *assign.value);
    if (isTree)
        addLeaves(value, leaves);
    else if (const auto *items = value.as<ItemsTerm>())
        leaves = items->items;
    const std::vector<std::string_view> names = namesOf(m_code.program, assign);
    if (leaves.size() != names.size())
        unusable("what is assigned to several names is not as many values", "forward.py");
    for (std::size_t i = 0; i < leaves.size(); ++i)
        m_evaluator.bind(names[i], leaves[i]);
}

/// Lowers `a += b`. If `c = a` follows, the fx graph has one node for both, which is called c. The name a then stands
/// for the sum, too.
void ForwardLowering::augment(std::size_t index, const Augment &augment)
{
    const auto &body = forward().body;
    const Assign *next = index + 1 < body.size() ? assignAt(body[index + 1]) : nullptr;
    const auto renamed = next ? namesOf(m_code.program, *next) : std::vector<std::string_view>();
    const auto *target = std::get_if<Name>(&m_code.program.at(augment.target).kind);
    if (!target)
        unusable("found a value on the left of an assignment, expected a name", "forward.py");
    const std::string_view name = renamed.size() == 1 ? renamed[0] : target->text;
    list(listedInPlace(m_evaluator, augment), name);
    define(target->text, name, augment.value, [&] {
        return m_evaluator.calls().inPlace(augment.op, m_evaluator.evaluate(augment.target),
                                           m_evaluator.evaluate(augment.value));
    });
}

/// Returns the term of an expression in any case: its text if its value is not known.
Term ForwardLowering::anyTerm(ExpressionId id)
{
    try {
        return m_evaluator.evaluate(id);
    } catch (const NotKnown &) {
        const std::string text = sanitized(m_code.program.textOf(id).substr(0, limits::maxObjectNameLength));
        return m_evaluator.calls().constant(ir::String{m_graph.context().name(text)});
    }
}

GivenArguments ForwardLowering::anyArguments(std::span<const ExpressionId> positional, const Call *call)
{
    GivenArguments given;
    const auto valueOf = [&](ExpressionId id) {
        Term term = anyTerm(id);
        try {
            return Term{m_graph.operators.value(term)};
        } catch (const NotKnown &) {
            const std::string text = sanitized(m_code.program.textOf(id).substr(0, limits::maxObjectNameLength));
            return m_evaluator.calls().constant(ir::String{m_graph.context().name(text)});
        }
    };
    for (const ExpressionId id : positional)
        given.positional.push_back(valueOf(id));
    for (const Argument &argument : call ? std::span<const Argument>(call->arguments) : std::span<const Argument>()) {
        if (argument.keyword.empty())
            given.positional.push_back(valueOf(argument.value));
        else
            given.named.emplace_back(argument.keyword, valueOf(argument.value));
    }
    return given;
}

/// Lowers the call of a module whose code is not in the file: its class is called, with its parameters as arguments.
Term ForwardLowering::opaqueModule(const ModuleTerm &module, const Call &call)
{
    const SavedModule &saved = m_graph.saved.at(module.saved);
    GivenArguments given = anyArguments({}, &call);
    for (const std::string_view name : saved.parameters)
        if (const auto *tensor = std::get_if<ir::TensorId>(&saved.attributes.at(name)))
            given.named.emplace_back(name, Term{m_graph.builder.weight(*tensor)});
    const std::size_t dot = saved.className.rfind('.');
    const std::string dialect = dot == saved.className.npos ? "python" : saved.className.substr(0, dot);
    m_graph.builder.enter(module.path);
    Term made = m_graph.operators.opaque(dialect, saved.className.substr(dot + 1), given);
    m_graph.builder.leave();
    return made;
}

Term ForwardLowering::opaque(std::string_view name, ExpressionId value, const std::string &reason)
{
    const Expression::Kind &kind = m_code.program.at(value).kind;
    const auto *call = std::get_if<Call>(&kind);
    m_graph.notes.warning("fx.opaque", shown(name) + " is only named: " + reason);
    if (call) {
        if (const auto path = pathFromSelf(m_evaluator, call->callee)) {
            const Term callee = anyTerm(call->callee);
            if (const auto *module = callee.as<ModuleTerm>())
                return opaqueModule(*module, *call);
            return m_graph.operators.opaque("python", sanitized(*path), anyArguments({}, call));
        }
        if (const auto global = m_evaluator.globalName(call->callee)) {
            const std::size_t dot = global->rfind('.');
            const bool isOperator = global->starts_with("torch.ops.");
            std::string dialect = dot == global->npos ? "builtins" : sanitized(global->substr(0, dot));
            if (isOperator)
                dialect.erase(0, 10);
            return m_graph.operators.opaque(dialect, sanitized(global->substr(dot + 1)), anyArguments({}, call));
        }
        if (const auto *method = std::get_if<Attribute>(&m_code.program.at(call->callee).kind)) {
            const ExpressionId self[] = {method->object};
            const Term object = anyTerm(method->object);
            const auto *typed = object.as<Typed>();
            const bool isTensor = typed && m_graph.types.isTensor(typed->type);
            return m_graph.operators.opaque(isTensor ? "torch.Tensor" : "python", method->name,
                                            anyArguments(self, call));
        }
    }
    if (const auto *binary = std::get_if<Binary>(&kind)) {
        const ExpressionId operands[] = {binary->left, binary->right};
        return m_graph.operators.opaque("_operator", python::operatorFunction(binary->op, false),
                                        anyArguments(operands, nullptr));
    }
    if (const auto *subscript = std::get_if<Subscript>(&kind)) {
        const ExpressionId operands[] = {subscript->object, subscript->index};
        return m_graph.operators.opaque("_operator", "getitem", anyArguments(operands, nullptr));
    }
    if (const auto *attribute = std::get_if<Attribute>(&kind)) {
        const ExpressionId object[] = {attribute->object};
        GivenArguments given = anyArguments(object, nullptr);
        given.positional.push_back(m_evaluator.calls().constant(ir::String{m_graph.context().name(attribute->name)}));
        return m_graph.operators.opaque("builtins", "getattr", given);
    }
    return m_graph.operators.opaque("python", "value", anyArguments(std::span(&value, 1), nullptr));
}

} // namespace

Result<std::shared_ptr<const ParsedCode>> parseCode(const SavedCode &code)
{
    auto program = parse(code.source);
    if (!program)
        return unreadable(program.error().message, "forward.py, " + program.error().where);
    auto parsed = std::make_shared<ParsedCode>();
    parsed->program = std::move(*program);
    parsed->imports = importsOf(code.imports);
    parsed->lines.push_back(0);
    for (std::size_t at = code.source.find('\n'); at != code.source.npos; at = code.source.find('\n', at + 1))
        parsed->lines.push_back(at + 1);
    const auto &functions = parsed->program.functions;
    const auto forward = std::ranges::find_if(functions, [](const Function &f) { return f.name == "forward"; });
    if (forward == functions.end() || forward->parameters.empty())
        return unreadable("the code has no function forward(self, …)");
    parsed->forward = &*forward;
    return parsed;
}

Result<ir::Function> lowerForward(ir::Model &model, SavedModules &saved, Notes &notes)
{
    return resultOf([&] {
        const auto code = orThrow(parseCode(*saved.at(SavedModules::root).code));
        GraphLowering graph(model, saved, notes);
        const OpenModule open(graph, SavedModules::root);
        try {
            return ForwardLowering(graph, *code, {SavedModules::root, ""}, true).root();
        } catch (const NotKnown &notKnown) {
            unusable("the code is not what torch.fx writes: " + notKnown.reason);
        }
    });
}

Term lowerNested(GraphLowering &graph, const ModuleTerm &module, const GivenArguments &given)
{
    auto &code = graph.code[module.saved];
    if (!code) {
        auto parsed = parseCode(*graph.saved.at(module.saved).code);
        if (!parsed)
            throw NotKnown("its code cannot be read: " + parsed.error().text());
        code = *parsed;
    }
    const std::shared_ptr<const ParsedCode> kept = code;
    const OpenModule open(graph, module.saved);
    return ForwardLowering(graph, *kept, module, false).nested(given);
}

} // namespace cutaway::formats::fx
