// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/model_figures.h"

#include "core/analysis/counts.h"
#include "core/analysis/known_tensor.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"

#include <algorithm>
#include <array>
#include <set>

namespace cutaway::request {

namespace {

constexpr std::size_t formulaLetters = 200;

std::string shortened(const std::string &text)
{
    return text.size() > formulaLetters ? text.substr(0, formulaLetters) + "…" : text;
}

/// Returns why a figure is no number; "" if it is one.
std::string whyNoNumber(const ir::Dim &figure, const ir::Dim &atLeast, std::int64_t unknownNodes)
{
    if (ops::number(figure))
        return {};
    if (ops::isKnown(figure))
        return "it is " + shortened(print::exactText(figure)) + "; --bind or --input gives the sizes";
    const std::string nodes = unknownNodes == 0 ? ""
        : unknownNodes == 1                     ? ", and of 1 node it is not known"
                                                : ", and of " + grouped(unknownNodes) + " nodes it is not known";
    if (!ops::isKnown(atLeast) || ops::number(atLeast) == 0)
        return "nothing is known of it" + nodes;
    return "it is at least " + shortened(print::exactText(atLeast)) + nodes;
}

Figure figureOf(const ir::Dim &figure, const ir::Dim &atLeast, std::int64_t unknownNodes)
{
    const auto n = ops::number(figure);
    return {.value = n ? std::optional(static_cast<double>(*n)) : std::nullopt,
            .names = {},
            .whyUnknown = whyNoNumber(figure, atLeast, unknownNodes)};
}

Figure countFigure(std::int64_t count, bool overflows = false)
{
    if (overflows)
        return {.value = std::nullopt, .names = {}, .whyUnknown = "a sum is too large to be counted"};
    return {.value = static_cast<double>(count), .names = {}, .whyUnknown = {}};
}

Figure half(Figure figure)
{
    if (figure.value)
        *figure.value /= 2;
    else
        figure.whyUnknown = "the FLOPs are not known: " + figure.whyUnknown;
    return figure;
}

/// Adds the operators of a function's nodes to `names`, and the functions that nodes refer to.
void addOperators(const ir::Graph &graph, std::set<std::string> &names, std::set<ir::FunctionId> &called)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        if (node->removed)
            continue;
        names.insert(node.fullName());
        for (const ir::Argument &argument : node->arguments)
            if (const auto *callee = argument.value.as<ir::FunctionId>())
                called.insert(*callee);
    }
}

Figure operatorsOf(const ir::Model &model, ir::FunctionId function)
{
    std::set<std::string> names;
    std::set<ir::FunctionId> done, open{function};
    while (!open.empty()) {
        const ir::FunctionId next = *open.begin();
        open.erase(open.begin());
        std::set<ir::FunctionId> called;
        if (done.insert(next).second)
            addOperators(model.at(next).graph, names, called);
        open.insert(called.begin(), called.end());
    }
    return {.value = std::nullopt, .names = {names.begin(), names.end()}, .whyUnknown = {}};
}

/// Collects the dtypes of the inputs that a user gives and of the results.
class SignatureDTypes {
public:
    SignatureDTypes(const ir::Model &model, const analysis::Analysis &analysis)
        : m_graph(model.at(analysis.function).graph),
          m_context(*model.context),
          m_sizes(model, analysis.given.bindings),
          m_shapes(analysis.shapes)
    {
    }

    void add(const ir::Operand &operand)
    {
        const auto value = ir::valueOf(m_graph, &operand);
        if (!value)
            return;
        const ops::Fact &fact = m_shapes.atEnd(*value);
        const auto tensor = analysis::knownTensor(m_sizes, value->type(), &fact);
        if (tensor && tensor->dtype)
            m_names.insert(std::string(ir::name(*tensor->dtype)));
        else if (!tensor && analysis::isWhollyKnown(fact, value->type()))
            m_names.insert(m_context.print((*value)->type));
        else
            m_why = "the dtype of '" + sanitized(ir::nameOf(*value)) + "' is not known";
    }

    Figure figure() const
    {
        return {.value = std::nullopt, .names = {m_names.begin(), m_names.end()}, .whyUnknown = m_why};
    }

private:
    const ir::Graph &m_graph;
    const ir::Context &m_context;
    analysis::RecordedSizes m_sizes;
    const analysis::Shapes &m_shapes;
    std::set<std::string> m_names;
    std::string m_why;
};

Figure inputDTypes(const ir::Model &model, const analysis::Analysis &analysis)
{
    SignatureDTypes dtypes(model, analysis);
    for (const ir::FunctionInput &input : model.at(analysis.function).inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            dtypes.add(input.value);
    return dtypes.figure();
}

Figure outputDTypes(const ir::Model &model, const analysis::Analysis &analysis)
{
    SignatureDTypes dtypes(model, analysis);
    for (const ir::FunctionOutput &output : model.at(analysis.function).outputs)
        if (output.kind == ir::FunctionOutput::Kind::User)
            dtypes.add(output.value);
    return dtypes.figure();
}

} // namespace

std::span<const NamedFigure> modelFigures()
{
    static constexpr std::array list{
        NamedFigure{"flops", FigureUnit::Count},   NamedFigure{"macs", FigureUnit::Count},
        NamedFigure{"bytes", FigureUnit::Bytes},   NamedFigure{"params", FigureUnit::Count},
        NamedFigure{"weights", FigureUnit::Bytes}, NamedFigure{"peak", FigureUnit::Bytes},
        NamedFigure{"nodes", FigureUnit::Count},   NamedFigure{"ops", FigureUnit::Names},
        NamedFigure{"inputs", FigureUnit::Names},  NamedFigure{"outputs", FigureUnit::Names},
    };
    return list;
}

Figures figuresOf(const ir::Model &model, const analysis::Analysis &analysis)
{
    const analysis::Totals &totals = analysis.totals;
    const analysis::Counts counts = analysis::countTensors(model);
    const Figure flops = figureOf(totals.cost.flops, totals.atLeast.flops, totals.flopsUnknown);
    const ir::Dim bytes = ops::plus(totals.cost.bytesRead, totals.cost.bytesWritten);
    const ir::Dim bytesAtLeast = ops::plus(totals.atLeast.bytesRead, totals.atLeast.bytesWritten);
    return {{"flops", flops},
            {"macs", half(flops)},
            {"bytes", figureOf(bytes, bytesAtLeast, 0)},
            {"params", countFigure(counts.parameters.distinctElements, counts.overflows())},
            {"weights", countFigure(counts.storageBytes, counts.overflows())},
            {"peak", figureOf(totals.peakBytes, totals.peakAtLeast, 0)},
            {"nodes", countFigure(analysis::countNodes(model.at(analysis.function).graph))},
            {"ops", operatorsOf(model, analysis.function)},
            {"inputs", inputDTypes(model, analysis)},
            {"outputs", outputDTypes(model, analysis)}};
}

} // namespace cutaway::request
