// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/print/text_table.h"
#include "core/report/sequences/sequences.h"

namespace cutaway::report {

namespace {

std::vector<std::string> newNodes(const sequence::Mapping &mapping)
{
    std::vector<std::string> names;
    for (const sequence::NodeOrigin &pair : mapping.pairs)
        if (pair.from.empty())
            names.push_back(pair.node);
    return names;
}

std::string eventText(const sequence::BlameEntry &entry)
{
    return entry.event ? std::string(passes::name(*entry.event)) : "not yet";
}

} // namespace

std::string mappingJson(const std::string &a, const std::string &b, const sequence::Mapping &mapping)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.mapping/1");
    out.member("a", a);
    out.member("b", b);
    out.list("pairs", mapping.pairs, [&](const sequence::NodeOrigin &pair) {
        out.beginObject();
        out.member("node", pair.node);
        out.list("from", pair.from);
        out.member("how", sequence::name(pair.how));
        out.member("sure", pair.isSure);
        out.endObject();
    });
    out.list("new", newNodes(mapping));
    out.list("gone", mapping.gone);
    out.endObject();
    return out.take();
}

std::string mappingText(const sequence::Mapping &mapping)
{
    print::TextTable table({{}, {}, {}});
    for (const sequence::NodeOrigin &pair : mapping.pairs)
        table.addRow({sanitized(pair.node), pair.from.empty() ? "new" : "from " + sanitized(joined(pair.from, ", ")),
                      pair.from.empty() ? "" : std::string(sequence::name(pair.how)) + (pair.isSure ? "" : "?")});
    std::string text = table.print(0);
    if (!mapping.gone.empty())
        text += "gone: " + sanitized(joined(mapping.gone, ", ")) + "\n";
    return text;
}

std::string blameJson(const std::string &step, const std::string &node,
                      const std::vector<sequence::BlameEntry> &history)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.blame/1");
    out.member("step", step);
    out.member("node", node);
    out.list("history", history, [&](const sequence::BlameEntry &entry) {
        out.beginObject();
        out.member("step", entry.step);
        out.list("nodes", entry.nodes);
        out.key("event");
        entry.event ? out.value(passes::name(*entry.event)) : out.null();
        out.member("how", sequence::name(entry.how));
        out.member("sure", entry.isSure);
        out.endObject();
    });
    out.endObject();
    return out.take();
}

std::string blameText(const std::vector<sequence::BlameEntry> &history)
{
    print::TextTable table({{.maxWidth = 80}, {}, {.maxWidth = 60}});
    for (const sequence::BlameEntry &entry : history) {
        // The address of a file has no '#' and stays as it is: npos + 1 is 0.
        const std::string step = entry.step.substr(entry.step.find('#') + 1);
        table.addRow({sanitized(step), eventText(entry), sanitized(joined(entry.nodes, ", "))});
    }
    return table.print(0);
}

} // namespace cutaway::report
