// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/ir/names.h"
#include "core/ops/category.h"
#include "core/report/difference.h"
#include "core/report/part_changes.h"

namespace cutaway::report {

namespace {

class DifferenceWriter {
public:
    explicit DifferenceWriter(const Comparison &comparison)
        : m_a(comparison.a),
          m_b(comparison.b),
          m_difference(comparison.difference)
    {
    }

    std::string write()
    {
        m_out.beginObject();
        m_out.member("schema", "cutaway.diff/1");
        if (m_difference.isEqual() && !(m_difference.isComplete() && m_difference.isProven())) {
            // All that was compared is equal, but something was not compared or not proven.
            m_out.key("equal");
            m_out.null();
        } else {
            m_out.member("equal", m_difference.isEqual());
        }
        m_out.member("exact", m_difference.isExact);
        m_out.member("same_graph", m_difference.isEqual() || m_difference.isSameGraph());
        m_out.list("precision", otherPrecision(), [&](const diff::Rounding &each) { writeRounding(each); });
        writeQuantized();
        m_out.member("similarity", m_difference.similarity);
        writeModel("a", m_a);
        writeModel("b", m_b);
        m_out.list("matched", m_difference.pairs, [&](const diff::Pair &pair) { writePair(pair); });
        m_out.list("groups", m_difference.groups, [&](const diff::Group &group) { writeGroup(group); });
        m_out.list("replaced", m_difference.regions, [&](const diff::Region &region) { writeRegion(region); });
        writeNodes("only_a", m_a, m_difference.onlyA);
        writeNodes("only_b", m_b, m_difference.onlyB);
        m_out.list("not_compared", m_difference.notCompared,
                   [&](const diff::NotCompared &each) { writeUnknown(each); });
        m_out.list("not_proven", m_difference.notProven, [&](const diff::NotProven &each) { writeUnknown(each); });
        writeChanges("signature", m_difference.signature);
        m_out.list("modules", m_difference.modules, [&](const diff::ModuleChanges &module) { writeModule(module); });
        m_out.list("parts", partChanges({m_a, m_b, m_difference}), [&](const PartChanges &part) { writePart(part); });
        writeSummary();
        m_out.endObject();
        return m_out.take();
    }

private:
    void writeModel(std::string_view key, const diff::Side &side)
    {
        m_out.key(key);
        m_out.beginObject();
        m_out.member("path", side.model.path);
        m_out.member("format", side.model.format);
        m_out.member("function", side.graph().context().text(side.function().name));
        m_out.endObject();
    }

    void writePair(const diff::Pair &pair)
    {
        const ir::NodeRef a(m_a.graph(), pair.a), b(m_b.graph(), pair.b);
        m_out.beginObject();
        m_out.member("a", nameOf(a));
        m_out.member("b", nameOf(b));
        m_out.member("a_id", pair.a.index);
        m_out.member("b_id", pair.b.index);
        m_out.member("category", ops::name(ops::categoryOf(a)));
        m_out.member("score", pair.score);
        m_out.member("reason", diff::sentence(pair.reason));
        writeChanges("changed", pair.changes);
        m_out.endObject();
    }

    void writeGroup(const diff::Group &group)
    {
        m_out.beginObject();
        writeNodes("a", m_a, group.a);
        writeNodes("b", m_b, group.b);
        m_out.member("reason", group.proof);
        m_out.endObject();
    }

    void writeRegion(const diff::Region &region)
    {
        m_out.beginObject();
        writeRegionSide("a", m_a, region.a);
        writeRegionSide("b", m_b, region.b);
        m_out.member("shared_weights", std::uint64_t{region.sharedWeights});
        m_out.member("reason", region.reason);
        m_out.endObject();
    }

    void writeRegionSide(std::string_view key, const diff::Side &side, const diff::RegionSide &region)
    {
        m_out.key(key);
        m_out.beginObject();
        writeNodes("nodes", side, region.nodes);
        m_out.key("operators");
        m_out.beginObject();
        for (const auto &[name, count] : region.operators)
            m_out.member(name, std::uint64_t{count});
        m_out.endObject();
        writeDim("flops", region.cost.flops);
        writeDim("other_flops", region.cost.otherFlops);
        m_out.list("weights", region.weights,
                   [&](ir::TensorId weight) { m_out.value(side.model.context->text(side.model.at(weight).name)); });
        m_out.endObject();
    }

    void writeQuantized()
    {
        m_out.key("quantized");
        if (!m_difference.quantized) {
            m_out.null();
            return;
        }
        const diff::Quantized &quantized = *m_difference.quantized;
        m_out.beginObject();
        m_out.member("side", quantized.isInB ? "b" : "a");
        m_out.member("quantizing", std::uint64_t{quantized.quantizing});
        m_out.member("dequantizing", std::uint64_t{quantized.dequantizing});
        m_out.member("readers", std::uint64_t{quantized.readers});
        m_out.member("weights", std::uint64_t{quantized.weights});
        m_out.endObject();
    }

    /// Returns the roundings if only the precision differs; else nothing.
    std::vector<diff::Rounding> otherPrecision() const
    {
        return m_difference.isOtherPrecision() ? m_difference.roundings : std::vector<diff::Rounding>();
    }

    void writeRounding(const diff::Rounding &each)
    {
        m_out.beginObject();
        m_out.member("a", ir::name(each.before));
        m_out.member("b", ir::name(each.after));
        m_out.member("weights", std::uint64_t{each.weights});
        m_out.member("largest_relative_error", each.largestError);
        m_out.endObject();
    }

    /// Writes something that was not compared, or not proven.
    void writeUnknown(const auto &each)
    {
        const auto node = [&](std::string_view key, const diff::Side &side, std::optional<ir::NodeId> id) {
            m_out.key(key);
            if (id)
                m_out.value(ir::nameOf({side.graph(), *id}));
            else
                m_out.null();
        };
        m_out.beginObject();
        node("a", m_a, each.nodes.a);
        node("b", m_b, each.nodes.b);
        m_out.member("what", each.what);
        m_out.member("reason", each.reason);
        m_out.endObject();
    }

    void writeNodes(std::string_view key, const diff::Side &side, const std::vector<ir::NodeId> &nodes)
    {
        m_out.list(key, nodes, [&](ir::NodeId node) { m_out.value(ir::nameOf({side.graph(), node})); });
    }

    void writeChanges(std::string_view key, const std::vector<diff::Change> &changes)
    {
        m_out.list(key, changes, [&](const diff::Change &change) {
            m_out.beginObject();
            m_out.member("kind", diff::name(change.kind));
            m_out.member("what", change.what);
            m_out.member("a", change.before);
            m_out.member("b", change.after);
            m_out.endObject();
        });
    }

    void writePart(const PartChanges &part)
    {
        m_out.beginObject();
        m_out.member("name", part.name);
        m_out.member("nodes", std::uint64_t{part.nodes});
        m_out.member("changed", std::uint64_t{part.changed});
        m_out.member("only_a", std::uint64_t{part.onlyA});
        m_out.member("only_b", std::uint64_t{part.onlyB});
        m_out.member("replaced", part.isReplaced() && part.onlyB > 0);
        m_out.endObject();
    }

    void writeModule(const diff::ModuleChanges &module)
    {
        m_out.beginObject();
        m_out.member("path", module.path);
        m_out.member("changed", std::uint64_t{module.changed});
        m_out.member("only_a", std::uint64_t{module.onlyA});
        m_out.member("only_b", std::uint64_t{module.onlyB});
        m_out.endObject();
    }

    void writeSummary()
    {
        const diff::Counts counts = m_difference.counts();
        m_out.key("summary");
        m_out.beginObject();
        m_out.member("verdict", verdictText(m_difference));
        m_out.member("matched", std::uint64_t{counts.matched});
        m_out.member("changed", std::uint64_t{counts.changed});
        m_out.member("groups", std::uint64_t{counts.groups});
        m_out.member("replaced", std::uint64_t{counts.regions});
        m_out.member("replaced_a", std::uint64_t{counts.replacedA});
        m_out.member("replaced_b", std::uint64_t{counts.replacedB});
        m_out.member("not_compared", std::uint64_t{counts.notCompared});
        m_out.member("not_proven", std::uint64_t{counts.notProven});
        m_out.member("only_a", std::uint64_t{counts.onlyA});
        m_out.member("only_b", std::uint64_t{counts.onlyB});
        m_out.member("weights_compared", std::uint64_t{m_difference.weights.compared});
        m_out.member("weights_differing", std::uint64_t{m_difference.weights.differing});
        for (const diff::Figure &figure : m_difference.totals) {
            m_out.key(figure.name);
            m_out.beginObject();
            writeDim("a", figure.before);
            writeDim("b", figure.after);
            m_out.endObject();
        }
        m_out.endObject();
    }

    void writeDim(std::string_view key, const ir::Dim &dim)
    {
        m_out.key(key);
        if (const auto *number = std::get_if<std::int64_t>(&dim))
            m_out.value(*number);
        else if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
            m_out.value(symbolic::print(*expr));
        else
            m_out.null();
    }

    const diff::Side &m_a;
    const diff::Side &m_b;
    const diff::Difference &m_difference;
    JsonWriter m_out;
};

} // namespace

std::string differenceJson(const Comparison &comparison) { return DifferenceWriter(comparison).write(); }

} // namespace cutaway::report
