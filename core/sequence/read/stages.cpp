// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/stages.h"

#include "core/formats/graph_text/extent.h"

#include <algorithm>
#include <array>

namespace cutaway::sequence {

namespace {

struct Stage {
    std::string_view name;
    Kind kind;
};

/// The names that torch has used for the graphs of stages; other records are states before and after single passes.
constexpr std::array records{
    Stage{"dynamo_output_graph", Kind::Dynamo},
    Stage{"compiled_autograd_graph", Kind::CompiledAutograd},
    Stage{"compiled_autograd_graph_pre_reordering", Kind::CompiledAutograd},
    Stage{"before_pre_grad_graph", Kind::PreGrad},
    Stage{"after_pre_grad_graph", Kind::PreGrad},
    Stage{"aot_joint_graph", Kind::Joint},
    Stage{"before_joint_graph", Kind::Joint},
    Stage{"after_joint_graph", Kind::Joint},
    Stage{"aot_forward_graph", Kind::Aot},
    Stage{"aot_backward_graph", Kind::Aot},
    Stage{"aot_inference_graph", Kind::Aot},
    Stage{"before_post_grad_graph", Kind::PostGrad},
    Stage{"inductor_post_grad_graph", Kind::PostGrad},
    Stage{"exported_program", Kind::Export},
};

/// Parts of titles, in lower case; the first one that a title contains determines its stage.
constexpr std::array titles{
    Stage{"compiled autograd graph", Kind::CompiledAutograd},
    Stage{"__compiled_fn", Kind::Dynamo},
    Stage{"pre grad", Kind::PreGrad},
    Stage{"post grad", Kind::PostGrad},
    Stage{"joint graph", Kind::Joint},
    Stage{"tensorify_python_scalars", Kind::Joint},
    Stage{"forward graph", Kind::Aot},
    Stage{"backward graph", Kind::Aot},
    Stage{"inference graph", Kind::Aot},
};

bool mentions(std::string_view name, std::string_view word)
{
    return !std::ranges::search(name, word, {}, [](char c) {
                return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
            }).empty();
}

std::optional<Direction> directionOf(const Step &step, Part part, bool hasBackward, std::optional<Direction> before)
{
    if (part == Part::Backward)
        return Direction::Backward;
    const Direction result = hasBackward ? Direction::Forward : Direction::Inference;
    switch (step.kind) {
    case Kind::Joint:
        // Inductor runs its joint passes over a graph for inference, too.
        return !hasBackward && (mentions(step.name, "before_joint") || mentions(step.name, "after_joint"))
            ? Direction::Inference
            : Direction::Joint;
    case Kind::Aot:
        return mentions(step.name, "inference") ? Direction::Inference
            : mentions(step.name, "backward")   ? Direction::Backward
                                                : result;
    case Kind::PostGrad:
        return result;
    case Kind::Pass:
        return before; // a pass has the direction of the step before it
    default:
        return std::nullopt;
    }
}

} // namespace

Kind kindOfRecord(std::string_view name)
{
    const auto *found = std::ranges::find(records, name, &Stage::name);
    return found == records.end() ? Kind::Pass : found->kind;
}

Kind kindOfTitle(std::string_view title)
{
    const auto *found = std::ranges::find_if(titles, [&](const Stage &stage) { return mentions(title, stage.name); });
    return found == titles.end() ? Kind::Text : found->kind;
}

bool isGraph(const Excerpt &text)
{
    bool isOne = false;
    text.forEachLine([&](std::string_view line) {
        const std::size_t indentation = line.find_first_not_of(" \t\r");
        if (indentation == std::string_view::npos)
            return true;
        const auto start = formats::graph_text::graphStart(line);
        isOne = start && start->column == indentation && start->form != formats::graph_text::Form::Function;
        return false;
    });
    return isOne;
}

void setDirections(Sequence &sequence, bool hasBackward)
{
    std::optional<Direction> before;
    for (Step &step : sequence.steps)
        before = step.direction = directionOf(step, sequence.part, hasBackward, before);
}

} // namespace cutaway::sequence
