// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/aten_maker.h"

#include "core/base/formatted.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/tensor/view.h"
#include "core/rewrite/layouts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

// Types of what is made come from the operators' own shape rules. Sizes that are not numbers are read from what the
// node reads: a dimension that is equal, or else computed from such ones as the formula says.

namespace cutaway::rules::to_aten {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

bool isHalf(ir::DType dtype) { return dtype == ir::DType::Float16 || dtype == ir::DType::BFloat16; }

/// Python's operator on a torch.SymInt that computes `kind`; empty if there is none.
std::string_view pythonFunction(symbolic::Kind kind)
{
    switch (kind) {
    case symbolic::Kind::Add:
        return "add";
    case symbolic::Kind::Multiply:
        return "mul";
    case symbolic::Kind::FloorDivide:
        return "floordiv";
    case symbolic::Kind::Modulo:
        return "mod";
    default:
        return {};
    }
}

/// The default of a parameter.
Operand operandOf(const ops::Fact &fact)
{
    if (const auto *number = fact.as<ops::NumberFact>()) {
        if (const auto *dim = std::get_if<ir::Dim>(&number->value); dim && ops::number(*dim))
            return *ops::number(*dim);
        if (const auto *real = std::get_if<double>(&number->value))
            return *real;
        if (const auto *flag = std::get_if<bool>(&number->value))
            return *flag;
        return {};
    }
    if (const auto *dtype = fact.as<ir::DType>())
        return *dtype;
    if (const auto *format = fact.as<ir::MemoryFormat>())
        return *format;
    if (const auto *list = fact.as<ops::SequenceFact>()) {
        ir::List items;
        for (const ops::Fact &item : list->each())
            items.items.push_back(operandOf(item));
        return items;
    }
    return {};
}

} // namespace

AtenMaker::AtenMaker(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const NodeRef &node)
    : Node(node, rewriter.call(node), rewriter.signature(node->op),
           [&rewriter](const Operand &operand) { return rewriter.fact(operand); }),
      m_rewriter(rewriter),
      m_layouts(layouts)
{
}

// ---- reading

Term AtenMaker::operator[](Where where)
{
    const Operand *given = operand(where);
    return term(given ? *given : operandOf(at(where)));
}

std::vector<Term> AtenMaker::items(Where where)
{
    const Operand given = (*this)[where];
    const auto *list = given.as<ir::List>();
    if (!list && !given.as<ir::None>())
        refuse(formatted("the items of {} are not known", spoken(where)));
    std::vector<Term> all;
    for (std::size_t i = 0; list && i < list->items.size(); ++i)
        all.push_back(term(list->items[i]));
    return all;
}

/// How a reason calls an operand: as the argument that it is.
std::string AtenMaker::spokenOf(const Operand &operand) const
{
    const auto &arguments = node()->arguments;
    const auto found = std::ranges::find(arguments, operand, &ir::Argument::value);
    if (found == arguments.end())
        return "what it computes with";
    return found->name == ir::NameId{} ? spoken(found - arguments.begin())
                                       : spoken(m_rewriter.context().text(found->name));
}

Node::Tensor AtenMaker::tensor(const Term &x)
{
    auto known = knownTensor(x);
    if (!known)
        refuse(whyNoTensor(fact(x), spokenOf(x)));
    return std::move(known).value_or(Tensor{});
}

bool AtenMaker::isRowMajor(const Operand &operand)
{
    const auto *value = operand.as<ValueId>();
    return value && m_layouts.isRowMajor(*value);
}

// ---- nodes

NodeRef AtenMaker::insert(std::string_view dialect, std::string_view name, std::string_view overload,
                          std::vector<ir::Argument> arguments)
{
    const NodeRef made = m_rewriter.insertBefore(node(), {dialect, name, overload, std::move(arguments)});
    m_made.push_back(made);
    return made;
}

std::vector<Term> AtenMaker::makeAll(AtenName made, std::span<const With> arguments, std::size_t results)
{
    const std::string_view target = made;
    const std::size_t dot = std::min(target.find('.'), target.size());
    const std::string_view name = target.substr(0, dot);
    const std::string_view overload = target.substr(std::min(dot + 1, target.size()));
    const ops::Signature *known = m_rewriter.signature(m_rewriter.context().op("aten", name, overload));
    std::vector<ir::Argument> named;
    std::size_t position = 0;
    for (const With &given : arguments) {
        const auto &declared = known->schema.arguments;
        const auto parameter = given.name.empty() ? declared.begin() + static_cast<std::ptrdiff_t>(position++)
                                                  : std::ranges::find(declared, given.name, &ops::SchemaArgument::name);
        if (!given.value.as<ir::None>() || !parameter->defaultValue)
            named.push_back({m_rewriter.text(parameter->name), given.value});
    }
    const NodeRef node = insert("aten", name, overload, std::move(named));
    for (std::size_t i = 0; i < results; ++i)
        m_rewriter.addOutput(node, {}, i == 0 ? name : std::string_view());
    giveTypes(node);
    noteLayout(node);
    std::vector<Term> terms;
    for (const ValueId output : node->outputs)
        terms.push_back(term(output));
    return terms;
}

/// The type that says what a fact does, if a file can hold it.
static std::optional<ir::Type> typeOf(const ops::Fact &fact, const ir::TensorType *like)
{
    if (const auto *number = fact.as<ops::NumberFact>()) {
        ir::NumberType type{.kind = number->kind, .value = {}};
        if (const auto *dim = std::get_if<ir::Dim>(&number->value))
            if (const auto *expr = std::get_if<symbolic::Expr>(dim))
                type.value = *expr;
        return type;
    }
    const ops::TensorFact *tensor = ops::asTensor(fact);
    if (!tensor || !tensor->dtype || !tensor->shape || !std::ranges::all_of(*tensor->shape, ops::isKnown))
        return std::nullopt;
    ir::TensorType type;
    type.dtype = tensor->dtype;
    type.shape = tensor->shape;
    if (like)
        type.device = like->device;
    return type;
}

void AtenMaker::giveTypes(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    const ops::Facts facts = row && row->shape ? row->shape(m_rewriter.call(node)).facts : ops::Facts();
    const ir::TensorType *like = this->node().outputCount() > 0 ? this->node().output(0).tensorType() : nullptr;
    const auto lowered = row && row->traits.cpuAutocast == ops::CastTo::Lower ? autocastType() : std::nullopt;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        auto type = i < facts.size() ? typeOf(facts[i], like) : std::nullopt;
        if (auto *tensor = type && lowered ? std::get_if<ir::TensorType>(&*type) : nullptr)
            tensor->dtype = lowered;
        if (type)
            m_rewriter.setType(node.output(i), m_rewriter.context().type(*type));
        m_isComplete = m_isComplete && type;
    }
}

void AtenMaker::learnResults()
{
    const ops::Operator *row = m_rewriter.row(node());
    const bool isKnown =
        node().outputCount() == 0 || tensorIn(fact(node().output(0).id())) || node().output(0)->type != ir::TypeId{};
    if (isKnown || !row || !row->shape || !node()->regions.empty())
        return;
    const ops::Facts facts = row->shape(m_rewriter.call(node())).facts;
    for (std::size_t i = 0; i < node().outputCount() && i < facts.size(); ++i)
        if (const auto type = typeOf(facts[i], nullptr))
            m_rewriter.setType(node().output(i), m_rewriter.context().type(*type));
}

/// The dtype that torch.autocast makes of what is computed here: the node's result has it, none of its arguments.
std::optional<ir::DType> AtenMaker::autocastType()
{
    const ops::Operator *row = m_rewriter.row(node());
    const auto made = knownResult();
    if (!row || row->traits.cpuAutocast != ops::CastTo::Lower || !made || !isHalf(made->dtype))
        return std::nullopt;
    bool isCast = true;
    for (const ir::Argument &each : node()->arguments)
        ir::forEachValue(each.value, [&](ValueId value) {
            const auto read = tensorIn(fact(value));
            isCast = isCast && (!read || read->dtype == ir::DType::Float32);
        });
    return isCast ? std::optional(made->dtype) : std::nullopt;
}

/// Records that the node's result is row-major where this is certain: products and new tensors, contiguous copies,
/// views of row-major tensors, and results of operators that keep the order of row-major tensors of the same shape.
void AtenMaker::noteLayout(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    const auto shape = tensorIn(fact(node.output(0).id()));
    if (!row || !shape)
        return;
    bool areRowMajor = true, areAlike = true;
    for (const ir::Argument &each : node->arguments)
        ir::forEachValue(each.value, [&](ValueId value) {
            const auto read = tensorIn(fact(value));
            areRowMajor = areRowMajor && (!read || m_layouts.isRowMajor(value));
            areAlike = areAlike && read && read->shape == shape->shape;
        });
    static constexpr std::array products{"mm", "addmm", "bmm", "baddbmm", "full", "arange", "scalar_tensor"};
    const auto *format = node.argument("memory_format");
    const bool copies = format && *format == Operand(ir::MemoryFormat::Contiguous);
    const bool isView = m_rewriter.kind(node) == ops::kind::reshape;
    const bool keepsOrder = row->pattern == ops::Pattern::Pointwise || row->pattern == ops::Pattern::AlongAxis;
    if (std::ranges::contains(products, node.opName()) || copies || (isView && areRowMajor)
        || (keepsOrder && areRowMajor && areAlike))
        m_layouts.setRowMajor(node.output(0));
}

bool AtenMaker::hasMade(ValueId value) const
{
    const auto maker = ir::ValueRef(m_rewriter.graph(), value).producer();
    return maker && std::ranges::contains(m_made, maker->id());
}

void AtenMaker::undo()
{
    for (const ir::NodeId made : m_made | std::views::reverse)
        m_rewriter.remove(made);
    m_made.clear();
}

// ---- sizes

Operand AtenMaker::size(const ir::Dim &dim)
{
    if (const auto number = ops::number(dim))
        return *number;
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    const auto known =
        expr ? std::ranges::find(m_sizes, *expr, &std::pair<symbolic::Expr, Operand>::first) : m_sizes.end();
    if (known != m_sizes.end())
        return known->second;
    auto made = givenSize(dim);
    if (!made && expr)
        made = computedSize(*expr);
    if (!made)
        refuse(ops::isKnown(dim) ? formatted("no tensor at hand has the size {}", ir::print(dim))
                                 : "a size is not known");
    if (made && expr)
        m_sizes.emplace_back(*expr, *made);
    return made.value_or(Operand());
}

/// A size that an argument is or has.
std::optional<Operand> AtenMaker::givenSize(const ir::Dim &dim)
{
    const std::vector<ir::Argument> arguments = node()->arguments;
    for (const ir::Argument &each : arguments)
        if (auto found = sizeIn(each.value, dim))
            return found;
    for (const ir::FunctionInput &input : m_rewriter.function().inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            if (auto found = sizeIn(input.value, dim))
                return found;
    return std::nullopt;
}

std::optional<Operand> AtenMaker::sizeIn(const Operand &operand, const ir::Dim &dim)
{
    if (const auto *list = operand.as<ir::List>()) {
        for (const Operand &item : list->items)
            if (auto found = sizeIn(item, dim))
                return found;
        return std::nullopt;
    }
    if (!operand.as<ValueId>())
        return std::nullopt;
    const ops::Fact known = m_rewriter.fact(operand);
    if (const auto *number = known.as<ops::NumberFact>()) {
        const auto *value = std::get_if<ir::Dim>(&number->value);
        return value && ops::isSame(*value, dim) ? std::optional(operand) : std::nullopt;
    }
    const auto shape = tensorIn(fact(operand));
    for (std::size_t d = 0; shape && d < shape->rank(); ++d)
        if (ops::isSame(shape->shape[d], dim)) {
            const NodeRef node =
                insert("aten", "sym_size", "int",
                       {{m_rewriter.text("self"), operand}, {m_rewriter.text("dim"), static_cast<std::int64_t>(d)}});
            const auto *expr = std::get_if<symbolic::Expr>(&dim);
            const ir::TypeId type =
                m_rewriter.context().type(ir::NumberType{.value = expr ? std::optional(*expr) : std::nullopt});
            return m_rewriter.addOutput(node, type, "sym_size");
        }
    return std::nullopt;
}

std::optional<Operand> AtenMaker::computedSize(const symbolic::Expr &expr)
{
    const std::string_view function = pythonFunction(expr.kind());
    if (function.empty())
        return std::nullopt;
    const auto dimOf = [](const symbolic::Expr &part) {
        return part.kind() == symbolic::Kind::Integer ? ir::Dim(part.integerValue()) : ir::Dim(part);
    };
    ir::Dim value = dimOf(expr.operands().front());
    Operand made = size(value);
    for (const symbolic::Expr &next : std::span(expr.operands()).subspan(1)) {
        const ir::Dim other = dimOf(next);
        value = dimOf(symbolic::Expr::make(
            expr.kind(),
            {symbolic::Expr(std::holds_alternative<std::int64_t>(value) ? symbolic::Expr::integer(*ops::number(value))
                                                                        : std::get<symbolic::Expr>(value)),
             next}));
        made = madeNumber(function, std::move(made), size(other), value);
    }
    return isRefused() ? std::nullopt : std::optional(made);
}

Operand AtenMaker::madeNumber(std::string_view function, Operand a, const Operand &b, const ir::Dim &value)
{
    if (const auto known = ops::number(value))
        return *known;
    const NodeRef node = insert("_operator", function, "", {{{}, std::move(a)}, {{}, b}});
    const auto *expr = std::get_if<symbolic::Expr>(&value);
    return m_rewriter.addOutput(
        node, m_rewriter.context().type(ir::NumberType{.value = expr ? std::optional(*expr) : std::nullopt}), function);
}

Operand AtenMaker::sizes(std::span<const ir::Dim> dims)
{
    ir::List items;
    for (const ir::Dim &dim : dims)
        items.items.push_back(size(dim));
    return items;
}

Operand AtenMaker::list(const std::vector<std::int64_t> &numbers) { return ir::List{{numbers.begin(), numbers.end()}}; }

Operand AtenMaker::list(const std::vector<Term> &terms) { return ir::List{{terms.begin(), terms.end()}}; }

Operand AtenMaker::word(std::string_view text) { return ir::String{m_rewriter.text(text)}; }

Term AtenMaker::full(const ir::Shape &shape, const Operand &number, ir::DType dtype)
{
    return make("full", {sizes(shape), number, {"dtype", dtype}, {"device", device()}});
}

Term AtenMaker::arange(const ir::Dim &end)
{
    return make("arange.start_step", {0, size(end), 1, {"dtype", ir::DType::Int64}, {"device", device()}});
}

Term AtenMaker::constant(const Numbers &numbers)
{
    const ValueId made = m_rewriter.addConstant("constant", ir::DType::Int64, {std::ssize(numbers)},
                                                ir::encodeNumbers(ir::DType::Int64, ir::Numbers(numbers)));
    return term(made);
}

/// Where the node's result lies, if the file says it.
Operand AtenMaker::device()
{
    const ir::TensorType *type = node().outputCount() > 0 ? node().output(0).tensorType() : nullptr;
    return type && type->device ? Operand(*type->device) : Operand();
}

Term AtenMaker::reshaped(const Term &x, const ir::Shape &shape)
{
    const auto *value = x.operand.as<ValueId>();
    const ops::TensorFact *laidOut = value && m_layouts.isKnown(*value) ? m_layouts.laidOut(*value) : nullptr;
    return view(laidOut && ops::viewed(*laidOut, shape) ? x : rowMajor(x), shape);
}

// ---- terms

static Term pointwise(AtenName function, const Term &a, const Term &b)
{
    const bool isTensor = a.made->isTensor(b);
    return a.made->make(AtenName::computed(std::string(function) + (isTensor ? ".Tensor" : ".Scalar")), {a, b});
}

Term operator+(const Term &a, const Term &b) { return pointwise("add", a, b); }
Term operator-(const Term &a, const Term &b) { return pointwise("sub", a, b); }
Term operator*(const Term &a, const Term &b) { return pointwise("mul", a, b); }
Term operator/(const Term &a, const Term &b) { return pointwise("div", a, b); }
Term operator+(const Term &a, double b) { return pointwise("add", a, a.made->term(b)); }
Term operator-(const Term &a, double b) { return pointwise("sub", a, a.made->term(b)); }
Term operator*(const Term &a, double b) { return pointwise("mul", a, a.made->term(b)); }
Term operator/(const Term &a, double b) { return pointwise("div", a, a.made->term(b)); }
Term operator-(double a, const Term &b) { return -b + a; }
Term operator-(const Term &a) { return applied("neg", a); }

Term where(const Term &condition, const Term &a, const Term &b)
{
    return a.made->make("where.self", {condition, a, b});
}

Term compared(AtenName comparison, const Term &a, const Term &b) { return pointwise(comparison, a, b); }

Term applied(AtenName function, const Term &x) { return x.made->make(function, {x}); }

// ---- what many rules make

Term cast(const Term &x, ir::DType dtype)
{
    const auto known = x.made->knownTensor(x);
    return known && known->dtype == dtype ? x : x.made->make("_to_copy", {x, {"dtype", dtype}});
}

Term widened(const Term &x)
{
    const auto known = x.made->knownTensor(x);
    return known && isHalf(known->dtype) ? cast(x, ir::DType::Float32) : x;
}

Term view(const Term &x, const ir::Shape &shape)
{
    const auto known = x.made->knownTensor(x);
    return known && known->shape == shape ? x : x.made->make("view", {x, x.made->sizes(shape)});
}

Term reshape(const Term &x, const ir::Shape &shape)
{
    return x.made->tensor(x).shape == shape || x.made->isRefused() ? x : x.made->reshaped(x, shape);
}

Term rowMajor(const Term &x)
{
    return x.made->isRowMajor(x) ? x : x.made->make("clone", {x, {"memory_format", ir::MemoryFormat::Contiguous}});
}

Term permute(const Term &x, const std::vector<std::size_t> &order)
{
    if (std::ranges::is_sorted(order))
        return x;
    return x.made->make("permute", {x, AtenMaker::list(std::vector<std::int64_t>(order.begin(), order.end()))});
}

Term transposed(const Term &x, std::size_t a, std::size_t b)
{
    const auto known = x.made->knownTensor(x);
    std::vector<std::size_t> order(std::max({known ? known->rank() : 0, a + 1, b + 1}));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[a], order[b]);
    return permute(x, order);
}

Term expand(const Term &x, const ir::Shape &shape)
{
    const auto known = x.made->knownTensor(x);
    return known && known->shape == shape ? x : x.made->make("expand", {x, x.made->sizes(shape)});
}

Term unsqueeze(const Term &x, std::int64_t dim) { return x.made->make("unsqueeze", {x, dim}); }

Term squeeze(const Term &x, std::int64_t dim) { return x.made->make("squeeze.dim", {x, dim}); }

Term slice(const Term &x, std::size_t dim, const Operand &start, const Operand &end)
{
    return x.made->make("slice.Tensor", {x, static_cast<std::int64_t>(dim), start, end});
}

Term concat(const std::vector<Term> &parts, std::int64_t dim)
{
    return parts.front().made->make("cat", {AtenMaker::list(parts), dim});
}

Term matmul(const Term &a, const Term &b) { return a.made->make("matmul", {a, b}); }

Term sum(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim)
{
    return x.made->make("sum.dim_IntList", {x, AtenMaker::list(dims), keepDim});
}

Term mean(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim)
{
    return x.made->make("mean.dim", {x, AtenMaker::list(dims), keepDim});
}

} // namespace cutaway::rules::to_aten
