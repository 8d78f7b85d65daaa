// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/ir/names.h"
#include "core/ops/category.h"
#include "core/report/difference.h"

#include <algorithm>

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
        if (m_difference.isEqual() && !m_difference.isComplete()) {
            m_out.key("equal"); // what was compared is, but that is not everything
            m_out.null();
        } else {
            m_out.member("equal", m_difference.isEqual());
        }
        m_out.member("exact", m_difference.isExact);
        writeModel("a", m_a);
        writeModel("b", m_b);
        list("matched", m_difference.pairs, [&](const diff::Pair &pair) { writePair(pair); });
        list("groups", m_difference.groups, [&](const diff::Group &group) { writeGroup(group); });
        writeNodes("only_a", m_a, m_difference.onlyA);
        writeNodes("only_b", m_b, m_difference.onlyB);
        list("not_compared", m_difference.notCompared, [&](const diff::NotCompared &each) { writeNotCompared(each); });
        writeChanges("signature", m_difference.signature);
        list("modules", m_difference.modules, [&](const diff::ModuleChanges &module) { writeModule(module); });
        writeSummary();
        m_out.endObject();
        return m_out.take();
    }

private:
    template <class List, class Write>
    void list(std::string_view key, const List &items, const Write &write)
    {
        m_out.key(key);
        m_out.beginArray();
        for (const auto &item : items)
            write(item);
        m_out.endArray();
    }

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
        m_out.member("reason", group.reason);
        m_out.endObject();
    }

    void writeNotCompared(const diff::NotCompared &each)
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
        list(key, nodes, [&](ir::NodeId node) { m_out.value(ir::nameOf({side.graph(), node})); });
    }

    void writeChanges(std::string_view key, const std::vector<diff::Change> &changes)
    {
        list(key, changes, [&](const diff::Change &change) {
            m_out.beginObject();
            m_out.member("kind", diff::name(change.kind));
            m_out.member("what", change.what);
            m_out.member("a", change.before);
            m_out.member("b", change.after);
            m_out.endObject();
        });
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
        const auto changed =
            std::ranges::count_if(m_difference.pairs, [](const diff::Pair &pair) { return !pair.changes.empty(); });
        m_out.key("summary");
        m_out.beginObject();
        m_out.member("matched", std::uint64_t{m_difference.pairs.size()});
        m_out.member("changed", std::int64_t{changed});
        m_out.member("groups", std::uint64_t{m_difference.groups.size()});
        m_out.member("not_compared", std::uint64_t{m_difference.notCompared.size()});
        m_out.member("only_a", std::uint64_t{m_difference.onlyA.size()});
        m_out.member("only_b", std::uint64_t{m_difference.onlyB.size()});
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
