// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/report/net_text.h"

#include "core/base/formatted.h"

namespace cutaway::test {

std::string NetText::tensor(const Shape &shape, std::string_view kind)
{
    std::string sizes;
    for (const std::int64_t size : shape)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    const std::string name = formatted("@p{}", m_tensorCount++);
    m_tensors += formatted("tensor {}: float32[{}] {}\n", name, sizes, kind);
    return name;
}

std::vector<std::string> NetText::nodes(std::string_view call, int count)
{
    std::vector<std::string> results;
    std::string list;
    for (int i = 0; i < count; ++i) {
        results.push_back(formatted("%v{}", m_valueCount++));
        list += (i ? ", " : "") + results.back();
    }
    m_nodes += formatted("  {} = {}\n", list, call);
    return results;
}

std::string NetText::convolution(const std::string &x, const Convolution &layer)
{
    const std::string weight = parameter({layer.out, layer.in / layer.groups, layer.kernel, layer.kernel});
    const std::string bias = layer.hasBias ? parameter({layer.out}) : "none";
    return node(formatted("aten::conv2d({}, {}, {}, [{}], [{}], [1], {})", x, weight, bias, layer.stride, layer.padding,
                          layer.groups));
}

std::string NetText::batchNorm(const std::string &x, std::int64_t channels)
{
    const std::string weight = parameter({channels}), bias = parameter({channels});
    const std::string mean = tensor({channels}, "buffer"), variance = tensor({channels}, "buffer");
    return node(
        formatted("aten::batch_norm({}, {}, {}, {}, {}, false, 0.1, 1e-05, true)", x, weight, bias, mean, variance));
}

std::string NetText::layerNorm(const std::string &x, std::int64_t size)
{
    const std::string weight = parameter({size}), bias = parameter({size});
    return node(formatted("aten::layer_norm({}, [{}], {}, {})", x, size, weight, bias));
}

std::string NetText::linear(const std::string &x, std::int64_t in, std::int64_t out, Bias bias)
{
    const std::string weight = parameter({out, in});
    return node(formatted("aten::linear({}, {}, {})", x, weight, bias == Bias::With ? parameter({out}) : "none"));
}

std::string NetText::model(std::string_view inputs, const std::string &result) const
{
    return formatted("model \"net\"\n{}graph @forward({}) {{\n{}  return {}\n}}\n", m_tensors, inputs, m_nodes, result);
}

} // namespace cutaway::test
