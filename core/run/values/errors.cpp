// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/values/errors.h"

#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"

namespace cutaway::run {

namespace {

bool isComparable(const ir::Model &model, const analysis::Shapes &shapes, const ir::ValueRef &value)
{
    return ops::asTensor(shapes.of(value)) && (!ir::isOnnx(model) || !value.name().empty());
}

bool isComparable(const diff::Side &side, const ir::ValueRef &value)
{
    return isComparable(side.model, side.analysis.shapes, value);
}

/// Runs A and keeps its values of some pairs, then runs B and compares.
Result<void> compareSome(const ComparedRun &a, const ComparedRun &b, std::span<const Point> pairs, Errors &errors,
                         const Task &task)
{
    std::vector<Watched> ofA, ofB;
    std::unordered_map<ir::ValueId, ir::ValueId> partners;
    for (const Point &pair : pairs) {
        // With 0 bytes each, all values are watched in one run; those of A are kept in memory in any case.
        ofA.push_back({pair.a, std::uint64_t{0}});
        ofB.push_back({pair.b, std::uint64_t{0}});
        partners.emplace(pair.b, pair.a);
    }
    std::unordered_map<ir::ValueId, Output> kept;
    const auto keep = [&](ir::ValueId value, const protocol::Tensor &tensor) {
        kept.insert_or_assign(value, Output{{}, tensor});
    };
    CUTAWAY_RETURN_IF_ERROR(a.backend.watch(a.subject, a.inputs, ofA, keep, task));
    const auto addError = [&](ir::ValueId value, const protocol::Tensor &tensor) {
        const auto partner = partners.find(value);
        const auto before = partner == partners.end() ? kept.end() : kept.find(partner->second);
        if (before == kept.end())
            return;
        if (const auto compared = compare(before->second, Output{{}, tensor}, {}); compared.distance)
            errors.insert_or_assign(partner->second, *compared.distance);
    };
    CUTAWAY_RETURN_IF_ERROR(b.backend.watch(b.subject, b.inputs, ofB, addError, task));
    return {};
}

} // namespace

std::vector<Point> valuePairs(const diff::Side &a, const diff::Side &b, const diff::Difference &difference)
{
    std::vector<Point> pairs;
    for (const diff::Pair &pair : difference.pairs) {
        const ir::NodeRef before(a.graph(), pair.a), after(b.graph(), pair.b);
        if (before->removed || after->removed || before->parent != ir::Graph::body || after->parent != ir::Graph::body
            || before.outputCount() != after.outputCount())
            continue;
        for (std::size_t i = 0; i < before.outputCount(); ++i)
            if (isComparable(a, before.output(i)) && isComparable(b, after.output(i)))
                pairs.push_back({pair.a, pair.b, before.output(i), after.output(i)});
    }
    return pairs;
}

std::vector<Point> valuePairs(const Subject &subject, const analysis::Shapes &shapes)
{
    std::vector<Point> pairs;
    for (const ir::NodeRef node : ir::nodesOf(subject.model.at(subject.function).graph))
        for (const ir::ValueRef value : node.outputs())
            if (isComparable(subject.model, shapes, value))
                pairs.push_back({node, node, value, value});
    return pairs;
}

Result<Errors> errorsOf(const ComparedRun &a, const ComparedRun &b, std::span<const Point> pairs,
                        const analysis::Shapes &shapes, const Task &task)
{
    Errors errors;
    for (std::size_t first = 0; first < pairs.size();) {
        std::size_t end = first;
        for (KeptBytes kept; end < pairs.size() && kept.add(knownBytes(shapes, pairs[end].a));)
            ++end; // at least one pair is compared in each run
        CUTAWAY_RETURN_IF_ERROR(compareSome(a, b, pairs.subspan(first, end - first), errors, task));
        first = end;
    }
    return errors;
}

std::vector<node_data::Column> errorColumns(const ir::Function &function, const Errors &errors)
{
    const ir::Graph &graph = function.graph;
    std::vector<node_data::Column> columns;
    for (const char *name : {"run.error", "run.relative_error", "run.cosine"})
        columns.push_back({name, std::vector<node_data::Cell>(graph.nodeCount())});
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        std::optional<Distance> worst;
        for (const ir::ValueId value : graph.at(ir::NodeId{i}).outputs) {
            const auto found = errors.find(value);
            if (found == errors.end())
                continue;
            if (worst)
                worst->add(found->second);
            else
                worst = found->second;
        }
        if (!worst)
            continue;
        columns[0].cells[i] = worst->maxAbsolute;
        columns[1].cells[i] = worst->maxRelative;
        columns[2].cells[i] = worst->cosine;
    }
    return columns;
}

} // namespace cutaway::run
