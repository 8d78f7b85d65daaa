// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/changes.h"

#include "core/analysis/assumed_inputs.h"
#include "core/base/formatted.h"
#include "core/diff/shared_attributes.h"
#include "core/ir/context.h"
#include "core/ops/network/matrix_product.h"

#include <algorithm>

namespace cutaway::diff {

namespace {

std::vector<std::vector<std::uint32_t>> producersByItem(const Matching &matching, const Subject &side, Stage stage)
{
    const Skeleton skeleton = contracted(side.outline, matching.isLookedAt(side, stage));
    std::vector<std::vector<std::uint32_t>> producers(side.outline.items.size());
    for (std::size_t i = 0; i < skeleton.items.size(); ++i)
        for (const std::uint32_t place : skeleton.producers[i])
            producers[skeleton.items[i]].push_back(skeleton.items[place]);
    return producers;
}

bool holdsValue(const ir::Operand &operand)
{
    bool found = false;
    forEachValue(operand, [&](ir::ValueId) { found = true; });
    return found;
}

bool intersect(const std::vector<std::uint32_t> &a, const std::vector<std::uint32_t> &b)
{
    return std::ranges::any_of(a, [&](std::uint32_t item) { return std::ranges::binary_search(b, item); });
}

/// Whether a value is computed by a node without a partner on the other side.
bool comesFromLeft(const Operands &side, ir::ValueId value)
{
    const auto origin = side.originOf(value);
    return origin && !side.isMatched(origin->item);
}

/// Whether a size is a number on one side and a symbol on the other.
bool fixesOther(const ir::Shape &a, const ir::Shape &b)
{
    return !std::ranges::equal(a, b, {}, &ir::Dim::index, &ir::Dim::index);
}

/// Whether a model has symbols assumed for sizes that its file does not record: these sizes are no difference.
bool assumesInputs(const ir::Model &model)
{
    return std::ranges::contains(model.diagnostics, analysis::assumedInput, &ir::Diagnostic::code);
}

bool areNumbers(const ir::Shape &shape)
{
    return std::ranges::all_of(shape, [](const ir::Dim &dim) { return std::holds_alternative<std::int64_t>(dim); });
}

/// Whether two types cannot be of the same tensor. Layouts differ between dialects: then only the number of elements
/// counts.
bool typesDiffer(const ops::TensorFact &a, const ops::TensorFact &b, bool isExact)
{
    if (a.dtype && b.dtype && a.dtype != b.dtype)
        return true;
    if (!a.shape || !b.shape || !areNumbers(*a.shape) || !areNumbers(*b.shape))
        return a.shape && b.shape && isExact && a.shape->size() != b.shape->size();
    return isExact ? *a.shape != *b.shape : elementCount(*a.shape) != elementCount(*b.shape);
}

std::string typeText(const ops::TensorFact &tensor)
{
    return std::string(tensor.dtype ? ir::name(*tensor.dtype) : "?")
        + (tensor.shape ? ir::print(*tensor.shape) : "[*]");
}

/// Whether the kind is a matrix product. All kinds of matrix products count as one kind: the layouts of their weights
/// and their attributes show whether they compute the same.
bool isProduct(ops::OperatorKind kind)
{
    namespace kinds = ops::kind;
    return kind == kinds::matmul || kind == kinds::gemm || kind == kinds::linear || kind == kinds::baddbmm;
}

bool areOneKind(const ir::NodeRef &a, const ir::NodeRef &b)
{
    const ops::OperatorKind ofA = ops::kindOf(a), ofB = ops::kindOf(b);
    return ofA == ofB || (isProduct(ofA) && isProduct(ofB));
}

/// Whether computing both sides may show that a change is none: that another operator computes the same, or that
/// another weight has only ones.
bool mayBeNone(const Change &change)
{
    return change.kind == Change::Kind::Operator
        || (change.kind == Change::Kind::Weight && change.what == otherWeights);
}

/// Whether numbers or names are among the arguments.
bool hasAttributes(const ir::NodeRef &node)
{
    const auto isTensor = [](const auto &self, const ir::Operand &operand) -> bool {
        const auto *list = operand.as<ir::List>();
        return operand.as<ir::ValueId>() || operand.as<ir::TensorId>() || operand.as<ir::None>()
            || (list && std::ranges::all_of(list->items, [&](const ir::Operand &item) { return self(self, item); }));
    };
    return !std::ranges::all_of(node->arguments,
                                [&](const ir::Argument &argument) { return isTensor(isTensor, argument.value); });
}

/// Whether two dtypes are floating and not the same.
bool differInPrecision(std::optional<ir::DType> a, std::optional<ir::DType> b)
{
    return a && b && a != b && ir::isFloating(*a) && ir::isFloating(*b);
}

/// Returns the extent of a change between two types that differ: Precision if only their floating dtypes do.
Extent extentOf(const ops::TensorFact &a, const ops::TensorFact &b, bool isExact)
{
    ops::TensorFact other = b;
    other.dtype = a.dtype;
    return differInPrecision(a.dtype, b.dtype) && !typesDiffer(a, other, isExact) ? Extent::Precision : Extent::Whole;
}

/// Returns the dtype that an argument is, or that it names by a number.
std::optional<ir::DType> namedDType(const std::string &argument, const ir::Operand &operand, bool isOnnx)
{
    if (const auto *dtype = operand.as<ir::DType>())
        return *dtype;
    const auto *number = operand.as<std::int64_t>();
    if (!number || (argument != "to" && argument != "dtype"))
        return {};
    return ir::dtypeFromNumber(*number, isOnnx ? ir::Numbering::Onnx : ir::Numbering::C10);
}

} // namespace

Changes::Changes(const Matching &matching, bool isExact, CalledFunctions &functions, const ReadsCompared &reads,
                 Checks &checks)
    : m_matching(matching),
      m_isExact(isExact),
      m_a(matching, matching.a()),
      m_b(matching, matching.b()),
      m_weights(matching, m_a, m_b),
      m_functions(functions),
      m_reads(reads),
      m_checks(checks),
      m_producersA(producersByItem(matching, matching.a(), isExact ? Stage::Everything : Stage::Data)),
      m_producersB(producersByItem(matching, matching.b(), isExact ? Stage::Everything : Stage::Data)),
      m_lastA(matching.lastItems(matching.a())),
      m_lastB(matching.lastItems(matching.b())),
      m_typeDiffers(matching.a().outline.items.size())
{
    for (std::uint32_t i = 0; i < std::min(m_a.inputs().size(), m_b.inputs().size()); ++i)
        m_typeDiffers[i] = inputDiffers(i).has_value();
}

std::vector<Change> Changes::of(std::uint32_t itemA)
{
    const std::uint32_t itemB = m_matching.partnerOfA(itemA)->item;
    const ir::NodeRef a = *m_matching.a().outline.items[itemA].node, b = *m_matching.b().outline.items[itemB].node;
    std::vector<Change> changes;
    m_pair = NodePair{a.id(), b.id()};
    compareOperator(a, b, changes);
    if (m_isExact) {
        compareArguments(a, b, changes);
    } else {
        compareSharedAttributes(m_a, a, m_b, b, changes);
        m_weights.compareAll(itemA, changes);
    }
    compareTypes(itemA, changes);
    if (!m_isExact)
        compareComputed(itemA, changes);
    return changes;
}

Verdict Changes::resultsOf(std::uint32_t itemA, std::int64_t maxWork)
{
    const std::uint32_t itemB = m_matching.partnerOfA(itemA)->item;
    return m_checks.results(*m_matching.a().outline.items[m_lastA[itemA]].node,
                            *m_matching.b().outline.items[m_lastB[itemB]].node, {itemA, itemB}, Checks::Order::Any,
                            maxWork);
}

/// Computes both nodes of the pair on the same operands to confirm or refute the changes that rules found in the pair,
/// where that is little work. Differences of the operands do not count.
void Changes::compareComputed(std::uint32_t itemA, std::vector<Change> &changes)
{
    const std::uint32_t itemB = m_matching.partnerOfA(itemA)->item;
    const Item &a = m_matching.a().outline.items[itemA], &b = m_matching.b().outline.items[itemB];
    if (const auto &place = m_reads.otherReads[itemA])
        changes.push_back({Change::Kind::Source, formatted("tensor {} that it reads", *place), "",
                           "the same elements in another order, or others"});
    const bool isStacked = m_weights.areStackedDifferently(itemA, itemB);
    const auto noteStacked = [&] {
        if (isStacked)
            m_weights.addNotCompared({*m_pair, "weights", "the formats stack the weights of recurrences differently"});
    };
    if (!m_reads.readsSame[itemA] || !std::ranges::all_of(changes, mayBeNone))
        return noteStacked();
    constexpr std::int64_t littleWork = std::int64_t{1} << 22, workOfData = std::int64_t{1} << 25;
    const bool hasRule = a.role == Role::Compute && !a.weights.empty() && !isStacked;
    const Verdict verdict = resultsOf(itemA, isStacked ? Checks::maxWorkOfOne : hasRule ? littleWork : workOfData);
    if (verdict.kind == Verdict::Kind::Unknown && isStacked)
        return noteStacked();
    const bool hasAttributesAlone = !hasRule && (hasAttributes(*a.node) || hasAttributes(*b.node));
    applyVerdict(verdict, hasAttributesAlone, changes);
}

/// Applies the result of comparing what the pair's nodes compute: it may remove changes of the pair, or become a change
/// itself. `isOpen`: whether the pair counts as not proven if the verdict is Unknown.
void Changes::applyVerdict(const Verdict &verdict, bool isOpen, std::vector<Change> &changes)
{
    if (verdict.kind == Verdict::Kind::Equal)
        changes.clear();
    if (!changes.empty())
        return;
    if (verdict.kind == Verdict::Kind::Differs)
        changes.push_back(
            {Change::Kind::Argument, "result", "",
             verdict.reason.empty() ? formatted("differs by up to {:.3g}", verdict.largestError) : verdict.reason});
    else if (verdict.kind == Verdict::Kind::Unknown && isOpen)
        m_notProven.push_back({*m_pair, "result", verdict.reason});
}

/// Whether the results of both nodes are floating, or neither is, as far as that is known: a matrix product of integers
/// is not one of floats.
bool Changes::areFloatingAlike(const ir::NodeRef &a, const ir::NodeRef &b) const
{
    const auto isFloating = [](const Subject &side, const ir::NodeRef &node) -> std::optional<bool> {
        const auto *tensor =
            node.outputCount() == 0 ? nullptr : ops::asTensor(side.side.analysis.shapes.of(node->outputs[0]));
        return tensor && tensor->dtype ? std::optional(ir::isFloating(*tensor->dtype)) : std::nullopt;
    };
    const auto ofA = isFloating(m_matching.a(), a), ofB = isFloating(m_matching.b(), b);
    return !ofA || !ofB || ofA == ofB;
}

void Changes::compareOperator(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes) const
{
    const std::string before = a.fullName(), after = b.fullName();
    const bool isSame = m_isExact ? before == after : areOneKind(a, b) && areFloatingAlike(a, b);
    if (!isSame)
        changes.push_back({Change::Kind::Operator, "operator", before, after});
}

void Changes::compareArguments(const ir::NodeRef &a, const ir::NodeRef &b, std::vector<Change> &changes)
{
    const auto &ofA = a->arguments, &ofB = b->arguments;
    const auto nameOf = [](const ir::NodeRef &node, std::size_t i) {
        return std::string(node.graph().context().text(node->arguments[i].name));
    };
    const auto isUnnamed = [](const std::vector<ir::Argument> &arguments, std::size_t i) {
        return i < arguments.size() && arguments[i].name == ir::NameId{};
    };
    for (std::size_t i = 0; i < ofA.size(); ++i) {
        const std::string name = nameOf(a, i);
        const ir::Operand *other = !name.empty() ? b.argument(name) : isUnnamed(ofB, i) ? &ofB[i].value : nullptr;
        if (other)
            compareOperands(name.empty() ? std::to_string(i) : name, ofA[i].value, *other, changes);
        else
            compareMissing(b, name.empty() ? std::to_string(i) : name, ofA[i].value, true, changes);
    }
    for (std::size_t i = 0; i < ofB.size(); ++i) {
        const std::string name = nameOf(b, i);
        const bool isKnown = name.empty() ? isUnnamed(ofA, i) : a.argument(name) != nullptr;
        if (!isKnown)
            compareMissing(a, name.empty() ? std::to_string(i) : name, ofB[i].value, false, changes);
    }
}

void Changes::compareMissing(const ir::NodeRef &node, const std::string &name, const ir::Operand &given, bool isInA,
                             std::vector<Change> &changes)
{
    Operands &has = isInA ? m_a : m_b, &lacks = isInA ? m_b : m_a;
    const auto *value = given.as<ir::ValueId>();
    if (given.as<ir::None>() || (value && comesFromLeft(has, *value)))
        return;
    const ops::Fact *defaultFact = lacks.defaultOf(node, name);
    if (defaultFact && !holdsValue(given) && *defaultFact == has.constant(given))
        return;
    const std::string text = has.text(given), other = defaultFact ? ops::print(*defaultFact) : "";
    const auto kind = holdsValue(given) ? Change::Kind::Source : Change::Kind::Argument;
    changes.push_back({kind, name, isInA ? text : other, isInA ? other : text});
}

/// Whether an argument differs only in the floating dtype that it names.
bool Changes::isPrecision(const std::string &name, const ir::Operand &a, const ir::Operand &b) const
{
    const auto dtypeOf = [&](const Operands &side, const std::optional<ir::NodeId> &node, const ir::Operand &given) {
        return namedDType(name, given, node && ir::NodeRef(side.graph(), *node).isOnnx());
    };
    return m_pair && differInPrecision(dtypeOf(m_a, m_pair->a, a), dtypeOf(m_b, m_pair->b, b));
}

void Changes::compareOperands(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                              std::vector<Change> &changes)
{
    const auto weightA = m_a.weightOf(a), weightB = m_b.weightOf(b);
    if (weightA && weightB)
        return m_weights.compare(m_pair, name, *weightA, *weightB, changes);
    const auto *functionA = a.as<ir::FunctionId>(), *functionB = b.as<ir::FunctionId>();
    if (functionA && functionB)
        return compareFunctions(*functionA, *functionB, changes);
    const auto *valueA = a.as<ir::ValueId>(), *valueB = b.as<ir::ValueId>();
    if (valueA && valueB) {
        if (!isSameSource(*valueA, *valueB))
            changes.push_back({Change::Kind::Source, name, m_a.text(a), m_b.text(b)});
    } else if ((valueA && comesFromLeft(m_a, *valueA)) || (valueB && comesFromLeft(m_b, *valueB))) {
        return; // not reported here: the producing node is the difference
    } else if (holdsValue(a) || holdsValue(b)) {
        compareLists(name, a, b, changes);
    } else if (const std::string before = m_a.text(a), after = m_b.text(b); before != after) {
        changes.push_back(
            {Change::Kind::Argument, name, before, after, isPrecision(name, a, b) ? Extent::Precision : Extent::Whole});
    }
}

void Changes::compareFunctions(ir::FunctionId a, ir::FunctionId b, std::vector<Change> &changes)
{
    constexpr int maxDepth = 64;
    const auto [entry, isNew] = m_functions.areEqual.try_emplace({a, b}, true);
    if (isNew && m_functions.depth == maxDepth) {
        m_weights.addNotCompared({m_pair.value_or(NodePair{}), "the function", "calls are nested too deep"});
    } else if (isNew) {
        const ir::Model &modelA = m_a.model(), &modelB = m_b.model();
        const analysis::Analysis before = analysis::analyse(modelA, a), after = analysis::analyse(modelB, b);
        ++m_functions.depth;
        const Difference inside = compare({modelA, before}, {modelB, after}, {}, m_functions);
        --m_functions.depth;
        entry->second = inside.isEqual();
        if (!inside.isProven())
            m_notProven.push_back({m_pair.value_or(NodePair{}), "the function", inside.notProven.front().reason});
        if (!inside.isComplete())
            m_weights.addNotCompared({m_pair.value_or(NodePair{}), "the function", inside.notCompared.front().reason});
    }
    const std::string before = m_a.text(a), after = m_b.text(b);
    if (before != after || !entry->second)
        changes.push_back(
            {Change::Kind::Argument, "function", before, after + (entry->second ? "" : " with another body")});
}

void Changes::compareLists(const std::string &name, const ir::Operand &a, const ir::Operand &b,
                           std::vector<Change> &changes)
{
    const auto *listA = a.as<ir::List>(), *listB = b.as<ir::List>();
    if (!listA || !listB || listA->items.size() != listB->items.size()) {
        changes.push_back({Change::Kind::Source, name, m_a.text(a), m_b.text(b)});
        return;
    }
    for (std::size_t i = 0; i < listA->items.size(); ++i)
        compareOperands(name + "[" + std::to_string(i) + "]", listA->items[i], listB->items[i], changes);
}

bool Changes::isSameSource(ir::ValueId a, ir::ValueId b) const
{
    const auto originA = m_a.originOf(a), originB = m_b.originOf(b);
    if (!originA || !originB)
        return !originA && !originB;
    const auto &partner = m_matching.partnerOfA(originA->item);
    if (partner && partner->item == originB->item)
        return originA->result == originB->result;
    const bool isThroughOthers = !m_a.isMatched(originA->item) || !m_b.isMatched(originB->item);
    return isThroughOthers && intersect(m_a.reached(originA->item), m_b.reached(originB->item));
}

bool Changes::followsFromProducers(std::uint32_t itemA, std::uint32_t itemB) const
{
    return std::ranges::any_of(m_producersA[itemA],
                               [&](std::uint32_t item) { return m_typeDiffers[item] || !m_a.isMatched(item); })
        || std::ranges::any_of(m_producersB[itemB], [&](std::uint32_t item) { return !m_b.isMatched(item); });
}

void Changes::compareTypes(std::uint32_t itemA, std::vector<Change> &changes)
{
    const std::uint32_t itemB = m_matching.partnerOfA(itemA)->item;
    const auto &outputsA = (*m_matching.a().outline.items[itemA].node)->outputs;
    const auto &outputsB = (*m_matching.b().outline.items[itemB].node)->outputs;
    for (std::size_t i = 0; i < std::min(outputsA.size(), outputsB.size()); ++i) {
        const auto *a = ops::asTensor(m_matching.a().side.analysis.shapes.of(outputsA[i]));
        const auto *b = ops::asTensor(m_matching.b().side.analysis.shapes.of(outputsB[i]));
        if (!a || !b || !typesDiffer(*a, *b, m_isExact))
            continue;
        if (!m_typeDiffers[itemA] && changes.empty() && !followsFromProducers(itemA, itemB))
            changes.push_back({Change::Kind::Type, "result", typeText(*a), typeText(*b), extentOf(*a, *b, m_isExact)});
        m_typeDiffers[itemA] = true;
    }
}

std::optional<Change> Changes::inputDiffers(std::uint32_t place) const
{
    const ir::ValueId a = m_a.inputs()[place], b = m_b.inputs()[place];
    const auto *was = ops::asTensor(m_matching.a().side.analysis.shapes.of(a));
    const auto *is = ops::asTensor(m_matching.b().side.analysis.shapes.of(b));
    if (!was || !is)
        return {};
    const bool areBothKnown = was->shape && is->shape && !assumesInputs(m_matching.a().side.model)
        && !assumesInputs(m_matching.b().side.model);
    if (!typesDiffer(*was, *is, true) && !(areBothKnown && fixesOther(*was->shape, *is->shape)))
        return {};
    const bool isFixed = areBothKnown && fixesOther(*was->shape, *is->shape);
    return Change{Change::Kind::Type, "input " + std::to_string(place), typeText(*was), typeText(*is),
                  isFixed ? Extent::Whole : extentOf(*was, *is, true)};
}

std::vector<Change> Changes::ofSignature()
{
    std::vector<Change> changes;
    m_pair.reset();
    const std::size_t countA = m_a.inputs().size(), countB = m_b.inputs().size();
    if (countA != countB)
        changes.push_back({Change::Kind::Argument, "inputs", std::to_string(countA), std::to_string(countB)});
    for (std::uint32_t i = 0; i < std::min(countA, countB); ++i)
        if (auto change = inputDiffers(i))
            changes.push_back(std::move(*change));
    const auto &a = m_a.graph().at(ir::Graph::body).outputs, &b = m_b.graph().at(ir::Graph::body).outputs;
    if (a.size() != b.size())
        changes.push_back({Change::Kind::Argument, "outputs", std::to_string(a.size()), std::to_string(b.size())});
    for (std::size_t i = 0; m_isExact && i < std::min(a.size(), b.size()); ++i)
        compareOperands("output " + std::to_string(i), a[i], b[i], changes);
    return changes;
}

} // namespace cutaway::diff
