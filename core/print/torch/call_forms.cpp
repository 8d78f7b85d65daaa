// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/call_forms.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ops/torch/signatures.h"
#include "core/print/python_names.h"
#include "core/print/torch/call_rows.h"
#include "core/print/torch/holes.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <limits>

namespace cutaway::print {

namespace {

using Given = CallForms::Given;

constexpr std::int64_t maxColons = 8; ///< the limit of colons in x[:, :, 1]: more would not be readable

/// Whether the operand has the value of a fact, such as a default.
bool isFact(const ir::Operand &operand, const ops::Fact &fact)
{
    if (operand.as<ir::None>())
        return fact.as<ops::NoneFact>() != nullptr;
    if (const auto *format = operand.as<ir::MemoryFormat>())
        return fact.as<ir::MemoryFormat>() && *fact.as<ir::MemoryFormat>() == *format;
    if (const auto *list = operand.as<ir::List>()) {
        const auto *items = fact.as<ops::SequenceFact>();
        return items && items->items() && std::ranges::equal(list->items, *items->items(), isFact);
    }
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return false;
    if (const auto *n = operand.as<std::int64_t>()) {
        const auto *dim = std::get_if<ir::Dim>(&number->value);
        return dim && *dim == ir::Dim(*n);
    }
    if (const auto *x = operand.as<double>())
        return number->value == decltype(number->value)(*x);
    if (const auto *b = operand.as<bool>())
        return number->value == decltype(number->value)(*b);
    return false;
}

/// Whether an operand is the default. A default list of one number stands for that number in each dimension: int[2]
/// stride=1.
bool isDefault(const ir::Operand &operand, const ops::Fact &byDefault)
{
    const auto *list = operand.as<ir::List>();
    if (list && byDefault.as<ops::NumberFact>())
        return std::ranges::all_of(list->items, [&](const ir::Operand &item) { return isFact(item, byDefault); });
    return isFact(operand, byDefault);
}

/// Returns the number that all items of a list equal, if torch accepts it in place of the list; else the argument as it
/// is.
const ir::Operand &shortened(const Given &given)
{
    const auto *list = given.value->as<ir::List>();
    const bool isOne = list && given.listSize && !list->items.empty()
        && list->items.size() == static_cast<std::size_t>(*given.listSize) && list->items.front().as<std::int64_t>()
        && std::ranges::all_of(list->items, [&](const ir::Operand &item) { return item == list->items.front(); });
    return isOne ? list->items.front() : *given.value;
}

/// Returns the fixed size of a list type: 2 for "int[2]" and "int[2]?".
std::optional<std::int64_t> listSizeOf(const ops::SchemaType &type)
{
    const bool isOptional = type.kind == ops::SchemaType::Kind::Optional && !type.elements.empty();
    return isOptional ? type.elements.front().listSize : type.listSize;
}

bool readsNothing(const ir::Operand &operand)
{
    bool reads = operand.as<ir::TensorId>() != nullptr;
    ir::forEachValue(operand, [&](ir::ValueId) { reads = true; });
    return !reads;
}

std::string bracketed(const Expression &expression)
{
    return expression.isAtom ? expression.text : "(" + expression.text + ")";
}

/// Fills in a pattern, which consists of text and of parameters "$name", "$0", "$*".
class PatternFiller {
public:
    PatternFiller(const std::vector<Given> &given, const OperandCode &operand) : m_given(given), m_operand(operand) { }

    std::optional<std::string> fill(std::string_view pattern)
    {
        std::string text;
        std::vector<bool> isUsed(m_given.size());
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] != '$') {
                text += pattern[i];
                continue;
            }
            std::size_t end = i + 1;
            while (end < pattern.size()
                   && (std::isalnum(static_cast<unsigned char>(pattern[end])) || pattern[end] == '_'))
                ++end;
            const std::string_view name = pattern.substr(i + 1, end - i - 1);
            const bool spreads = end < pattern.size() && pattern[end] == '*';
            if (name.empty()) { // "$*" stands for all remaining arguments, "$-" omits them
                text += spreads ? rest(isUsed, pattern.front()) : "";
                std::ranges::fill(isUsed, true);
                i = end;
                continue;
            }
            const auto place = find(name);
            if (!place)
                return std::nullopt;
            isUsed[*place] = true;
            text += spreads ? spread(m_given[*place]) : argument(m_given[*place], text, pattern.substr(end));
            i = spreads ? end : end - 1;
        }
        for (std::size_t i = 0; i < m_given.size(); ++i)
            if (!isUsed[i] && !isWithoutEffect(m_given[i].name))
                return std::nullopt;
        return text;
    }

    /// Returns torch's indexing operators in Python's brackets: "x[:, 2]", "x[:, 1:n]", "x[rows, :, columns]".
    std::optional<std::string> indexed(std::string_view form)
    {
        const auto items = form == "#indices" ? indices() : form == "#select" ? selection() : slice();
        if (!items || m_given.empty())
            return std::nullopt;
        const bool isAll = std::ranges::all_of(*items, [](char c) { return std::string_view(":, ").contains(c); });
        if (isAll) // a slice of everything is the tensor itself
            return expression(*m_given.front().value, m_given.front().name).text;
        return bracketed(expression(*m_given.front().value, m_given.front().name)) + "[" + *items + "]";
    }

    int depth() const { return m_depth; }

private:
    std::optional<std::size_t> find(std::string_view name) const
    {
        if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') {
            const auto place = static_cast<std::size_t>(name[0] - '0');
            return place < m_given.size() ? std::optional(place) : std::nullopt;
        }
        const auto found = std::ranges::find(m_given, name, &Given::name);
        return found == m_given.end() ? std::nullopt : std::optional(found - m_given.begin());
    }

    const Given *named(std::string_view name) const
    {
        const auto place = find(name);
        return place ? &m_given[*place] : nullptr;
    }

    std::optional<std::string> indices()
    {
        const Given *given = named("indices");
        const auto *list = given ? given->value->as<ir::List>() : nullptr;
        if (!list || list->items.empty())
            return std::nullopt;
        std::string text;
        for (const ir::Operand &item : list->items)
            text += (text.empty() ? "" : ", ") + (item.as<ir::None>() ? ":" : expression(item, "index").text);
        return text;
    }

    /// Returns ":, :, ", a colon for each dimension before the one that the argument "dim" names.
    std::optional<std::string> dimensionsBefore() const
    {
        const Given *given = named("dim");
        const auto *dim = given ? given->value->as<std::int64_t>() : nullptr;
        if ((given && !dim) || (dim && (*dim < 0 || *dim > maxColons)))
            return std::nullopt;
        std::string text;
        for (std::int64_t i = 0; dim && i < *dim; ++i)
            text += ":, ";
        return text;
    }

    std::optional<std::string> selection()
    {
        const Given *index = named("index");
        auto text = dimensionsBefore();
        return text && index ? std::optional(*text + expression(*index->value, "index").text) : std::nullopt;
    }

    std::optional<std::string> slice()
    {
        auto text = dimensionsBefore();
        const auto part = [&](std::string_view name) {
            const Given *given = named(name);
            const bool isAll = !given || given->value->as<ir::None>()
                || *given->value == ir::Operand(std::numeric_limits<std::int64_t>::max())
                || (name == "start" && *given->value == ir::Operand(std::int64_t{0}));
            return isAll ? "" : expression(*given->value, name).text;
        };
        if (!text)
            return std::nullopt;
        const std::string start = part("start");
        const std::string end = part("end");
        const std::string step = part("step");
        return *text + start + ":" + end + (step.empty() ? "" : ":" + step);
    }

    Expression expression(const ir::Operand &operand, std::string_view name)
    {
        Expression made = m_operand(operand, name);
        m_depth = std::max(m_depth, made.depth);
        return made;
    }

    std::string argument(const Given &given, std::string_view before, std::string_view after)
    {
        const bool opens = before.ends_with('(') || before.ends_with('[') || before.ends_with(", ")
            || (before.ends_with('=') && !before.ends_with(' '));
        const bool isAlone = (before.empty() && after.empty())
            || (opens && !after.empty() && std::string_view("),]").contains(after.front()));
        const Expression made = expression(shortened(given), given.name);
        return isAlone ? made.text : bracketed(made);
    }

    std::string spread(const Given &given)
    {
        const auto *list = given.value->as<ir::List>();
        if (!list || list->items.empty())
            return expression(*given.value, given.name).text;
        std::string text;
        for (const ir::Operand &item : list->items)
            text += (text.empty() ? "" : ", ") + expression(item, given.name).text;
        return text;
    }

    std::string rest(const std::vector<bool> &isUsed, char bracket)
    {
        std::string text;
        std::size_t count = 0;
        for (std::size_t i = 0; i < m_given.size(); ++i) {
            if (isUsed[i])
                continue;
            text += count == 0 ? "" : bracket == '{' && count % 2 == 1 ? ": " : ", ";
            text += expression(*m_given[i].value, m_given[i].name).text;
            ++count;
        }
        return bracket == '(' && count == 1 ? text + "," : text;
    }

    const std::vector<Given> &m_given;
    const OperandCode &m_operand;
    int m_depth = 0;
};

/// Whether an expression of this pattern needs no brackets beside an operator.
bool isAtomic(std::string_view pattern)
{
    int depth = 0;
    for (const char c : pattern) {
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth == 0 && c == ' ')
            return false;
    }
    return !pattern.starts_with('-') && !pattern.starts_with('~');
}

} // namespace

std::string CallForms::nameOf(const ir::NodeRef &node) const
{
    return std::string(node.dialect()) + "::" + std::string(node.opName());
}

std::vector<Given> CallForms::givenTo(const ir::NodeRef &node)
{
    const ops::Signature *signature = m_signatures.of(node->op);
    std::vector<Given> given;
    // Operators of prim are called in the order of their arguments, whatever names their schemas have for these.
    if (!signature || signature->schema.moreArguments || node.dialect() == "prim") {
        for (const ir::Argument &argument : node->arguments)
            given.push_back({m_model.context->text(argument.name),
                             &argument.value,
                             argument.name == ir::NameId{} || node.dialect() == "prim",
                             {}});
        return given;
    }
    bool isGapless = true;
    const auto &declared = signature->schema.arguments;
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const ir::Operand *value = ops::givenArgument(node, signature, declared[i].name);
        const bool isOptional = declared[i].defaultValue.has_value();
        const bool saysSomething =
            value && !(isOptional && (isDefault(*value, signature->defaults[i]) || isWithoutEffect(declared[i].name)));
        isGapless = isGapless && saysSomething && !declared[i].keywordOnly;
        if (saysSomething)
            given.push_back({declared[i].name, value, isGapless && (!isOptional || !readsNothing(*value)),
                             listSizeOf(declared[i].type)});
    }
    return given;
}

bool CallForms::unpacks(const ir::NodeRef &node)
{
    if (m_spellings.of(node->op).unpacks)
        return true;
    const ops::Signature *signature = m_signatures.of(node->op);
    if (!signature || signature->schema.returns.size() != 1
        || signature->schema.returns.front().type.kind != ops::SchemaType::Kind::List)
        return false;
    // torch.export has the items of a list as results; TorchScript has the list.
    return node->outputs.size() != 1 || std::holds_alternative<ir::TensorType>(node.output(0).type());
}

bool CallForms::isDType(const ir::NodeRef &node) { return m_spellings.of(node->op).pattern == oneDType; }

bool CallForms::hasPattern(const ir::NodeRef &node, std::string_view pattern) const
{
    const auto rows = callRows(node.dialect(), node.opName());
    const auto row = std::ranges::find_if(
        rows, [&](const CallRow *each) { return each->overload.empty() || each->overload == node.overload(); });
    return (row == rows.end() ? patternOf(node.dialect(), node.opName()) : (*row)->pattern) == pattern;
}

bool CallForms::writesAList(const ir::NodeRef &node)
{
    const ops::Signature *signature = m_signatures.of(node->op);
    return signature && std::ranges::any_of(signature->schema.arguments, [](const ops::SchemaArgument &argument) {
               return argument.type.isWritten() && argument.type.kind != ops::SchemaType::Kind::Plain;
           });
}

/// Whether an operator has a tensor among its parameters, or makes a tensor and has pin_memory as its last parameter,
/// like aten::zeros. torch has functions for both.
bool CallForms::ofTensors(const ir::NodeRef &node)
{
    const ops::Signature *signature = m_signatures.of(node->op);
    if (!signature || signature->schema.returns.empty())
        return false;
    const auto isTensor = [](const ops::SchemaArgument &argument) {
        const ops::SchemaType *type = &argument.type;
        while (!type->elements.empty())
            type = &type->elements.front();
        return type->name == "Tensor";
    };
    const auto &arguments = signature->schema.arguments;
    return !arguments.empty() && isTensor(signature->schema.returns.front())
        ? std::ranges::any_of(arguments, isTensor) || arguments.back().name == "pin_memory"
        : std::ranges::any_of(arguments, isTensor);
}

Expression CallForms::call(std::string callee, const std::vector<Given> &given, const OperandCode &operand) const
{
    // The overloads of torch.ops require a list where others accept a number.
    const bool mayShorten = !callee.starts_with("torch.ops.");
    Expression made{std::move(callee) + "("};
    bool isFirst = true;
    for (const Given &each : given) {
        const Expression value = operand(mayShorten ? shortened(each) : *each.value, each.name);
        made.depth = std::max(made.depth, value.depth);
        made.text += isFirst ? "" : ", ";
        if (!each.isPositional && !each.name.empty())
            made.text += isIdentifier(each.name) ? std::string(each.name) + "=" : "**{" + quote(each.name) + ": ";
        made.text += value.text;
        if (!each.isPositional && !each.name.empty() && !isIdentifier(each.name))
            made.text += "}";
        isFirst = false;
    }
    made.text += ")";
    ++made.depth;
    return made;
}

std::optional<Expression> CallForms::byPattern(const ir::NodeRef &node, const std::vector<Given> &given,
                                               const OperandCode &operand)
{
    const auto made = [&](std::string_view pattern) -> std::optional<Expression> {
        PatternFiller filler(given, operand);
        const std::size_t form = pattern.find('#');
        auto text = form == pattern.npos ? filler.fill(pattern)
                                         : filler.indexed(pattern.substr(form, pattern.size() - form - 1));
        return text ? std::optional(Expression{*std::move(text), isAtomic(pattern), filler.depth() + 1}) : std::nullopt;
    };
    for (const CallRow *row : callRows(node.dialect(), node.opName())) {
        const bool fits = row->overload.empty() || row->overload == node.overload();
        const bool startsWithNumber = !given.empty() && given.front().value->as<ir::ValueId>() == nullptr;
        if (fits && !(row->needsTensor && startsWithNumber))
            if (auto expression = made(row->pattern))
                return expression;
    }
    const std::string_view spelled = m_spellings.of(node->op).pattern;
    return spelled.empty() || spelled.contains("$T") ? std::nullopt : made(spelled);
}

std::string CallForms::augmented(const ir::NodeRef &node)
{
    const auto given = givenTo(node);
    return given.size() == 2 && given.front().value->as<ir::ValueId>()
        ? augmentedOperator(node.dialect(), node.opName())
        : std::string();
}

/// Returns the name under which torch registers the overload: "torch.ops.aten.add.Tensor".
std::string CallForms::registeredName(const ir::NodeRef &node) const
{
    std::string name = "torch.ops." + dottedName(node.dialect()) + "." + identifierFrom(node.opName());
    const std::string_view overload = node.overload();
    const bool isKnown = ops::Signatures(*m_model.context).of(node->op) != nullptr;
    if (!overload.empty() && overload != "default")
        name += "." + identifierFrom(overload);
    else if (isKnown)
        name += ".default";
    return name;
}

Result<Expression> CallForms::of(const ir::NodeRef &node, const OperandCode &operand)
{
    std::vector<Given> given = givenTo(node);
    if (auto expression = byPattern(node, given, operand))
        return *std::move(expression);
    const std::string name = nameOf(node);
    if (node.isOnnx() || node.dialect().contains('.') || node.dialect() == "prim")
        return usageError(formatted("torch has no operator {}", name));
    if (writesAList(node))
        return usageError(formatted("{} writes to a list, for which there is no form", name));
    if (!given.empty())
        given.front().isPositional = true;
    const bool hasReceiver = !given.empty() && given.front().value->as<ir::ValueId>();
    switch (ofTensors(node) ? callKind(node.dialect(), node.opName()) : CallKind::Registered) {
    case CallKind::Method:
        if (hasReceiver) {
            const Expression receiver = operand(*given.front().value, given.front().name);
            const std::vector<Given> rest(given.begin() + 1, given.end());
            Expression made = call(bracketed(receiver) + "." + std::string(node.opName()), rest, operand);
            made.depth = std::max(made.depth, receiver.depth + 1);
            return made;
        }
        break;
    case CallKind::Function:
        return call("torch." + std::string(node.opName()), given, operand);
    case CallKind::Functional:
        return call("F." + std::string(node.opName()), given, operand);
    case CallKind::Registered:
        break;
    }
    return call(registeredName(node), given, operand);
}

} // namespace cutaway::print
