// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ir/opsets.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/cast.h"
#include "core/ops/tensor/view.h"
#include "core/passes/copies.h"
#include "core/passes/fusing.h"
#include "core/passes/inlining.h"
#include "core/passes/left_over.h"

#include <algorithm>
#include <cstring>
#include <expected>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>

// A loop is prim::Loop or onnx::Loop: (trip count, condition, carried…) with a region (iteration, [condition,]
// carried…) that returns (condition, carried…, [scanned…]). Only ONNX has the region's condition input and scanned
// outputs, which it stacks along a new first axis. A loop is unrolled if its trip count is known and the condition is
// true before and after every iteration.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

class Unrolling {
public:
    Unrolling(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_maxIterations(settings.count("iterations")),
          m_nodesLeft(settings.count("nodes")),
          m_tooLong(formatted("they run more than {} times; see the option iterations", m_maxIterations)),
          m_tooLarge(formatted("more than {} nodes would be made; see the option nodes", m_nodesLeft))
    {
    }

    void run()
    {
        LeftOver left;
        // Outer loops come first; inner loops are copied with them and visited afterwards.
        std::vector<NodeRef> open = m_rewriter.nodes();
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (m_rewriter.isRemoved(open[i]) || m_rewriter.kind(open[i]) != ops::kind::loop)
                continue;
            const auto trips = tripsOf(open[i]);
            if (!trips) {
                left.leave(trips.error());
                continue;
            }
            left.done();
            const std::vector<NodeRef> made = unroll(open[i], *trips);
            open.insert(open.end(), made.begin(), made.end());
        }
        m_rewriter.remark(left.print("loops are not unrolled"));
    }

private:
    using Cause = std::unexpected<std::string_view>;

    /// Returns the number of iterations that a loop certainly runs, if it is within the limits; else the reason why the
    /// loop stays.
    std::expected<std::int64_t, std::string_view> tripsOf(const NodeRef &loop)
    {
        if (!isWhole(loop))
            return Cause("their inputs and outputs are not those of a loop");
        if (!goesOn(loop))
            return Cause("a condition may end them");
        const auto known = ops::asInt(m_rewriter.proven(loop->arguments[0].value));
        const auto trips = known ? ops::number(*known) : std::nullopt;
        if (!trips)
            return Cause("how many times they run is not known");
        if (*trips > m_maxIterations)
            return Cause(m_tooLong);
        if (*trips < 1 && hasScanned(loop))
            return Cause("they run no time, and their results have the items of all iterations");
        const std::int64_t iterations = std::max<std::int64_t>(*trips, 0);
        const auto copied =
            checkedMultiply(iterations, static_cast<std::int64_t>(m_rewriter.nodes(loop->regions[0]).size()));
        if (!copied || *copied > m_nodesLeft)
            return Cause(m_tooLarge);
        m_nodesLeft -= *copied;
        return iterations;
    }

    /// Whether the loop has the required numbers of inputs and outputs.
    static bool isWhole(const NodeRef &loop)
    {
        if (loop->regions.size() != 1 || loop->arguments.size() < 2)
            return false;
        const ir::Region &body = loop.region(0);
        const std::size_t carried = loop->arguments.size() - 2;
        const std::size_t inputs = loop.isOnnx() ? carried + 2 : carried + 1;
        return body.inputs.size() == inputs && body.outputs.size() == loop.outputCount() + 1
            && loop.outputCount() >= carried;
    }

    static bool hasScanned(const NodeRef &loop) { return loop.outputCount() > loop->arguments.size() - 2; }

    /// Whether the condition is certainly true before the first iteration and after each.
    bool goesOn(const NodeRef &loop)
    {
        const Operand &start = loop->arguments[1].value;
        const bool starts = (start.as<ir::None>() && loop.isOnnx()) || isTrue(start);
        return starts && staysTrue(loop, loop.region(0).outputs.front());
    }

    bool isTrue(const Operand &operand) { return ops::asBool(m_rewriter.proven(operand)) == true; }

    bool staysTrue(const NodeRef &loop, Operand condition)
    {
        while (const auto maker = ir::valueOf(m_rewriter.graph(), &condition).and_then(&ir::ValueRef::producer)) {
            const ops::OperatorKind kind = m_rewriter.kind(*maker);
            if ((kind != ops::kind::alias && kind != ops::kind::cast) || (*maker)->arguments.empty())
                break;
            condition = (*maker)->arguments.front().value;
        }
        return (loop.isOnnx() && condition == Operand(loop.region(0).inputs[1])) || isTrue(condition);
    }

    std::vector<NodeRef> unroll(const NodeRef &loop, std::int64_t trips)
    {
        std::vector<Operand> carried;
        for (const ir::Argument &argument : loop->arguments | std::views::drop(2))
            carried.push_back(argument.value);
        std::vector<std::vector<Operand>> scanned(loop.outputCount() - carried.size());
        std::vector<NodeRef> made;
        for (std::int64_t iteration = 0; iteration < trips; ++iteration) {
            const std::vector<Operand> ends = copyIteration(loop, iteration, carried, made);
            const auto end = ends.begin() + 1 + static_cast<std::ptrdiff_t>(carried.size());
            carried.assign(ends.begin() + 1, end);
            for (std::size_t i = 0; i < scanned.size(); ++i)
                scanned[i].push_back(end[static_cast<std::ptrdiff_t>(i)]);
        }
        m_rewriter.from({loop});
        for (const std::vector<Operand> &items : scanned)
            carried.push_back(stacked(loop, items));
        replaceNode(m_rewriter, loop, carried);
        return made;
    }

    /// Copies an iteration; returns the region's outputs.
    std::vector<Operand> copyIteration(const NodeRef &loop, std::int64_t iteration, const std::vector<Operand> &carried,
                                       std::vector<NodeRef> &made)
    {
        Copies copies(m_rewriter);
        const std::vector<ValueId> inputs = loop.region(0).inputs;
        if (m_rewriter.useCount(inputs[0]) > 0)
            copies.set(inputs[0],
                       loop.isOnnx() ? constant("iteration" + std::to_string(iteration), ir::DType::Int64, iteration)
                                     : Operand(iteration));
        const bool isPassedOn = loop.isOnnx() && loop.region(0).outputs.front() == Operand(inputs[1]);
        if (loop.isOnnx() && m_rewriter.useCount(inputs[1]) > (isPassedOn ? 1u : 0u))
            copies.set(inputs[1], constant("true", ir::DType::Bool, true));
        for (std::size_t i = 0; i < carried.size(); ++i)
            copies.set(inputs[inputs.size() - carried.size() + i], carried[i]);
        const auto copied = copies.copyBefore(loop, loop->regions.front());
        made.insert(made.end(), copied.begin(), copied.end());
        std::vector<Operand> ends = loop.region(0).outputs;
        std::ranges::transform(ends, ends.begin(), [&](const Operand &end) { return copies.of(end); });
        return ends;
    }

    /// Returns a number as a constant tensor, which all loops that need it share.
    template <class T>
    Operand constant(const std::string &name, ir::DType dtype, T number, std::vector<std::int64_t> shape = {})
    {
        if (const auto known = m_constants.find(name); known != m_constants.end())
            return known->second;
        std::vector<std::byte> bytes(sizeof number);
        std::memcpy(bytes.data(), &number, sizeof number);
        const ValueId value = m_rewriter.addConstant(name, dtype, std::move(shape), std::move(bytes));
        m_constants.emplace(name, value);
        return value;
    }

    /// Concatenates the items along a new first axis.
    Operand stacked(NodeId loop, const std::vector<Operand> &items)
    {
        std::vector<ir::Argument> all;
        for (const Operand &item : items)
            all.push_back({{}, unsqueezed(loop, item)});
        all.push_back({m_rewriter.text("axis"), std::int64_t{0}});
        return m_rewriter.makeBefore(loop, {.dialect = "onnx", .name = "Concat", .arguments = std::move(all)}, {});
    }

    Operand unsqueezed(NodeId loop, const Operand &item)
    {
        std::vector<ir::Argument> arguments{{{}, item}};
        if (ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx") >= 13)
            arguments.push_back({{}, constant("axis", ir::DType::Int64, std::int64_t{0}, {1})});
        else
            arguments.push_back({m_rewriter.text("axes"), ir::List{{std::int64_t{0}}}});
        return m_rewriter.makeBefore(loop, {.dialect = "onnx", .name = "Unsqueeze", .arguments = std::move(arguments)},
                                     {});
    }

    rewrite::Rewriter &m_rewriter;
    std::int64_t m_maxIterations;
    std::int64_t m_nodesLeft;
    std::string m_tooLong, m_tooLarge; ///< remarks on loops that exceed a limit
    std::unordered_map<std::string, Operand> m_constants;
};

} // namespace

extern const Pass unrollLoops;
const Pass unrollLoops{
    "unroll-loops",
    "Unrolls loops whose number of iterations is known.",
    {{"iterations", "limit of iterations", std::int64_t{64}}, {"nodes", "limit of nodes made", std::int64_t{10'000}}},
    runOf<Unrolling>,
    false};

} // namespace cutaway::passes
