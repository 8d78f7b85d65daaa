// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/constants.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/fact_source.h"
#include "core/ops/program/control_flow.h"

#include <bit>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;

bool isWhole(ir::DType dtype)
{
    using enum ir::DType;
    return dtype == Bool || dtype == Int64 || dtype == Int32 || dtype == UInt8 || dtype == Int8 || dtype == Int16;
}

// Floating constants are of interest only as factors of sizes, one per dimension (twice as many for a region).
constexpr std::int64_t maxFactors = 16;

// Recurrent layers of torch contain cell objects, which contain packed weights.
constexpr int maxObjectDepth = 4;
constexpr std::size_t maxObjectParts = 1'000'000; ///< the limit of parts that are read, repeated ones included

bool isTracked(ir::DType dtype, std::int64_t count)
{
    using enum ir::DType;
    return isWhole(dtype) ? count <= static_cast<std::int64_t>(ops::maxTrackedElements)
                          : (dtype == Float32 || dtype == Float64) && count <= maxFactors;
}

/// Returns `x` as an expression; for a float32 the shortest decimal that rounds to it, 0.1 instead of 0.10000000149.
ir::Dim fraction(ir::DType dtype, double x)
{
    return symbolic::Expr::floating(dtype == ir::DType::Float32 ? shortestDecimal(static_cast<float>(x)) : x);
}

/// Returns nullptr if there are too many elements, or they cannot be read.
Cow<std::vector<ir::Dim>> elementsOf(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &stored = model.at(id);
    const auto count = ir::elementCount(stored);
    if (!count || !isTracked(stored.dtype, *count))
        return nullptr;
    const auto numbers = ir::numbersOf(model, id);
    if (!numbers)
        return nullptr;
    if (const auto *whole = std::get_if<std::vector<std::int64_t>>(&*numbers))
        return std::vector<ir::Dim>(whole->begin(), whole->end());
    const auto &floats = std::get<std::vector<double>>(*numbers);
    std::vector<ir::Dim> elements;
    elements.reserve(floats.size());
    const auto bits = [&](std::size_t i) { return std::bit_cast<std::uint64_t>(floats[i]); };
    for (std::size_t i = 0; i < floats.size(); ++i) // scales and biases are often all the same
        elements.push_back(i > 0 && bits(i) == bits(i - 1) ? elements[i - 1] : fraction(stored.dtype, floats[i]));
    return elements;
}

/// Returns nullptr if there are too many texts.
Cow<std::vector<std::string>> textsOf(const ir::Model &model, const ir::Tensor &stored)
{
    const auto *texts = std::get_if<ir::InlineStrings>(&model.at(stored.storage).data);
    if (!texts || texts->strings.size() > ops::maxTrackedElements)
        return nullptr;
    return ops::textTensor(ir::Shape(stored.shape.begin(), stored.shape.end()), texts->strings).texts;
}

ops::TensorFact factOfWeight(const ir::Model &model, ir::TensorId id, Cow<ir::Shape> shape)
{
    const ir::Tensor &stored = model.at(id);
    ops::TensorFact fact = ops::tensorFact(stored.dtype, std::move(shape));
    fact.storage = ops::StorageNumber::Weights;
    if (stored.strides && stored.strides->size() == stored.shape.size())
        fact.strides = ops::normal(*fact.shape, ops::Strides(stored.strides->begin(), stored.strides->end()));
    fact.elements = elementsOf(model, id);
    if (stored.dtype == ir::DType::String)
        fact.texts = textsOf(model, stored);
    return fact;
}

/// Returns the functions that some node calls.
std::unordered_set<ir::FunctionId> calledIn(const ir::Model &model)
{
    std::unordered_set<ir::FunctionId> called;
    for (const ir::Function &function : model.functions)
        for (ir::NodeId id{0}; id.index < function.graph.nodeCount(); ++id.index)
            for (const ir::Argument &argument : function.graph.at(id).arguments)
                if (const auto *callee = argument.value.as<ir::FunctionId>())
                    called.insert(*callee);
    return called;
}

void addSetAttributes(const ir::Graph &graph, std::unordered_set<ir::NameId> &names)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        if (node->removed || node->arguments.size() < 2 || ops::kindOf(node) != ops::kind::setAttribute)
            continue;
        if (const auto *name = node->arguments[1].value.as<ir::String>())
            names.insert(name->text);
    }
}

/// Returns the names of the attributes that some prim::SetAttr sets, on whatever object. A constructor that no node
/// calls does not count: it only sets attributes of new objects, and no object is made by it.
std::unordered_set<ir::NameId> attributesSetIn(const ir::Model &model)
{
    std::unordered_set<ir::NameId> names;
    const std::unordered_set<ir::FunctionId> called = calledIn(model);
    for (std::uint32_t i = 0; i < model.functions.size(); ++i) {
        const ir::Function &function = model.functions[i];
        if (!model.context->text(function.name).ends_with(".__init__") || called.contains(ir::FunctionId{i}))
            addSetAttributes(function.graph, names);
    }
    return names;
}

} // namespace

Constants::Constants(const ir::Model &model, const FileSymbols &symbols, ops::ShapePool &shapes)
    : m_model(model),
      m_symbols(symbols),
      m_shapes(shapes),
      m_objects(model),
      m_signatures(*model.context),
      m_tensors(model.tensors.size())
{
}

const ops::Operator *Constants::rowOf(ir::OpId op)
{
    const auto [known, isNew] = m_rows.try_emplace(op, nullptr);
    if (isNew) {
        const ir::Operator &parts = m_model.context->at(op);
        known->second = ops::findOperator(m_model.context->text(parts.dialect), m_model.context->text(parts.name));
    }
    return known->second;
}

bool Constants::writes(ir::OpId op)
{
    const auto *signature = m_signatures.of(op);
    return signature && !signature->schema.arguments.empty() && signature->schema.arguments[0].type.isWritten();
}

const Fact &Constants::tensor(ir::TensorId id)
{
    Fact &known = m_tensors[id.index];
    if (known.as<ops::AnyFact>()) {
        const std::vector<std::int64_t> &sizes = m_model.at(id).shape;
        known = factOfWeight(m_model, id, m_shapes.shared(ir::Shape(sizes.begin(), sizes.end())));
    }
    return known;
}

namespace {

/// The facts of the file. The operands that it is asked about contain no values of a graph.
class FileFacts final : public ops::FactSource {
public:
    FileFacts(Constants &constants, const FileSymbols &symbols) : m_constants(constants), m_symbols(symbols) { }

    Fact tensor(ir::TensorId weight) const override { return m_constants.tensor(weight); }
    Fact object(ir::ObjectId object) const override { return m_constants.object(object); }
    ir::Dim size(const symbolic::Expr &formula) const override { return m_symbols.of(formula); }

private:
    Constants &m_constants;
    const FileSymbols &m_symbols;
};

} // namespace

Fact Constants::of(const ir::Operand &constant)
{
    return ops::factOf(*m_model.context, FileFacts(*this, m_symbols), constant);
}

ops::Fact Constants::attribute(ir::ObjectId id, ir::NameId name)
{
    if (!m_setAttributes)
        m_setAttributes = attributesSetIn(m_model);
    if (m_setAttributes->contains(name))
        return {};
    const Fact whole = object(id);
    const Fact *held = ops::heldBy(whole, m_model.context->text(name));
    Fact fact = held ? *held : Fact();
    ops::forEachTensor(fact, [](ops::TensorFact &tensor) { tensor.elements = nullptr; });
    return fact;
}

/// The depth is limited, since objects may contain each other, and one object many times.
Fact Constants::object(ir::ObjectId id)
{
    ops::ObjectFact made;
    if (m_objectDepth == maxObjectDepth)
        return made;
    ++m_objectDepth;
    for (const ir::ObjectParts::Part &part : m_objects.of(id)) {
        if (++m_objectParts > maxObjectParts)
            break;
        made.held.emplace_back(part.name, of(part.value));
    }
    --m_objectDepth;
    return made;
}

} // namespace cutaway::analysis
