// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/layout/layout.h"
#include "core/query/query.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/search/search.h"
#include "views/session/session.h"

#include <QSignalSpy>
#include <QTest>
#include <memory>

namespace cutaway::views::sample {

/// Two modules with weights, one of them nested, a branch, a diagnostic.
inline constexpr const char *net = R"(model "net"
tensor @stem.conv.weight: float32[4, 3, 3, 3] parameter
tensor @head.weight: float32[10, 4] parameter
diagnostic info "x.note" "nothing special"
diagnostic error "x.bad" "something is wrong" about @forward #2
diagnostic warning "x.odd" "something is odd"
scope stem class "net.Stem"
scope stem.conv class "torch.nn.Conv2d"
scope stem.act class "torch.nn.ReLU"
scope head class "torch.nn.Linear"
graph @forward(%x: float32[1, 3, 8, 8], %flag: bool) {
  weight %w = @stem.conv.weight
  weight %v = @head.weight
  %conv: float32[1, 4, 6, 6] = aten::conv2d.default(%x, %w, stride=[1, 1]) in stem.conv
  %act: float32[1, 4, 6, 6] = aten::relu.default(%conv) in stem.act
  %mean: float32[1, 4] = aten::mean.dim(%act, [2, 3])
  %out: float32[1, 10] = aten::linear.default(%mean, %v) in head
  %both: float32[1, 10] = prim::If(%flag) region "then" {
      %twice: float32[1, 10] = aten::mul.Scalar(%out, 2)
      return %twice
    } region "else" {
      return %out
    }
  return %both
}
)";

/// Sizes over a symbol, nothing recorded inside; figures small enough to be worked out by hand.
/// wide: 2 * s0*3 * 4 = 24*s0 FLOP, deep: 2 * s0*100 * 3 = 600*s0, last: 2 * s0*200 * 100 = 40000*s0.
inline constexpr const char *open = R"(model "open"
symbol s0 [2, 64] hint 5
tensor @wide.weight: float32[3, 4] parameter
tensor @deep.weight: float32[100, 3] parameter
tensor @last.weight: float32[200, 100] parameter
scope net class "net.Net"
scope net.wide class "torch.nn.Linear"
graph @forward(%x: float32[s0, 4]) {
  weight %a = @wide.weight
  weight %b = @deep.weight
  weight %c = @last.weight
  %wide = aten::linear(input=%x, weight=%a) in net.wide
  %act = aten::relu(self=%wide) in net
  %deep = aten::linear(input=%act, weight=%b)
  %last = aten::linear(input=%deep, weight=%c)
  return %last
}
)";

/// Two functions; the ids of one stand for other things in the other.
inline constexpr const char *twoFunctions = R"(model "two"
graph @forward(%x: float32[2]) {
  %a = aten::relu(self=%x)
  %b = aten::relu(self=%a)
  return %b
}
graph @other(%x: float32[3]) {
  %y = aten::relu(self=%x)
  return %y
}
)";

inline std::shared_ptr<const ir::Model> model(const char *text = net)
{
    auto parsed = ir::parseText(text);
    if (!parsed)
        qFatal("%s", parsed.error().text().c_str());
    return std::make_shared<const ir::Model>(*std::move(parsed));
}

inline ir::NodeId node(const Session &session, std::string_view name)
{
    const ir::Graph &graph = session.document().function().graph;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (graph.context().text(graph.at(ir::NodeId{i}).name) == name)
            return {i};
    qFatal("no node is named so");
}

inline ir::ScopeId scope(const Session &session, std::string_view path)
{
    const ir::Context &context = *session.document().model().context;
    for (std::uint32_t i = 0; i < context.scopeCount(); ++i)
        if (context.text(context.at(ir::ScopeId{i}).path) == path)
            return {i};
    qFatal("no scope has this path");
}

inline layout::ScopeSubject module(const Session &session, std::string_view path)
{
    return {scope(session, path), ir::Graph::body};
}

/// Returns the matches of a search for words; nothing for other queries.
inline std::vector<Selection> search(const ir::Function &function, const QString &text)
{
    const auto query = query::parse(text.toStdString());
    const auto words = query ? query::plainWords(*query) : std::nullopt;
    return words ? views::search(function, *words) : std::vector<Selection>();
}

inline bool waitForFigures(const Session &session)
{
    return QTest::qWaitFor([&] { return !session.analysing().isBusy() && session.analysing().figures(); }, 10000);
}

inline bool waitForLayout(const Session &session)
{
    return QTest::qWaitFor([&] { return !session.drawing().isBusy() && session.drawing().diagram(); }, 10000);
}

} // namespace cutaway::views::sample
