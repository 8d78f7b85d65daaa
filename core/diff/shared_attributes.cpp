// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/shared_attributes.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/network/attention.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/normalization.h"
#include "core/ops/network/pooling.h"

#include <algorithm>

namespace cutaway::diff {

namespace {

using Numbers = std::vector<double>;

/// A known attribute of an operator, by torch's name for it.
struct Shared {
    std::string_view name;
    Numbers numbers;
    std::string text;
};

class SharedArguments {
public:
    void add(std::string_view name, std::optional<double> number)
    {
        if (!number)
            return;
        const auto stored = static_cast<float>(*number); // ONNX stores attributes in single precision
        m_all.push_back({name, {static_cast<double>(stored)}, formatted("{}", stored)});
    }
    void add(std::string_view name, std::optional<bool> flag)
    {
        if (flag)
            m_all.push_back({name, {*flag ? 1.0 : 0.0}, *flag ? "true" : "false"});
    }
    void add(std::string_view name, const ir::Dim &size)
    {
        if (const auto number = ops::number(size))
            m_all.push_back({name, {static_cast<double>(*number)}, ir::print(size)});
    }
    void add(std::string_view name, const std::vector<ir::Dim> &sizes)
    {
        Numbers numbers;
        for (const ir::Dim &size : sizes)
            if (const auto number = ops::number(size))
                numbers.push_back(static_cast<double>(*number));
        if (!numbers.empty() && numbers.size() == sizes.size())
            m_all.push_back({name, std::move(numbers), ir::print(sizes)});
    }
    void add(const ops::Windows &windows)
    {
        std::vector<ir::Dim> strides, dilations, before, after;
        for (const ops::Window &window : windows) {
            strides.push_back(window.stride);
            dilations.push_back(window.dilation);
            before.push_back(window.before);
            after.push_back(window.after);
        }
        add("stride", strides);
        add("dilation", dilations);
        if (!std::ranges::all_of(windows, isPaddedExplicitly))
            return;
        if (before != after)
            before.insert(before.end(), after.begin(), after.end());
        add("padding", before);
    }
    std::vector<Shared> take() { return std::move(m_all); }

private:
    static bool isPaddedExplicitly(const ops::Window &window) { return window.autoPad == ops::AutoPad::NotSet; }

    std::vector<Shared> m_all;
};

bool isNormalization(ops::OperatorKind kind)
{
    namespace kinds = ops::kind;
    return kind == kinds::batchNorm || kind == kinds::layerNorm || kind == kinds::groupNorm
        || kind == kinds::instanceNorm || kind == kinds::rmsNorm;
}

std::vector<Shared> sharedArguments(const ops::Call &call, ops::OperatorKind kind)
{
    namespace kinds = ops::kind;
    SharedArguments shared;
    if (kind == kinds::conv || kind == kinds::convTranspose) {
        const auto given = ops::convolutionArguments(call);
        if (given && given->windows)
            shared.add(*given->windows);
        if (given)
            shared.add("groups", given->groups);
    } else if (kind == kinds::maxPool || kind == kinds::avgPool) {
        if (const auto windows = ops::poolArguments(call).windows) {
            std::vector<ir::Dim> kernels;
            for (const ops::Window &window : *windows)
                kernels.push_back(window.kernel);
            shared.add("kernel_size", kernels);
            shared.add(*windows);
        }
    } else if (isNormalization(kind)) {
        if (const auto epsilon = ops::normalizationArguments(call).epsilon)
            shared.add("eps", *epsilon);
    } else if (kind == kinds::scaledDotProductAttention) {
        shared.add("is_causal", ops::attentionArguments(call).isCausal);
    }
    return shared.take();
}

bool allEqual(const Numbers &numbers)
{
    return std::ranges::adjacent_find(numbers, std::ranges::not_equal_to()) == numbers.end();
}

/// Whether two lists are the same numbers. A layer of one dimension may be written as one of two, so [1, 1] equals [1].
bool isSame(const Numbers &a, const Numbers &b)
{
    return a == b || (a.size() != b.size() && allEqual(a) && allEqual(b) && a[0] == b[0]);
}

} // namespace

void compareSharedAttributes(Operands &a, const ir::NodeRef &nodeA, Operands &b, const ir::NodeRef &nodeB,
                             std::vector<Change> &changes)
{
    const std::vector<Shared> before = sharedArguments(a.call(nodeA), ops::kindOf(nodeA)),
                              after = sharedArguments(b.call(nodeB), ops::kindOf(nodeB));
    for (const Shared &argument : before) {
        const auto other = std::ranges::find(after, argument.name, &Shared::name);
        if (other != after.end() && !isSame(argument.numbers, other->numbers))
            changes.push_back({Change::Kind::Argument, std::string(argument.name), argument.text, other->text});
    }
}

} // namespace cutaway::diff
