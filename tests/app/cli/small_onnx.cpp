// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_onnx.h"

#include <string_view>

namespace cutaway::test {

namespace {

// Protobuf's wire form; every number and length here is below 128 and so one byte.
std::string number(int field, int value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }

std::string bytes(int field, std::string_view content)
{
    return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(content.size())} + std::string(content);
}

std::string valueInfo(std::string_view name)
{
    const std::string dims = bytes(1, bytes(2, "N")) + bytes(1, number(1, 3));
    const std::string tensor = number(1, 1) + bytes(2, dims);
    return bytes(1, name) + bytes(2, bytes(1, tensor));
}

} // namespace

std::string smallOnnx()
{
    const std::string node = bytes(1, "x") + bytes(2, "y") + bytes(3, "/act/Relu") + bytes(4, "Relu");
    const std::string graph =
        bytes(1, node) + bytes(2, "small") + bytes(11, valueInfo("x")) + bytes(12, valueInfo("y"));
    return number(1, 8) + bytes(2, "by hand") + bytes(7, graph) + bytes(8, number(2, 17));
}

} // namespace cutaway::test
