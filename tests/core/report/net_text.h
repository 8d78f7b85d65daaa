// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::test {

/// Writes a network in the textual form, layer by layer. Each function gives the name of what it made: "%v3", "@p7".
class NetText {
public:
    using Shape = std::vector<std::int64_t>;

    /// Square kernels; without a bias as batch normalisation follows.
    struct Convolution {
        std::int64_t in, out, kernel, stride = 1, padding = 0, groups = 1;
        bool hasBias = false;
    };
    enum class Bias : std::uint8_t { Without, With };

    std::string parameter(const Shape &shape) { return tensor(shape, "parameter"); }
    std::string node(std::string_view call) { return nodes(call, 1).front(); }
    /// One call with several results.
    std::vector<std::string> nodes(std::string_view call, int count);

    std::string convolution(const std::string &x, const Convolution &layer);
    std::string batchNorm(const std::string &x, std::int64_t channels);
    std::string layerNorm(const std::string &x, std::int64_t size);
    std::string linear(const std::string &x, std::int64_t in, std::int64_t out, Bias bias = Bias::With);

    /// The model that returns `result`; inputs as "%x: float32[1, 3]".
    std::string model(std::string_view inputs, const std::string &result) const;

private:
    std::string tensor(const Shape &shape, std::string_view kind);

    std::string m_tensors, m_nodes;
    int m_tensorCount = 0, m_valueCount = 0;
};

} // namespace cutaway::test
