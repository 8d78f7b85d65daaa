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

// The types of new values come from the operators' own shape rules.

namespace cutaway::rules::to_aten {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// Returns the operand for a default value of a parameter.
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

/// Returns the type of a fact, with the device of `like`; nothing if a file cannot represent it.
std::optional<ir::Type> typeOf(const ops::Fact &fact, const ir::TensorType *like)
{
    if (const auto *number = fact.as<ops::NumberFact>()) {
        ir::NumberType type{.kind = number->kind, .value = {}};
        if (const auto *dim = std::get_if<ir::Dim>(&number->value))
            if (const auto *expr = std::get_if<symbolic::Expr>(dim))
                type.value = *expr;
        return type;
    }
    const ops::TensorFact *tensor = ops::asTensor(fact);
    if (!tensor || !tensor->dtype)
        return std::nullopt;
    ir::TensorType type;
    type.dtype = tensor->dtype;
    type.shape = tensor->shape;
    if (like)
        type.device = like->device;
    return type;
}

/// Whether the rank or a size of a tensor is not known.
bool isOpen(const ops::Fact &fact)
{
    const ops::TensorFact *tensor = ops::asTensor(fact);
    return tensor && (!tensor->shape || !std::ranges::all_of(*tensor->shape, ops::isKnown));
}

bool readsOpen(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    bool reads = false;
    for (const ir::Argument &each : node->arguments)
        ir::forEachValue(each.value, [&](ValueId value) { reads = reads || isOpen(rewriter.fact(value)); });
    return reads;
}

/// Returns the dtype in which torch.autocast lets this node compute, if its result has that dtype and none of its
/// arguments has.
std::optional<ir::DType> autocastType(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    const ops::Operator *row = rewriter.row(node);
    const auto made = node.outputCount() > 0 ? dtypeIn(rewriter.fact(node.output(0).id())) : std::nullopt;
    if (!row || row->traits.cpuAutocast != ops::CastTo::Lower || !made || !isHalf(*made))
        return std::nullopt;
    bool isCast = true;
    for (const ir::Argument &each : node->arguments)
        ir::forEachValue(each.value, [&](ValueId value) {
            isCast = isCast && dtypeIn(rewriter.fact(value)).value_or(ir::DType::Float32) == ir::DType::Float32;
        });
    return isCast ? made : std::nullopt;
}

/// Records that the node's result is row-major where this is certain: products and new tensors, contiguous copies,
/// views of row-major tensors, and results of operators that keep the order of row-major tensors of the same shape.
void noteLayout(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const NodeRef &node)
{
    const ops::Operator *row = rewriter.row(node);
    const auto shape = tensorIn(rewriter.fact(node.output(0).id()));
    if (!row || !shape)
        return;
    bool areRowMajor = true, areAlike = true;
    for (const ir::Argument &each : node->arguments)
        ir::forEachValue(each.value, [&](ValueId value) {
            const auto read = tensorIn(rewriter.fact(value));
            areRowMajor = areRowMajor && (!read || layouts.isRowMajor(value));
            areAlike = areAlike && read && std::ranges::equal(read->shape, shape->shape, ops::isSame);
        });
    static constexpr std::array products{"mm", "addmm", "bmm", "baddbmm", "full", "arange", "scalar_tensor"};
    const auto *format = node.argument("memory_format");
    const bool copies = format && *format == Operand(ir::MemoryFormat::Contiguous);
    const bool isView = rewriter.kind(node) == ops::kind::reshape;
    const bool keepsOrder = row->pattern == ops::Pattern::Pointwise || row->pattern == ops::Pattern::AlongAxis;
    if (std::ranges::contains(products, node.opName()) || copies || (isView && areRowMajor)
        || (keepsOrder && areRowMajor && areAlike))
        layouts.setRowMajor(node.output(0));
}

} // namespace

AtenMaker::AtenMaker(rewrite::Rewriter &rewriter, rewrite::Layouts &layouts, const NodeRef &node)
    : Node(node, rewriter.call(node), rewriter.signature(node->op),
           [&rewriter](const Operand &operand) { return rewriter.fact(operand); }),
      m_rewriter(rewriter),
      m_layouts(layouts),
      m_sizes(rewriter, node, m_made)
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

std::string AtenMaker::spoken(const Term &x) const
{
    const auto &arguments = node()->arguments;
    const auto found = std::ranges::find(arguments, x.operand, &ir::Argument::value);
    return found == arguments.end()   ? "what it computes with"
        : found->name == ir::NameId{} ? spoken(found - arguments.begin())
                                      : spoken(m_rewriter.context().text(found->name));
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
    assert(known && "core/ops/schemas has no operator of this name and overload");
    std::vector<ir::Argument> named;
    std::size_t position = 0;
    for (const With &given : arguments) {
        const auto &declared = known->schema.arguments;
        assert(!given.name.empty() || position < declared.size());
        const auto parameter = given.name.empty() ? declared.begin() + static_cast<std::ptrdiff_t>(position++)
                                                  : std::ranges::find(declared, given.name, &ops::SchemaArgument::name);
        assert(parameter != declared.end() && "the operator has no parameter of this name");
        if (!given.value.as<ir::None>() || !parameter->defaultValue)
            named.push_back({m_rewriter.text(parameter->name), given.value});
    }
    const NodeRef node = insert("aten", name, overload, std::move(named));
    for (std::size_t i = 0; i < results; ++i)
        m_rewriter.addOutput(node, {}, i == 0 ? name : std::string_view());
    giveTypes(node);
    noteLayout(m_rewriter, m_layouts, node);
    std::vector<Term> terms;
    for (const ValueId output : node->outputs)
        terms.push_back(term(output));
    return terms;
}

void AtenMaker::giveTypes(const NodeRef &node)
{
    const ops::Operator *row = m_rewriter.row(node);
    const ops::Facts facts = row && row->shape ? row->shape(m_rewriter.call(node)).facts : ops::Facts();
    const ir::TensorType *like = this->node().outputCount() > 0 ? this->node().output(0).tensorType() : nullptr;
    const bool mayBeOpen = readsOpen(m_rewriter, node);
    const auto lowered =
        row && row->traits.cpuAutocast == ops::CastTo::Lower ? autocastType(m_rewriter, this->node()) : std::nullopt;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        auto type = i < facts.size() ? typeOf(facts[i], like) : std::nullopt;
        if (auto *tensor = type && lowered ? std::get_if<ir::TensorType>(&*type) : nullptr)
            tensor->dtype = lowered;
        if (type)
            m_rewriter.setType(node.output(i), m_rewriter.context().type(*type));
        m_isComplete = m_isComplete && type && (mayBeOpen || !isOpen(facts[i]));
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
        if (const auto type = isOpen(facts[i]) ? std::nullopt : typeOf(facts[i], nullptr))
            m_rewriter.setType(node().output(i), m_rewriter.context().type(*type));
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
    const auto found = m_sizes.operandOf(dim);
    if (!found)
        refuse(ops::isKnown(dim) ? formatted("no tensor at hand has the size {}", ir::print(dim))
                                 : "a size is not known");
    return found.value_or(Operand());
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

/// Returns the device of the node's result, if the file records it.
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

} // namespace cutaway::rules::to_aten
