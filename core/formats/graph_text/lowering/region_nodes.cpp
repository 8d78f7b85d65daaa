// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/formats/graph_text/lowering/region_lowering.h"
#include "core/formats/python/operators.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

/// Returns "add" for "<built-in function add>" if `word` is "function ", which precedes the name; "" for other texts.
std::string_view nameBehind(std::string_view target, std::string_view word)
{
    const std::size_t at = target.starts_with('<') ? target.find(word) : target.npos;
    if (at == target.npos)
        return {};
    const std::string_view name = target.substr(at + word.size());
    return name.substr(0, name.find_first_of(" >"));
}

/// Returns the full name of the function in a listed call. A table has "aten.add.Tensor" for an operator and, for a
/// function, the text that Python prints, which does not name the module: a built-in function is in `operator`, a
/// built-in method in torch.
std::string fullName(std::string_view target)
{
    if (const auto name = nameBehind(target, "built-in function "); !name.empty())
        return "_operator." + std::string(name);
    if (const auto name = nameBehind(target, "built-in method "); !name.empty())
        return "torch." + std::string(name);
    if (const auto name = nameBehind(target, "function "); !name.empty())
        return std::string(name);
    if (target.starts_with("torch.") || !target.contains('.'))
        return std::string(target);
    const bool isOverload = std::ranges::count(target, '.') == 2 && !target.starts_with("operator.");
    return (isOverload ? "torch.ops." : "") + std::string(target);
}

} // namespace

Callee RegionLowering::called(const python::Tree &tree, ExpressionId value)
{
    const python::Expression::Kind &kind = tree.at(value).kind;
    if (const auto *call = std::get_if<python::Call>(&kind))
        return calledFunction(tree, *call);
    GivenArguments given;
    std::string_view function;
    if (const auto *binary = std::get_if<python::Binary>(&kind)) {
        function = python::operatorFunction(binary->op, false);
        addArgument(tree, "", binary->left, given);
        addArgument(tree, "", binary->right, given);
    } else if (const auto *unary = std::get_if<python::Unary>(&kind)) {
        function = python::operatorFunction(unary->op, true);
        addArgument(tree, "", unary->operand, given);
    } else if (const auto *item = std::get_if<python::Subscript>(&kind)) {
        function = "getitem";
        addArgument(tree, "", item->object, given);
        addArgument(tree, "", item->index, given);
    } else {
        unusable("found " + shown(tree.textOf(value)) + ", expected a call");
    }
    return m_whole.calls.function("_operator." + std::string(function), std::move(given));
}

/// Reads a call of a module, of a function by its name, or of a method of a value.
Callee RegionLowering::calledFunction(const python::Tree &tree, const python::Call &call)
{
    GivenArguments given;
    const auto module = Expressions::pathFromSelf(tree, call.callee);
    const auto function = module ? std::nullopt : m_expressions.globalName(tree, call.callee);
    const auto *method = std::get_if<python::Attribute>(&tree.at(call.callee).kind);
    if (!module && !function && method)
        addArgument(tree, "", method->object, given);
    for (const python::Argument &argument : call.arguments)
        addArgument(tree, argument.keyword, argument.value, given);
    if (module) {
        if (const PrintedGraph *child = childNamed(*module))
            m_subgraphs.push_back(child);
        return m_whole.calls.module(*module, std::move(given));
    }
    if (function)
        return m_whole.calls.function(*function, std::move(given));
    if (method)
        return m_whole.calls.method(method->name, std::move(given));
    unusable("found a call of " + shown(tree.textOf(call.callee)) + ", expected one of a function, method or module");
}

/// Adds an argument. A subgraph becomes a region of the node instead of an argument.
void RegionLowering::addArgument(const python::Tree &tree, std::string_view keyword, ExpressionId value,
                                 GivenArguments &given)
{
    const auto *name = std::get_if<python::Name>(&tree.at(value).kind);
    if (const auto meaning = name ? m_names.find(name->text) : m_names.end();
        meaning != m_names.end() && meaning->second.graph) {
        m_subgraphs.push_back(meaning->second.graph);
        return;
    }
    ir::Operand operand = m_expressions.operand(tree, value);
    if (keyword.empty())
        given.positional.push_back(std::move(operand));
    else
        given.named.emplace_back(keyword, std::move(operand));
}

// ---- Nodes of listings and tables

void RegionLowering::readListed(const ListedNode &node)
{
    if (node.opcode == "get_attr")
        return getAttribute(node.name, std::string(node.target), {});
    if (node.opcode == "output")
        return readOutput(node);
    const ParsedExpression parsed = parseExpression(node.arguments, m_printed.isListing);
    const python::Tree &tree = parsed.tree;
    const auto items = python::itemsOf(tree, parsed.root);
    const std::string function = fullName(node.target);
    if (function.ends_with("operator.getitem") && items.size() == 2
        && takeResult(node.name, tree, items[0], items[1], {}))
        return;
    GivenArguments given;
    for (const ExpressionId item : items)
        addArgument(tree, "", item, given);
    if (!node.keywords.empty()) {
        const ParsedExpression keywords = parseExpression(node.keywords, m_printed.isListing);
        const auto *dict = std::get_if<python::Dict>(&keywords.tree.at(keywords.root).kind);
        for (const auto &[key, value] : dict ? dict->entries : std::vector<std::pair<ExpressionId, ExpressionId>>()) {
            const std::string_view name = typeText(keywords.tree, key);
            addArgument(keywords.tree, name, value, given);
        }
    }
    append(node.name, calledListed(node, function, std::move(given)), {});
}

/// Reads the node "output": values are printed without "%" there, and a table has the result as the only item of the
/// tuple of all arguments.
void RegionLowering::readOutput(const ListedNode &node)
{
    m_hasReturned = true;
    const ParsedExpression parsed = parseExpression(node.arguments, m_printed.isListing);
    Expressions plain(context(), *this, false);
    const auto items = python::itemsOf(parsed.tree, parsed.root);
    if (!m_printed.isListing && items.size() == 1)
        return addOutputs(plain.operand(parsed.tree, items.front()), {});
    addOutputs(plain.operand(parsed.tree, parsed.root), {});
}

Callee RegionLowering::calledListed(const ListedNode &node, std::string_view function, GivenArguments given)
{
    if (node.opcode == "call_method")
        return m_whole.calls.method(node.target, std::move(given));
    if (node.opcode == "call_module")
        return m_whole.calls.module(node.target, std::move(given));
    if (node.opcode == "call_function")
        return m_whole.calls.function(function, std::move(given));
    unusable("found a node of the kind " + shown(node.opcode) + ", expected one that torch.fx has");
}

// ---- Nodes

void RegionLowering::append(std::string_view name, Callee callee, ir::TypeId type)
{
    ir::NodeDraft draft{callee.op, m_reading.name(name), {}, m_origin.location, std::move(callee.arguments), {}, {}};
    if (m_origin.isBackward)
        draft.metadata.emplace_back(m_reading.name("autograd_backward"), m_reading.name("True"));
    const ir::NodeId node = m_graph.append(m_region, std::move(draft));
    const std::size_t resultCount = addRegions(node);
    if (callee.results)
        return setMeaning(name, addResults(node, name, *callee.results, type));
    if (type != ir::TypeId{})
        return setMeaning(name, addResults(node, name, {type}, type));
    setMeaning(name, {.open = node, .resultCount = resultCount});
}

/// Adds a region to a node for each subgraph among its arguments. Returns the number of results of the last one if it
/// returns a tuple, list or dict; else 0.
std::size_t RegionLowering::addRegions(ir::NodeId node)
{
    std::size_t results = 0;
    for (const PrintedGraph *subgraph : std::exchange(m_subgraphs, {})) {
        m_reading.countSubgraph(*subgraph);
        const ir::RegionId region = m_graph.addRegion(node, m_reading.name(subgraph->name));
        RegionLowering inner(m_whole, region, *subgraph, m_path + std::string(subgraph->name) + ".");
        inner.lower();
        results = inner.m_returnsSeveral ? inner.m_outputs.size() : 0;
    }
    return results;
}

RegionLowering::Meaning RegionLowering::addResults(ir::NodeId node, std::string_view name,
                                                   const std::vector<ir::TypeId> &results, ir::TypeId type)
{
    if (results.size() > 1) {
        ir::List tuple{{}, ir::List::Kind::Tuple};
        for (std::size_t i = 0; i < results.size(); ++i)
            tuple.items.push_back(
                m_graph.addOutput(node, m_reading.name(formatted("{}_unused_{}", name, i)), results[i]));
        return {std::move(tuple)};
    }
    if (results.empty() && type == ir::TypeId{})
        return {};
    const ir::ValueId value =
        m_graph.addOutput(node, m_reading.name(name), type == ir::TypeId{} ? results.front() : type);
    m_named.insert(value);
    return {value};
}

/// Gives an open node at least `count` results.
void RegionLowering::grow(Meaning &meaning, std::string_view name, std::size_t count)
{
    if (!meaning.operand.as<ir::List>())
        meaning.operand = ir::List{{}, ir::List::Kind::Tuple};
    auto &items = std::get<ir::List>(meaning.operand.v).items;
    while (items.size() < std::max(count, meaning.resultCount))
        items.push_back(
            m_graph.addOutput(*meaning.open, m_reading.name(formatted("{}_unused_{}", name, items.size())), {}));
}

} // namespace cutaway::formats::graph_text
