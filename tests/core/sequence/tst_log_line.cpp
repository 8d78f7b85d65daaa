// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/log_line.h"

#include "core/base/formatted.h"

#include <gtest/gtest.h>

namespace cutaway::sequence {

namespace {

std::string partsOf(std::string_view line)
{
    const auto parsed = parseLogLine(line);
    if (!parsed)
        return "none";
    return formatted("{}|{}|{}|{}|{}", parsed->rank ? std::to_string(*parsed->rank) : "-", parsed->writer,
                     parsed->compileId, parsed->artifact, parsed->text);
}

struct LineRow {
    const char *label;
    const char *line;
    const char *parts; ///< rank, writer, compile id, artifact, text
};

class LogLineTest : public testing::TestWithParam<LineRow> { };

TEST_P(LogLineTest, hasTheseParts) { EXPECT_EQ(partsOf(GetParam().line), GetParam().parts); }

INSTANTIATE_TEST_SUITE_P(
    Rows, LogLineTest,
    testing::Values(
        LineRow{"WithArtifact", "V1127 09:41:53.776000 2 torch/_dynamo/a.py:1353] [0/0] [__graph_code]  ===== g =====",
                "-|2 torch/_dynamo/a.py:1353]|0/0|__graph_code| ===== g ====="},
        LineRow{"SecondAttempt", "I1127 09:41:53.776 18 torch/a.py:1] [0/0_1] [__aot_graphs] TRACED GRAPH",
                "-|18 torch/a.py:1]|0/0_1|__aot_graphs|TRACED GRAPH"},
        LineRow{"CompiledAutograd", "V1127 09:41:53.776000 2 torch/a.py:1] [!0/1/0] x", "-|2 torch/a.py:1]|!0/1/0||x"},
        LineRow{"CompiledAutogradAlone", "V1127 09:41:53.776000 2 torch/a.py:1] [!0] x", "-|2 torch/a.py:1]|!0||x"},
        LineRow{"Rank", "[rank3]:V1127 09:41:53.776000 2 torch/a.py:1] [0/0] x", "3|2 torch/a.py:1]|0/0||x"},
        LineRow{"RankAndBlank", "[rank12]: V1127 09:41:53.776000 2 torch/a.py:1] x", "12|2 torch/a.py:1]|||x"},
        LineRow{"ThreadOfVersion23", "V1127 10:08:56.408000 140273787061376 torch/a.py:1] [0/0] x",
                "-|140273787061376 torch/a.py:1]|0/0||x"},
        LineRow{"Version22", "[2023-11-27 10:08:56,408] [0/0] torch.fx.a.__graph_code: [DEBUG] x",
                "-|torch.fx.a.__graph_code|0/0|__graph_code|x"},
        LineRow{"Version22WithoutId", "[2023-11-27 10:08:56,408] torch._dynamo.a: [INFO] x", "-|torch._dynamo.a|||x"},
        LineRow{"BracketsInTheText", "V1127 09:41:53.776000 2 torch/a.py:1] [a, b] x", "-|2 torch/a.py:1]|||[a, b] x"},
        LineRow{"EmptyText", "V1127 09:41:53.776000 2 torch/a.py:1] [0/0] [__graph_code] ",
                "-|2 torch/a.py:1]|0/0|__graph_code|"},
        LineRow{"Prose", "There is no log here.", "none"}, LineRow{"Nothing", "", "none"},
        LineRow{"CutInTheTime", "V1127 09:41", "none"}, LineRow{"CutBehindTheTime", "V1127 09:41:53.776000", "none"},
        LineRow{"NoLineNumber", "V1127 09:41:53.776000 2 torch/a.py] x", "none"},
        LineRow{"RankThatIsNone", "[rankX]:V1127 09:41:53.776000 2 torch/a.py:1] x", "none"},
        LineRow{"RankOutOfRange", "[rank99999999999]:V1127 09:41:53.776000 2 torch/a.py:1] x", "none"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::sequence
