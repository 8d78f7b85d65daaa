// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_graph.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <ranges>

// Sizes that are not fixed are read from tensors of the region, once in each region, as torch.export does it: from a
// tensor that has just this size, or else the size is computed from the symbols in its formula.

namespace cutaway::convert {

namespace {

using ir::Operand;
using symbolic::Expr;
using symbolic::Kind;

bool isNumbered(std::string_view name, std::string_view prefix)
{
    return name.starts_with(prefix) && name.size() > prefix.size()
        && std::ranges::all_of(name.substr(prefix.size()), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns a name without a number at its end, "split" for "split_1", since torch.fx changes such names.
std::string_view withoutNumber(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    return end != name.npos && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end) : name;
}

ir::TensorType typeOfTensor(const ir::Tensor &tensor)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
    if (tensor.strides)
        type.strides = ir::Shape(tensor.strides->begin(), tensor.strides->end());
    type.requiresGrad = tensor.requiresGrad;
    return type;
}

/// Returns the name that torch.fx gives a node according to its operator: "split_with_sizes_default", "max_dim",
/// "cond".
std::string nameOfFx(const ir::NodeRef &node)
{
    std::string full(node.opName());
    if (node->regions.empty())
        full += "." + std::string(node.overload().empty() ? "default" : node.overload());
    std::string name;
    for (const char c : full) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper && !name.empty() && name.back() >= 'a' && name.back() <= 'z')
            name += '_';
        name += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return programName(name);
}

} // namespace

ir::DType dtypeOf(ir::NumberType::Kind kind)
{
    using Number = ir::NumberType::Kind;
    return kind == Number::Bool ? ir::DType::Bool : kind == Number::Float ? ir::DType::Float64 : ir::DType::Int64;
}

ir::TensorType scalarType(ir::DType dtype)
{
    ir::TensorType type;
    type.dtype = dtype;
    type.shape = ir::Shape();
    return type;
}

ProgramNode scalarTensor(const Operand &number, ir::DType dtype)
{
    return {"aten", "scalar_tensor", "default", {{"s", number}, {"dtype", dtype}}};
}

ProgramGraph::Inside::Inside(ProgramGraph &graph, ir::RegionId region)
    : m_graph(graph),
      m_around(graph.m_region),
      m_sizes(graph.m_sizes),
      m_sources(graph.m_sources)
{
    graph.m_region = region;
    std::erase_if(graph.m_sizes, [](const auto &size) { return size.second.template as<ir::ValueId>(); });
}

ProgramGraph::Inside::~Inside()
{
    m_graph.m_region = m_around;
    m_graph.m_sizes = std::move(m_sizes);
    m_graph.m_sources = std::move(m_sources);
}

ir::ValueId ProgramGraph::Inside::taken(ir::ValueId number, ir::ValueId tensor)
{
    const ir::NodeId node = m_graph.add({"aten", "item", "default", {{"self", tensor}}});
    const ir::NameId name = m_graph.context().name(m_graph.m_names.fresh("item"));
    const ir::ValueId made = m_graph.m_graph.addOutput(node, name, m_graph.m_graph.at(number).type);
    for (const auto &[size, operand] : m_sizes)
        if (operand == ir::Operand(number))
            m_graph.m_sizes.insert_or_assign(size, made);
    return made;
}

ProgramGraph::ProgramGraph(ir::Model &model) : m_model(model), m_graph(model.context) { }

// ---- nodes

ir::NodeId ProgramGraph::add(const ProgramNode &node)
{
    ir::NodeDraft draft;
    draft.op = context().op(node.dialect, node.name, node.overload);
    if (m_source) {
        draft.scope = (*m_source)->scope;
        draft.location = (*m_source)->location;
    }
    for (const auto &[name, value] : node.arguments)
        draft.arguments.push_back({name.empty() ? ir::NameId{} : context().name(name), value});
    m_made.push_back(m_graph.append(m_region, std::move(draft)));
    return m_made.back();
}

ir::ValueId ProgramGraph::addResult(ir::NodeId node, const ir::Type &type, std::string_view wanted)
{
    const ir::ValueId made =
        m_graph.addOutput(node, context().name(m_names.fresh(programName(wanted))), context().type(renamed(type)));
    enterType(made, type);
    return made;
}

ir::ValueId ProgramGraph::make(const ProgramNode &node, const ir::Type &type, std::string_view wanted)
{
    return addResult(add(node), type, wanted);
}

ir::ValueId ProgramGraph::makeScalar(const Operand &number, ir::DType dtype)
{
    return make(scalarTensor(number, dtype), scalarType(dtype), "scalar_tensor");
}

ir::ValueId ProgramGraph::copy(ir::ValueId tensor)
{
    const ir::NodeId node = add({"aten", "clone", "default", {{"self", tensor}}});
    return m_graph.addOutput(node, context().name(m_names.fresh("clone")), m_graph.at(tensor).type);
}

ir::ValueId ProgramGraph::addInput(std::string_view wanted, const ir::Type &type, ir::RegionId region)
{
    const ir::ValueId made =
        m_graph.addInput(region, context().name(m_names.fresh(programName(wanted))), context().type(renamed(type)));
    enterType(made, type);
    return made;
}

ir::ValueId ProgramGraph::weight(ir::TensorId id)
{
    const auto [known, isNew] = m_weights.try_emplace(id);
    if (!isNew)
        return known->second;
    ir::Tensor &tensor = m_model.tensors.edit(id.index);
    tensor.name = context().name(m_attributes.fresh(context().text(tensor.name)));
    const std::string_view prefix = tensor.kind == ir::Tensor::Kind::Parameter ? "p_"
        : tensor.kind == ir::Tensor::Kind::Buffer                              ? "b_"
                                                                               : "c_";
    const std::string name = m_names.fresh(std::string(prefix) + programName(context().text(tensor.name)));
    return known->second =
               m_graph.addWeight(ir::Graph::body, context().name(name), context().type(typeOfTensor(tensor)), id);
}

void ProgramGraph::keepWeight(ir::TensorId tensor)
{
    weight(tensor);
    m_kept.insert(tensor);
}

bool ProgramGraph::isListed(ir::TensorId tensor, ir::ValueId value) const
{
    return m_kept.contains(tensor) || !m_graph.at(value).uses.empty();
}

ir::ValueId ProgramGraph::constant(std::string_view wanted, ir::DType dtype, std::vector<std::int64_t> shape,
                                   std::span<const std::byte> bytes)
{
    const std::uint32_t storage = m_model.storages.append(
        {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())}, bytes.size()});
    ir::Tensor tensor;
    tensor.name = context().name(programName(wanted));
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.storage = ir::StorageId{storage};
    return weight(ir::TensorId{m_model.tensors.append(std::move(tensor))});
}

// ---- sizes

symbolic::Expr ProgramGraph::freshSymbol(std::string_view prefix)
{
    const std::string name = formatted("a number of data {}", m_prefixes.size());
    m_prefixes.emplace(name, prefix);
    return Expr::symbol(name);
}

/// Returns the program's symbol for a symbol of the source. As in torch, s0 and s1 stand for sizes, u0 and u1 for
/// numbers that depend on data.
std::string ProgramGraph::symbolNamed(const std::string &name)
{
    const auto known = m_symbols.find(name);
    if (known != m_symbols.end())
        return known->second;
    const auto other = m_prefixes.find(name);
    const std::string prefix = other == m_prefixes.end() ? "s" : other->second;
    std::string given = isNumbered(name, prefix) && m_symbolNames.take(name) ? name : std::string();
    for (int n = 0; given.empty(); ++n)
        if (std::string next = prefix + std::to_string(n); m_symbolNames.take(next))
            given = std::move(next);
    return m_symbols.emplace(name, given).first->second;
}

ir::Dim ProgramGraph::renamed(const ir::Dim &dim)
{
    const auto *expr = std::get_if<Expr>(&dim);
    if (!expr)
        return dim;
    symbolic::Replacements replacements;
    for (const std::string &name : symbolic::symbolsOf(*expr))
        replacements.emplace(name, Expr::symbol(symbolNamed(name)));
    const auto made = symbolic::replace(*expr, replacements);
    return made ? ir::Dim(*made) : ir::Dim(ir::UnknownDim{});
}

std::map<std::string, std::string> ProgramGraph::symbols() const
{
    std::set<std::string> used;
    const auto enter = [&](const Expr &expr) { used.merge(symbolic::symbolsOf(expr)); };
    for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index) {
        const ir::ValueRef value(m_graph, id);
        if (const auto maker = value.producer(); maker && (*maker)->removed)
            continue;
        if (const auto *tensor = value.tensorType(); tensor && tensor->shape)
            for (const ir::Dim &dim : *tensor->shape)
                if (const auto *expr = std::get_if<Expr>(&dim))
                    enter(*expr);
        if (const auto *number = std::get_if<ir::NumberType>(&value.type()); number && number->value)
            enter(*number->value);
    }
    std::map<std::string, std::string> known = m_symbols;
    std::erase_if(known, [&](const auto &each) { return !used.contains(each.second); });
    return known;
}

ir::Type ProgramGraph::renamed(const ir::Type &type)
{
    if (const auto *tensor = std::get_if<ir::TensorType>(&type)) {
        ir::TensorType made = *tensor;
        for (std::optional<ir::Shape> *dims : {&made.shape, &made.strides})
            if (*dims)
                std::ranges::transform(**dims, (*dims)->begin(), [&](const ir::Dim &dim) { return renamed(dim); });
        return made;
    }
    const auto *number = std::get_if<ir::NumberType>(&type);
    if (!number || !number->value)
        return type;
    ir::NumberType made = *number;
    const ir::Dim value = renamed(ir::Dim(*number->value));
    made.value = std::holds_alternative<Expr>(value) ? std::optional(std::get<Expr>(value)) : std::nullopt;
    return made;
}

/// Notes which sizes can be read from dimensions of the value, or are the value itself.
void ProgramGraph::enterType(ir::ValueId value, const ir::Type &type)
{
    if (const auto *number = std::get_if<ir::NumberType>(&type); number && number->value)
        m_sizes.try_emplace(symbolic::print(*number->value), value);
    const auto *tensor = std::get_if<ir::TensorType>(&type);
    if (!tensor || !tensor->shape)
        return;
    for (std::size_t d = 0; d < tensor->shape->size(); ++d)
        if (const auto *expr = std::get_if<Expr>(&(*tensor->shape)[d]))
            m_sources.try_emplace(symbolic::print(*expr), value, static_cast<std::int64_t>(d));
}

std::optional<Operand> ProgramGraph::size(const ir::Dim &dim)
{
    if (const auto whole = ops::number(dim))
        return Operand(*whole);
    const auto *expr = std::get_if<Expr>(&dim);
    if (!expr)
        return std::nullopt;
    const std::string key = symbolic::print(*expr);
    if (const auto known = m_sizes.find(key); known != m_sizes.end())
        return known->second;
    std::optional<Operand> made;
    if (const auto source = m_sources.find(key); source != m_sources.end())
        made =
            Operand(make({"aten", "sym_size", "int", {{"self", source->second.first}, {"dim", source->second.second}}},
                         ir::NumberType{ir::NumberType::Kind::Int, *expr}, "sym_size_int"));
    else
        made = computedSize(*expr);
    if (made)
        m_sizes.insert_or_assign(key, *made);
    return made;
}

Operand ProgramGraph::arithmetic(std::string_view dialect, std::string_view function, const Operand &a,
                                 const Operand &b, const Expr &value)
{
    return make({dialect, function, {}, {{"a", a}, {"b", b}}}, ir::NumberType{ir::NumberType::Kind::Int, value},
                function);
}

std::optional<Operand> ProgramGraph::computedSize(const Expr &expr)
{
    struct Row {
        Kind kind;
        std::string_view dialect, function;
    };
    static constexpr Row rows[] = {{Kind::Add, "_operator", "add"},
                                   {Kind::Multiply, "_operator", "mul"},
                                   {Kind::FloorDivide, "_operator", "floordiv"},
                                   {Kind::Modulo, "_operator", "mod"},
                                   {Kind::Minimum, "torch", "sym_min"},
                                   {Kind::Maximum, "torch", "sym_max"}};
    const auto *row = std::ranges::find(rows, expr.kind(), &Row::kind);
    if (row == std::end(rows))
        return std::nullopt;
    std::optional<Operand> made;
    std::vector<Expr> soFar;
    for (const Expr &part : expr.operands()) {
        const auto operand = size(ir::Dim(part));
        if (!operand)
            return std::nullopt;
        soFar.push_back(part);
        made = made ? arithmetic(row->dialect, row->function, *made, *operand,
                                 soFar.size() == expr.operands().size() ? expr : Expr::make(row->kind, soFar))
                    : *operand;
    }
    return made;
}

// ---- the end

void ProgramGraph::removeUnread()
{
    for (const ir::NodeId node : m_made | std::views::reverse) {
        const auto isRead = [&](ir::ValueId output) { return !m_graph.at(output).uses.empty(); };
        if (!m_graph.at(node).removed && std::ranges::none_of(m_graph.at(node).outputs, isRead))
            m_graph.remove(node);
    }
    for (const auto &[tensor, value] : m_weights)
        if (!isListed(tensor, value))
            m_graph.removeWeight(value);
}

/// Renames values that have a name which torch.fx gives to another node. Where a call has several results, torch.fx has
/// one node for the call, which it names by the operator, and a further node for each result.
void ProgramGraph::renameAmbiguous()
{
    std::unordered_set<std::string> others{"getitem"};
    for (const ir::NodeId id : m_made)
        if (const ir::NodeRef node(m_graph, id); !node->removed && (node.outputCount() != 1 || !node->regions.empty()))
            others.insert(nameOfFx(node));
    for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index) {
        const std::string_view name = ir::ValueRef(m_graph, id).name(), base = withoutNumber(name);
        if (others.contains(std::string(base)))
            m_graph.setName(id, context().name(m_names.fresh(std::string(base) + "_result")));
    }
}

void ProgramGraph::finish()
{
    removeUnread();
    renameAmbiguous();
}

std::vector<ir::FunctionInput> ProgramGraph::weightInputs() const
{
    using Kind = ir::FunctionInput::Kind;
    std::vector<ir::FunctionInput> inputs;
    for (const auto kind : {ir::Tensor::Kind::Parameter, ir::Tensor::Kind::Buffer, ir::Tensor::Kind::Constant})
        for (const auto &[id, value] : m_weights) {
            const ir::Tensor &tensor = m_model.at(id);
            if (tensor.kind != kind || !isListed(id, value))
                continue;
            const Kind of = kind == ir::Tensor::Kind::Parameter ? Kind::Parameter
                : kind == ir::Tensor::Kind::Buffer              ? Kind::Buffer
                                                                : Kind::Constant;
            inputs.push_back({m_graph.at(value).name, of, value, tensor.name, id});
        }
    return inputs;
}

} // namespace cutaway::convert
