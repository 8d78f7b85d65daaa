// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/difference.h"
#include "tests/core/ir/parsed.h"

#include <string>

namespace cutaway::report {

/// The text of a model, not of its function alone.
struct Whole {
    std::string text;
};

/// Two models and what differs between them.
class TwoModels {
public:
    TwoModels(const std::string &before, const std::string &after)
        : TwoModels(Whole{"path \"a.pt2\" graph @forward" + before}, Whole{"path \"b.pt2\" graph @forward" + after})
    {
    }
    TwoModels(const Whole &before, const Whole &after)
        : m_modelA(test::parsed(before.text)),
          m_modelB(test::parsed(after.text)),
          m_analysisA(analysis::analyse(m_modelA, ir::FunctionId{0})),
          m_analysisB(analysis::analyse(m_modelB, ir::FunctionId{0})),
          m_difference(diff::compare(m_a, m_b))
    {
    }

    Comparison comparison() const { return {m_a, m_b, m_difference}; }

private:
    ir::Model m_modelA, m_modelB;
    analysis::Analysis m_analysisA, m_analysisB;
    diff::Side m_a{m_modelA, m_analysisA}, m_b{m_modelB, m_analysisB};
    diff::Difference m_difference;
};

inline const std::string before = R"((%x: float32[2, 3]) {
    %a = aten::sin(self=%x) in stem
    %b = aten::cos(self=%a) in stem
    %c = aten::exp(self=%b) in stem
    %d = aten::neg(self=%c) in body
    %e = aten::softmax.int(self=%d, dim=0) in head
    %f = aten::tanh(self=%e) in head
    return %f })";

inline const std::string after = R"((%y: float32[2, 3]) {
    %q = aten::sin(self=%y) in stem
    %r = aten::cos(self=%q) in stem
    %s = aten::exp(self=%r) in stem
    %t = aten::neg(self=%s) in body
    %u = aten::softmax.int(self=%t, dim=1) in head
    %v = aten::relu(self=%u) in head
    %w = aten::tanh(self=%v) in head
    return %w })";

} // namespace cutaway::report
