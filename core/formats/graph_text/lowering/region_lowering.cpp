// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements are read in order, each on its own: if one cannot be read, only its own node is affected. A node whose
// operator has a known number of results gets them at once; the results of other nodes are added when a statement
// `x[i]` reads them.
#include "core/formats/graph_text/lowering/region_lowering.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/graph_text/read/statement.h"
#include "core/formats/limits.h"
#include "core/formats/python/operators.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

/// The limit of results of a node, which no operator reaches: without it, `x[1000000000]` would add so many to a node.
constexpr std::size_t maxResults = 1000;

template <class T>
const T *literalAs(const python::Tree &tree, ExpressionId id)
{
    const auto *literal = std::get_if<python::Literal>(&tree.at(id).kind);
    return literal ? std::get_if<T>(literal) : nullptr;
}

std::string_view nameAt(const python::Tree &tree, ExpressionId id)
{
    const auto *name = std::get_if<python::Name>(&tree.at(id).kind);
    return name ? name->text : std::string_view();
}

bool isTreeFunction(const python::Tree &tree, ExpressionId id, std::string_view function)
{
    const auto *call = std::get_if<python::Call>(&tree.at(id).kind);
    const auto name = call ? python::dottedName(tree, call->callee) : std::nullopt;
    return name && name->ends_with(function) && name->contains("pytree");
}

/// Returns the recorded type of a statement whose other parts cannot be read: `add: "f32[4]" = …`.
std::string_view recordedType(std::string_view statement)
{
    const std::size_t start = statement.find(": \"");
    const std::size_t end = start == statement.npos ? start : statement.find("\" = ", start + 3);
    return end == statement.npos || start > statement.find('=') ? std::string_view()
                                                                : statement.substr(start + 3, end - start - 3);
}

} // namespace

RegionLowering::RegionLowering(GraphLowering &whole, ir::RegionId region, const PrintedGraph &printed, std::string path)
    : m_whole(whole),
      m_reading(whole.reading),
      m_graph(whole.graph),
      m_region(region),
      m_printed(printed),
      m_path(std::move(path)),
      m_expressions(whole.reading.context(), *this, printed.isListing),
      m_line(printed.line)
{
}

void RegionLowering::lower()
{
    std::vector<PrintedInput> inputs = m_printed.inputs;
    const std::size_t first = readDeclarations(inputs);
    for (const PrintedInput &input : inputs)
        addInput(input);
    for (const PrintedStatement &statement : std::span(m_printed.statements).subspan(first)) {
        if (m_reading.task.stopRequested())
            throw Unusable(cancelled().error());
        if (m_graph.nodeCount() >= limits::maxInlinedNodes)
            unusable(formatted("the text asks for more than {} nodes", limits::maxInlinedNodes));
        m_reading.checkCounts();
        m_line = statement.line;
        m_subgraphs.clear();
        if (const auto read = resultOf([&] { readStatement(statement); }); !read)
            keepUnreadable(statement, read.error());
    }
    endChange();
    giveInputsTheirItems();
    if (!m_hasReturned)
        m_reading.notes.warning(
            "fx-text.cut",
            formatted("line {}: the text ends before the graph{} returns; it is read as far as it goes", m_line,
                      m_printed.name.empty() ? "" : " " + shown(m_printed.name)));
    m_graph.setOutputs(m_region, m_outputs);
}

// ---- Inputs

/// Reads the statements with which joint graphs begin: the types of the inputs, and the call that unpacks the arguments
/// into names, which become the inputs. Returns the number of these statements.
std::size_t RegionLowering::readDeclarations(std::vector<PrintedInput> &inputs)
{
    std::unordered_map<std::string_view, PrintedInput> known;
    for (const PrintedInput &input : inputs)
        known.emplace(input.name, input);
    std::size_t count = 0;
    for (const PrintedStatement &printed : m_printed.statements) {
        const auto *code = std::get_if<CodeLine>(&printed.what);
        const auto statement = code ? resultOf([&] { return parseStatement(code->text); }) : Result<Statement>();
        if (!code || !statement)
            break;
        const python::Tree &tree = statement->tree;
        if (const auto *declaration = std::get_if<Declaration>(&statement->what)) {
            const std::size_t end = tree.at(declaration->type).position.offset + tree.at(declaration->type).length;
            known.insert_or_assign(declaration->name,
                                   PrintedInput{declaration->name, typeText(tree, declaration->type),
                                                commentBehind(code->text, end, statement->comments), printed.line});
        } else if (const auto *unpacking = std::get_if<Unpacking>(&statement->what);
                   unpacking && isTreeFunction(tree, unpacking->value, ".tree_flatten_spec")) {
            inputs.clear();
            for (const std::string_view name : unpacking->names) {
                const auto declared = known.find(name);
                inputs.push_back(declared == known.end() ? PrintedInput{name, {}, {}, printed.line} : declared->second);
            }
            std::erase_if(inputs, [](const PrintedInput &input) { return input.name == "self"; });
        } else {
            break;
        }
        ++count;
    }
    return count;
}

void RegionLowering::addInput(const PrintedInput &input)
{
    m_line = input.line;
    ir::TypeId type = m_reading.annotations.type(input.type);
    ir::ValueId value;
    if (isRoot()) {
        if (input.type.empty())
            type = typeElsewhere(input.name);
        value = m_whole.attributes.input(input.name, specOf(input), type);
        if (!input.comment.empty())
            m_whole.inputsByComment.try_emplace(input.comment, input.name);
    } else {
        value = m_graph.addInput(m_region, m_reading.name(input.name), type);
    }
    setMeaning(input.name, {value});
    m_renamable.emplace(input.name, value);
}

/// Returns what is known of an input. The comment at the input decides, if there is one: the signature may come from
/// another graph of the compilation.
InputSpec RegionLowering::specOf(const PrintedInput &input) const
{
    if (InputSpec commented = inputSpecOf(input.comment); commented != InputSpec())
        return commented;
    const auto listed = m_reading.signature.inputs.find(input.name);
    return listed != m_reading.signature.inputs.end() ? listed->second : inputSpecNamed(input.name);
}

/// Returns the type that another graph of the compilation gives to an input, or to an attribute, "self.fc.weight".
ir::TypeId RegionLowering::typeElsewhere(std::string_view name) const
{
    const auto known = m_reading.signature.inputs.find(name);
    return known == m_reading.signature.inputs.end() ? ir::TypeId{} : m_reading.annotations.type(known->second.type);
}

// ---- Statements

void RegionLowering::readStatement(const PrintedStatement &statement)
{
    m_origin = {};
    if (!statement.origin.empty()) {
        const auto [known, isNew] = m_whole.origins.try_emplace(statement.origin.data());
        if (isNew)
            known->second = readOrigin(context(), statement.origin);
        m_origin = known->second;
    }
    if (const auto *code = std::get_if<CodeLine>(&statement.what))
        readCode(code->text);
    else
        readListed(std::get<ListedNode>(statement.what));
}

void RegionLowering::readCode(std::string_view text)
{
    const Statement statement = parseStatement(text);
    const auto *definition = std::get_if<Definition>(&statement.what);
    if (m_change && (!definition || nameAt(statement.tree, definition->value) != m_change->object))
        endChange();
    if (definition)
        define(statement.tree, *definition);
    else if (const auto *change = std::get_if<Change>(&statement.what))
        readChange(statement.tree, *change);
    else if (const auto *returned = std::get_if<Returned>(&statement.what))
        readReturn(statement, *returned);
}

/// Makes a node of a statement that cannot be read: it has only the statement's name, type and text.
void RegionLowering::keepUnreadable(const PrintedStatement &statement, const Error &error)
{
    const auto *code = std::get_if<CodeLine>(&statement.what);
    const auto *listed = std::get_if<ListedNode>(&statement.what);
    const std::string_view name = code ? nameDefinedBy(code->text) : listed->name;
    const bool isReturn = (code && code->text.starts_with("return")) || (listed && listed->opcode == "output");
    m_hasReturned = m_hasReturned || isReturn;
    m_reading.notes.warning("fx-text.line",
                            formatted("line {}: {}; {}", m_line, error.message,
                                      name.empty() || isReturn ? "it is left out" : "the node is shown as its text"));
    if (name.empty() || isReturn || m_graph.nodeCount() >= limits::maxInlinedNodes)
        return;
    const std::string_view text = code ? code->text : listed->arguments;
    Callee callee{context().op("fx-text", "unreadable"), {}, {}};
    callee.arguments.push_back(
        {m_reading.name("text"), m_expressions.text(sanitized(text.substr(0, limits::maxObjectNameLength)))});
    m_subgraphs.clear();
    append(name, std::move(callee), code ? m_reading.annotations.type(recordedType(code->text)) : ir::TypeId{});
}

void RegionLowering::define(const python::Tree &tree, const Definition &definition)
{
    const ir::TypeId type =
        definition.type ? m_reading.annotations.type(typeText(tree, *definition.type)) : ir::TypeId{};
    const python::Expression::Kind &kind = tree.at(definition.value).kind;
    if (const std::string_view name = nameAt(tree, definition.value); !name.empty() && m_names.contains(name))
        return alias(definition.name, name, type);
    if (literalAs<python::NoneLiteral>(tree, definition.value))
        return; // `x = None` says that the value is not used any more
    if (std::holds_alternative<python::Literal>(kind))
        return setMeaning(definition.name, {m_expressions.operand(tree, definition.value)});
    if (std::holds_alternative<python::Attribute>(kind))
        return defineByAttribute(tree, definition, type);
    const auto *item = std::get_if<python::Subscript>(&kind);
    if (item && takeResult(definition.name, tree, item->object, item->index, type))
        return;
    append(definition.name, called(tree, definition.value), type);
}

/// Defines a name by an attribute: `self.weight` is get_attr, `x.shape` Python's getattr, `torch.float32` a constant.
void RegionLowering::defineByAttribute(const python::Tree &tree, const Definition &definition, ir::TypeId type)
{
    if (const auto path = Expressions::pathFromSelf(tree, definition.value))
        return getAttribute(definition.name, *path, type);
    if (m_expressions.globalName(tree, definition.value))
        return setMeaning(definition.name, {m_expressions.operand(tree, definition.value)});
    const auto &attribute = std::get<python::Attribute>(tree.at(definition.value).kind);
    GivenArguments given;
    addArgument(tree, "", attribute.object, given);
    given.positional.push_back(m_expressions.text(attribute.name));
    append(definition.name, m_whole.calls.function("builtins.getattr", std::move(given)), type);
}

/// Defines a name by another name: `l_x_ = L_x_` renames an input; `iadd = x` names the changed `x`.
void RegionLowering::alias(std::string_view name, std::string_view of, ir::TypeId type)
{
    if (m_change && m_change->object == of) {
        PendingChange change = std::move(*m_change);
        m_change.reset();
        return append(name, std::move(change.callee), type);
    }
    if (const auto input = m_renamable.find(of); input != m_renamable.end()) {
        if (isRoot())
            m_whole.attributes.rename(input->second, name);
        else
            m_graph.setName(input->second, m_reading.name(name));
        m_renamable.erase(input);
    }
    setMeaning(name, {operandNamed(of)});
}

void RegionLowering::readChange(const python::Tree &tree, const Change &change)
{
    const auto *item = std::get_if<python::Subscript>(&tree.at(change.target).kind);
    const ExpressionId object = item ? item->object : change.target;
    GivenArguments given;
    addArgument(tree, "", object, given);
    if (item)
        addArgument(tree, "", item->index, given);
    addArgument(tree, "", change.value, given);
    if (change.op.empty() != (item != nullptr))
        unusable("found " + shown(tree.textOf(change.target)) + " changed in a way that torch.fx does not print");
    const std::string function = item ? "_operator.setitem" : "_operator." + python::inPlaceFunction(change.op);
    m_change = PendingChange{m_whole.calls.function(function, std::move(given)), nameAt(tree, object)};
}

/// Appends the node of a change in place to which no statement gives a name.
void RegionLowering::endChange()
{
    if (!m_change)
        return;
    PendingChange change = std::move(*m_change);
    m_change.reset();
    append(context().text(context().at(change.callee.op).name), std::move(change.callee), {});
}

void RegionLowering::getAttribute(std::string_view name, const std::string &path, ir::TypeId type)
{
    if (const PrintedGraph *child = childNamed(path))
        return setMeaning(name, {.graph = child});
    if (type == ir::TypeId{})
        type = typeElsewhere("self." + m_path + path);
    setMeaning(name, {m_whole.attributes.attribute(name, m_path + path, type)});
}

/// Lets `name` stand for `object[index]`, if that is one of several results of a node or an item of a tuple. Returns
/// whether it is.
bool RegionLowering::takeResult(std::string_view name, const python::Tree &tree, ExpressionId object,
                                ExpressionId index, ir::TypeId type)
{
    const auto found = m_names.find(nameAt(tree, object));
    const auto *position = literalAs<std::int64_t>(tree, index);
    if (found == m_names.end() || !position)
        return false;
    Meaning &meaning = found->second;
    const auto at = static_cast<std::size_t>(*position);
    if (meaning.open && *position >= 0 && at < maxResults)
        grow(meaning, found->first, at + 1);
    const auto *results = meaning.operand.as<ir::List>();
    if (*position >= 0 && at < maxResults)
        noteItem(meaning.operand, at, type);
    if (!results || at >= results->items.size())
        return false;
    const ir::Operand result = results->items[at];
    if (const auto *value = result.as<ir::ValueId>(); value && m_named.insert(*value).second) {
        m_graph.setName(*value, m_reading.name(name));
        if (type != ir::TypeId{})
            m_graph.setType(*value, type);
    }
    setMeaning(name, {result});
    return true;
}

/// Notes the type of an item of an input that is a list: the text has no type for the list itself.
void RegionLowering::noteItem(const ir::Operand &input, std::size_t position, ir::TypeId type)
{
    const auto *value = input.as<ir::ValueId>();
    if (!value || !std::holds_alternative<ir::RegionInput>(m_graph.at(*value).definition)
        || m_graph.at(*value).type != ir::TypeId{})
        return;
    std::vector<ir::TypeId> &items = m_items[*value];
    items.resize(std::max(items.size(), position + 1));
    items[position] = type;
}

void RegionLowering::giveInputsTheirItems()
{
    for (auto &[input, items] : m_items)
        m_graph.setType(input, m_reading.types.compound(ir::CompoundType::Kind::Tuple, std::move(items)));
}

void RegionLowering::readReturn(const Statement &statement, const Returned &returned)
{
    m_hasReturned = true;
    if (!returned.value)
        return;
    const python::Tree &tree = statement.tree;
    ExpressionId value = *returned.value;
    if (isTreeFunction(tree, value, ".tree_unflatten"))
        if (const auto &call = std::get<python::Call>(tree.at(value).kind); !call.arguments.empty())
            value = call.arguments.front().value;
    const auto *tuple = std::get_if<python::Tuple>(&tree.at(value).kind);
    const auto *list = std::get_if<python::List>(&tree.at(value).kind);
    m_returnsSeveral = tuple || list || std::holds_alternative<python::Dict>(tree.at(value).kind);
    if (!tuple && !list)
        return addOutputs(m_expressions.operand(tree, value), {});
    for (const ExpressionId item : tuple ? tuple->items : list->items) {
        const std::size_t end = tree.at(item).position.offset + tree.at(item).length;
        addOutputs(m_expressions.operand(tree, item), commentBehind(tree.source, end, statement.comments));
    }
}

// ---- Results

/// Adds an output for each leaf of nested tuples, lists and dicts.
void RegionLowering::addOutputs(const ir::Operand &value, std::string_view comment)
{
    if (const auto *list = value.as<ir::List>()) {
        m_returnsSeveral = true;
        for (const ir::Operand &item : list->items)
            addOutputs(item, {});
    } else if (const auto *dict = value.as<ir::Dict>()) {
        for (std::size_t i = 1; i < dict->items.size(); i += 2)
            addOutputs(dict->items[i], {});
    } else {
        if (isRoot())
            m_whole.function.outputs.push_back(output(value, comment));
        m_outputs.push_back(value);
    }
}

ir::FunctionOutput RegionLowering::output(const ir::Operand &value, std::string_view comment) const
{
    const std::size_t position = m_whole.function.outputs.size();
    const auto *own = value.as<ir::ValueId>();
    ir::FunctionOutput output;
    output.name = own ? m_graph.at(*own).name : m_reading.name(formatted("output_{}", position));
    output.value = value;
    if (position < m_reading.signature.outputs.size()) {
        output.kind = m_reading.signature.outputs[position].kind;
        output.target = m_reading.name(m_reading.signature.outputs[position].target);
    }
    if (comment.starts_with("SavedForBackwardsAOTOutput("))
        output.target = m_reading.name(savedForBackward);
    constexpr std::string_view gradient = "GradAOTOutput(grad_of=";
    if (comment.starts_with(gradient) && comment.ends_with(')')) {
        const std::string_view of = comment.substr(gradient.size(), comment.size() - gradient.size() - 1);
        const auto input = m_whole.inputsByComment.find(of);
        output.kind = of.starts_with("ParamAOTInput(") ? ir::FunctionOutput::Kind::GradientToParameter
                                                       : ir::FunctionOutput::Kind::GradientToUserInput;
        output.target = m_reading.name(input == m_whole.inputsByComment.end() ? of : input->second);
    }
    return output;
}

// ---- Names

const PrintedGraph *RegionLowering::childNamed(std::string_view name) const
{
    const auto child = std::ranges::find(m_printed.children, name, &PrintedGraph::name);
    return child == m_printed.children.end() ? nullptr : &*child;
}

void RegionLowering::setMeaning(std::string_view name, Meaning meaning)
{
    const auto [entry, isNew] = m_names.insert_or_assign(name, std::move(meaning));
    if (!isNew)
        m_reading.notes.warning(
            "fx-text.name",
            formatted("line {}: the name {} is given a second time; what follows reads the later one", m_line,
                      shown(entry->first)));
}

ir::Operand RegionLowering::operandNamed(std::string_view name)
{
    const auto found = m_names.find(name);
    if (found != m_names.end())
        return operandOf(name, found->second);
    m_reading.notes.warning(
        "fx-text.undefined",
        formatted("line {}: nothing before it makes {}; it is taken as an input", m_line, shown(name)));
    const ir::ValueId value = m_whole.attributes.input(name, {}, {});
    m_names.emplace(name, Meaning{value});
    return value;
}

ir::Operand RegionLowering::operandOf(std::string_view name, Meaning &meaning)
{
    if (meaning.graph) {
        m_subgraphs.push_back(meaning.graph);
        return m_expressions.text(meaning.graph->name);
    }
    if (meaning.open && !meaning.operand.as<ir::List>()) {
        if (meaning.resultCount > 0) {
            grow(meaning, name, meaning.resultCount);
        } else {
            const ir::ValueId value = m_graph.addOutput(*meaning.open, m_reading.name(name), {});
            m_named.insert(value);
            meaning = Meaning{value};
        }
    }
    if (const auto *list = meaning.operand.as<ir::List>())
        m_reading.countItems(list->items.size());
    return meaning.operand;
}

} // namespace cutaway::formats::graph_text
