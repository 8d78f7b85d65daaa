// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/patterns/pattern.h"

#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/text.h"
#include "core/ir/text/text_lexer.h"
#include "core/ir/verify.h"
#include "core/ops/schemas/schema_table.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// The message about an invalid pattern; "" if it is valid.
using Fault = std::string;

/// Calls visit(Expr) for every expression in an operand, also within lists.
void forEachExpression(const Operand &operand, const std::function<void(const symbolic::Expr &)> &visit)
{
    if (const auto *expr = operand.as<symbolic::Expr>())
        visit(*expr);
    else if (const auto *list = operand.as<ir::List>())
        for (const Operand &item : list->items)
            forEachExpression(item, visit);
    else if (const auto *dict = operand.as<ir::Dict>())
        for (const Operand &item : dict->items)
            forEachExpression(item, visit);
}

/// Whether an operand is of one of these types, or contains one that is.
template <class... Types>
bool contains(const Operand &operand)
{
    const auto among = [](std::span<const Operand> items) {
        return std::ranges::any_of(items, [](const Operand &item) { return contains<Types...>(item); });
    };
    if (const auto *list = operand.as<ir::List>())
        return among(list->items);
    if (const auto *dict = operand.as<ir::Dict>())
        return among(dict->items);
    return (... || operand.as<Types>());
}

/// Checks one graph of a pattern by itself.
class GraphCheck {
public:
    explicit GraphCheck(const ir::Function &function)
        : m_function(function),
          m_graph(function.graph),
          m_context(function.graph.context())
    {
    }

    Fault run()
    {
        for (const ir::FunctionInput &input : m_function.inputs)
            if (Fault fault = ofInput(input); !fault.empty())
                return fault;
        for (const NodeRef node : ir::nodesOf(m_graph))
            if (Fault fault = ofNode(node); !fault.empty())
                return fault;
        if (m_function.outputs.empty())
            return "it returns nothing";
        for (const ir::FunctionOutput &output : m_function.outputs)
            if (!output.value.as<ValueId>())
                return "it returns something that is no value";
        return {};
    }

private:
    Fault ofInput(const ir::FunctionInput &input)
    {
        using Kind = ir::FunctionInput::Kind;
        const auto *value = input.value.as<ValueId>();
        if (!value || input.tensor || input.defaultValue || (input.kind != Kind::User && input.kind != Kind::Constant))
            return "an input is a value, with 'constant' before it or nothing";
        return ofType({m_graph, *value});
    }

    Fault ofType(ir::ValueRef value)
    {
        const ir::Type &type = value.type();
        const auto *tensor = std::get_if<ir::TensorType>(&type);
        const auto *number = std::get_if<ir::NumberType>(&type);
        const bool isPlain = tensor
            ? !tensor->strides && !tensor->device && tensor->layout == ir::Layout::Strided && !tensor->requiresGrad
            : number && !number->value;
        return isPlain || std::holds_alternative<ir::UnknownType>(type)
            ? Fault()
            : formatted("the type of %{} says more than a dtype and sizes, or the kind of a number", ir::nameOf(value));
    }

    Fault ofNode(const NodeRef &node)
    {
        if (!node->regions.empty())
            return formatted("{} has regions", node.fullName());
        if (node->outputs.empty())
            return formatted("{} has no result", node.fullName());
        for (const ir::ValueRef output : node.outputs())
            if (Fault fault = ofType(output); !fault.empty())
                return fault;
        for (const ir::Argument &argument : node->arguments)
            if (contains<ir::TensorId, ir::FunctionId, ir::ObjectId>(argument.value))
                return formatted("{} is given a tensor, function or object of a file; make it an input",
                                 node.fullName());
        return ofSchema(node);
    }

    /// Reports an overload or a parameter that torch does not have: it would match nothing, or make an invalid model.
    Fault ofSchema(const NodeRef &node)
    {
        const auto all = node.isOnnx() ? std::vector<ops::Schema>() : ops::schemasOf(node.dialect(), node.opName());
        if (all.empty())
            return {};
        const std::string_view overload = node.overload() == "default" ? "" : node.overload();
        const bool isAny =
            node.overload().empty() && std::ranges::none_of(all, &std::string_view::empty, &ops::Schema::overload);
        std::vector<std::string> overloads;
        for (const ops::Schema &schema : all)
            overloads.push_back(schema.overload.empty() ? "default" : std::string(schema.overload));
        if (!isAny && !std::ranges::contains(all, overload, &ops::Schema::overload))
            return formatted("{} is no overload; known: {}", node.fullName(), joined(overloads, ", "));
        for (const ir::Argument &argument : node->arguments) {
            const std::string_view name = m_context.text(argument.name);
            const auto has = [&](const ops::Schema &schema) {
                return std::ranges::contains(schema.arguments, name, &ops::SchemaArgument::name);
            };
            if (!name.empty() && std::ranges::none_of(all, has))
                return formatted("{} has no parameter '{}'", node.fullName(), name);
        }
        return {};
    }

    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const ir::Context &m_context;
};

/// Checks the two graphs of a pattern against each other.
class PairCheck {
public:
    explicit PairCheck(const Pattern &pattern) : m_before(pattern.before), m_after(pattern.after) { }

    Fault run()
    {
        for (const auto check :
             {&PairCheck::ofBefore, &PairCheck::ofInputs, &PairCheck::ofCaptures, &PairCheck::ofAfter})
            if (Fault fault = (this->*check)(); !fault.empty())
                return fault;
        return {};
    }

private:
    Fault ofBefore()
    {
        const ir::Graph &graph = m_before.graph;
        std::set<ValueId> returned;
        for (const ir::FunctionOutput &output : m_before.outputs) {
            const ir::ValueRef value(graph, *output.value.as<ValueId>());
            if (!value.producer() || !returned.insert(value).second)
                return "the graph before returns %" + ir::nameOf(value) + ", which no node makes, or twice";
        }
        for (const ir::FunctionInput &input : m_before.inputs)
            if (const ir::ValueRef value(graph, *input.value.as<ValueId>()); value->uses.empty())
                return formatted("the graph before does not read its input %{}", ir::nameOf(value));
        return isConnected() ? Fault() : "the nodes before are not connected with each other";
    }

    /// Whether the nodes are connected through the values that they read.
    bool isConnected()
    {
        const ir::Graph &graph = m_before.graph;
        std::set<ir::NodeId> reached;
        std::set<ValueId> seen;
        std::vector<ir::NodeId> left{graph.at(ir::Graph::body).nodes.back()};
        const auto visit = [&](ValueId id) {
            if (!seen.insert(id).second)
                return;
            if (const auto producer = ir::ValueRef(graph, id).producer())
                left.push_back(*producer);
            for (const ir::Use &use : graph.at(id).uses)
                if (const auto *reader = std::get_if<ir::NodeId>(&use))
                    left.push_back(*reader);
        };
        while (!left.empty()) {
            const ir::NodeId node = left.back();
            left.pop_back();
            if (!reached.insert(node).second)
                continue;
            for (const ir::Argument &argument : graph.at(node).arguments)
                forEachValue(argument.value, visit);
            std::ranges::for_each(graph.at(node).outputs, visit);
        }
        return reached.size() == graph.at(ir::Graph::body).nodes.size();
    }

    /// Checks that each input of the graph `after` has the name and type of an input of the graph `before`. Not all
    /// inputs of `before` need to be there.
    Fault ofInputs()
    {
        for (const ir::FunctionInput &input : m_after.inputs) {
            const ir::ValueRef here(m_after.graph, *input.value.as<ValueId>());
            const auto there = std::ranges::find(m_before.inputs, here->name, [&](const ir::FunctionInput &other) {
                return m_before.graph.at(*other.value.as<ValueId>()).name;
            });
            if (there == m_before.inputs.end())
                return formatted("the graph after has the input %{}, which that before has not", ir::nameOf(here));
            const ir::TypeId type = m_before.graph.at(*there->value.as<ValueId>()).type;
            if (here->type != ir::TypeId{} && here->type != type)
                return formatted("the input %{} has another type in the graph after", ir::nameOf(here));
        }
        if (m_before.outputs.size() != m_after.outputs.size())
            return formatted("the graph before returns {} and that after {}",
                             quantity(m_before.outputs.size(), "value"), m_after.outputs.size());
        return {};
    }

    /// Calls visit(Expr) for every expression in the arguments and types of a graph.
    static void forEachExpressionIn(const ir::Function &function,
                                    const std::function<void(const symbolic::Expr &)> &add)
    {
        for (const NodeRef node : ir::nodesOf(function.graph))
            for (const ir::Argument &argument : node->arguments)
                forEachExpression(argument.value, add);
        for (ValueId id{0}; id.index < function.graph.valueCount(); ++id.index)
            if (const auto *type = ir::ValueRef(function.graph, id).tensorType(); type && type->shape)
                for (const ir::Dim &dim : *type->shape)
                    if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
                        add(*expr);
    }

    Fault ofCaptures()
    {
        std::set<std::string> before, after;
        Fault fault;
        forEachExpressionIn(m_before, [&](const symbolic::Expr &expr) {
            if (expr.kind() == symbolic::Kind::Symbol)
                before.insert(expr.name());
            else
                fault = formatted("the graph before captures by a name alone, not by {}", symbolic::print(expr));
        });
        forEachExpressionIn(m_after, [&](const symbolic::Expr &expr) { after.merge(symbolic::symbolsOf(expr)); });
        for (const std::string &name : after)
            if (!before.contains(name) && fault.empty())
                fault = formatted("the graph after has ${}, which that before does not capture", name);
        return fault;
    }

    /// Reports a node of the replacing graph that a model cannot have.
    Fault ofAfter()
    {
        for (const NodeRef node : ir::nodesOf(m_after.graph))
            if (Fault fault = node.isOnnx() ? ofOnnx(node) : ofTorch(node); !fault.empty())
                return fault;
        return {};
    }

    static Fault ofOnnx(const NodeRef &node)
    {
        for (const ir::Argument &argument : node->arguments)
            if (argument.name == ir::NameId{} && !argument.value.as<ValueId>() && !argument.value.as<ir::None>())
                return formatted("{} in the graph after has an input that is no value", node.fullName());
        return {};
    }

    static Fault ofTorch(const NodeRef &node)
    {
        const auto all = ops::schemasOf(node.dialect(), node.opName());
        const std::string_view overload = node.overload() == "default" ? "" : node.overload();
        const auto schema = std::ranges::find(all, overload, &ops::Schema::overload);
        if (all.empty())
            return {};
        if (schema == all.end())
            return formatted("{} in the graph after needs its overload, as {}.{}", node.fullName(), node.fullName(),
                             all.front().overload);
        for (const ir::Argument &argument : node->arguments)
            if (const std::string_view name = node.graph().context().text(argument.name);
                !name.empty() && !std::ranges::contains(schema->arguments, name, &ops::SchemaArgument::name))
                return formatted("{} in the graph after has no parameter '{}'; another overload may", node.fullName(),
                                 name);
        for (std::size_t i = node.inputCount(); i < schema->arguments.size(); ++i)
            if (const ops::SchemaArgument &argument = schema->arguments[i];
                !argument.defaultValue && !node.argument(argument.name))
                return formatted("{} in the graph after is not given '{}'", node.fullName(), argument.name);
        return {};
    }

    const ir::Function &m_before, &m_after;
};

Error asUsage(Error error)
{
    error.kind = ErrorKind::Usage;
    return error;
}

/// Reads the graphs of a text, which must contain nothing else.
Result<std::vector<ir::Function>> graphsOf(std::string_view text, const std::shared_ptr<ir::Context> &context)
{
    auto model = ir::parseText(text, context);
    if (!model)
        return std::unexpected(asUsage(model.error()));
    for (const ir::Function &function : model->functions)
        if (function.graph.at(ir::Graph::body).nodes.empty() && function.inputs.empty())
            return usageError(formatted("the graph @{} is empty", context->text(function.name)));
    if (const auto faults = ir::verify(*model); !faults.empty())
        return usageError(faults.front());
    return std::move(model->functions);
}

/// Returns the offsets of the graphs in a valid text.
std::vector<std::size_t> startsOf(std::string_view text)
{
    ir::TextLexer lexer(text);
    std::vector<std::size_t> starts;
    for (int depth = 0; !lexer.atEnd();) {
        const std::size_t start = lexer.position();
        if (lexer.peek() == '"') {
            lexer.takeText();
        } else if (const std::string word(lexer.peekWord()); !word.empty()) {
            if (word == "graph" && depth == 0)
                starts.push_back(start);
            lexer.acceptWord(word);
        } else {
            depth += lexer.peek() == '{' ? 1 : lexer.peek() == '}' ? -1 : 0;
            lexer.accept(text.substr(start, 1));
        }
    }
    return starts;
}

/// Returns the name of a pair, "gelu" for "gelu.before" and "" for "before"; nothing for a name that does not end with
/// the role.
std::optional<std::string> pairName(std::string_view name, std::string_view role)
{
    if (name == role)
        return std::string();
    const std::string ending = "." + std::string(role);
    return name.ends_with(ending) ? std::optional(std::string(name.substr(0, name.size() - ending.size())))
                                  : std::nullopt;
}

Result<void> checked(const Pattern &pattern)
{
    const auto fail = [&](const Fault &fault) {
        return usageError((pattern.name.empty() ? "the pattern: " : "the pattern '" + pattern.name + "': ") + fault);
    };
    if (pattern.before.graph.at(ir::Graph::body).nodes.empty())
        return fail("the graph before has no node");
    for (const ir::Function *function : {&pattern.before, &pattern.after})
        if (const Fault fault = GraphCheck(*function).run(); !fault.empty())
            return fail(formatted("the graph {}: {}", function == &pattern.before ? "before" : "after", fault));
    const Fault fault = PairCheck(pattern).run();
    return fault.empty() ? Result<void>() : fail(fault);
}

} // namespace

Result<PatternTexts> splitPatterns(std::string_view text)
{
    const auto context = std::make_shared<ir::Context>();
    CUTAWAY_TRY(const auto graphs, graphsOf(text, context));
    std::vector<std::size_t> starts = startsOf(text);
    if (graphs.empty() || starts.size() != graphs.size())
        return usageError("the patterns are not graphs @before and @after alone");
    starts.push_back(text.size());
    PatternTexts texts;
    std::optional<std::string> open;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const std::string_view name = context->text(graphs[i].name);
        const std::string_view graph = text.substr(starts[i], starts[i + 1] - starts[i]);
        const auto wanted = pairName(name, open ? "after" : "before");
        if (!wanted || (open && *open != *wanted))
            return usageError(formatted("found the graph @{} where a graph @{} is expected", name,
                                        !open               ? "before"
                                            : open->empty() ? "after"
                                                            : *open + ".after"));
        (open ? texts.after : texts.before) += graph;
        open = open ? std::nullopt : wanted;
    }
    if (open)
        return usageError(formatted("the graph @{} has no graph after it", context->text(graphs.back().name)));
    return texts;
}

Result<std::vector<Pattern>> parsePatterns(const PatternTexts &texts, const std::shared_ptr<ir::Context> &context)
{
    CUTAWAY_TRY(auto before, located("before", graphsOf(texts.before, context)));
    CUTAWAY_TRY(auto after, located("after", graphsOf(texts.after, context)));
    if (before.size() != after.size())
        return usageError(formatted("there are {} graphs before and {} after", before.size(), after.size()));
    std::vector<Pattern> patterns;
    for (std::size_t i = 0; i < before.size(); ++i) {
        Pattern pattern{pairName(context->text(before[i].name), "before").value_or(""), std::move(before[i]),
                        std::move(after[i])};
        CUTAWAY_RETURN_IF_ERROR(checked(pattern));
        patterns.push_back(std::move(pattern));
    }
    return patterns;
}

const std::string *captureOf(const Operand &operand)
{
    const auto *expr = operand.as<symbolic::Expr>();
    return expr && expr->kind() == symbolic::Kind::Symbol ? &expr->name() : nullptr;
}

} // namespace cutaway::passes
