// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/history/blame.h"

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/print/text_table.h"

namespace cutaway::report {

namespace {

using passes::BlameEntry;
using passes::History;

std::string titleOf(const History &history, std::size_t position)
{
    return position == 0 ? history.startTitle() : history.steps()[position - 1].title();
}

void writeEntry(JsonWriter &out, const History &history, const passes::Subject &subject, const BlameEntry &entry)
{
    const ir::Graph &graph = history.modelAfter(entry.position)->at(history.function()).graph;
    out.beginObject();
    out.member("step", titleOf(history, entry.position));
    out.member("position", std::uint64_t{entry.position});
    out.list("nodes", entry.nodes, [&](ir::NodeId node) { out.value(passes::nameIn({graph, node})); });
    out.key("event");
    entry.event ? out.value(passes::name(*entry.event)) : out.null();
    out.member("text", passes::sentence(history, subject, entry));
    out.endObject();
}

} // namespace

Result<std::string> blameJson(const History &history, const std::string &name)
{
    CUTAWAY_TRY(const auto subject, passes::findSubject(history, name));
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.blame/1");
    out.member("node", name);
    out.list("history", passes::blameOf(history, subject),
             [&](const BlameEntry &entry) { writeEntry(out, history, subject, entry); });
    out.endObject();
    return out.take();
}

Result<std::string> blameText(const History &history, const std::string &name)
{
    CUTAWAY_TRY(const auto subject, passes::findSubject(history, name));
    print::TextTable table({{.align = print::TextTable::Align::Right}, {}, {.maxWidth = 100, .isProse = true}});
    const auto entries = passes::blameOf(history, subject);
    for (const std::size_t at : passes::changesOf(entries)) {
        const std::string text = passes::sentence(history, subject, entries[at]);
        table.addRow({std::to_string(at), sanitized(titleOf(history, at)),
                      sanitized(at == 0 ? "it is there" : print::withoutBackquotes(text))});
    }
    return table.print(0);
}

} // namespace cutaway::report
