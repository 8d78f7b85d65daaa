// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/ir/text/text.h"
#include "core/query/answer.h"
#include "core/query/query.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace cutaway;

ir::Model sample()
{
    return *ir::parseText(R"(model "m"
graph @forward(%x: float32[N, 4], %c: bool[]) {
  %a: float32[N, 4] = aten::relu(self=%x)
  %b: tensor[*] = custom::unknown(%a)
  %d = prim::If(cond=%c)
    region "then" {
      %e = aten::neg(self=%a)
      return %e
    }
    region "else" {
      return %a
    }
  return %b, %d
}
)");
}

} // namespace

/// A valid query is answered with existing nodes, each once; the error of an invalid one has a position in the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const ir::Model model = sample();
    static const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const query::Subject subject : {query::Subject::Node, query::Subject::Model}) {
        const auto parsed = query::parse(text, subject);
        if (!parsed) {
            if (parsed.error().at > text.size())
                std::abort();
            (void)query::markedText(text, parsed.error());
            continue;
        }
        (void)query::plainWords(*parsed);
        (void)query::propertiesIn(*parsed);
        if (subject == query::Subject::Model)
            continue;
        const query::Answer answer = query::answerTo(*parsed, {.model = model, .analysis = analysis});
        if (answer.nodes.size() > model.functions.front().graph.nodeCount())
            std::abort();
    }
    return 0;
}
