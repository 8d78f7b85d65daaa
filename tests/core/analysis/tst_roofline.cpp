// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/roofline.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

using analysis::Attainable;
using analysis::Device;

/// Round figures: 100 FLOP/s of products, 10 of the rest, 8 bytes/s, 1,000 bytes.
Device slow() { return {"slow", "Slow", "made up", {{ir::DType::Float32, 100}}, 10, 8, 1000}; }

analysis::Roofline rooflineOf(const std::string &graph)
{
    const ir::Model model = modelOf(graph);
    return analysis::roofline(model, analysis::analyse(model, ir::FunctionId{0}), slow(), 500);
}

TEST(Roofline, isTheSlowerOfComputingAndMoving)
{
    const auto result = rooflineOf(R"((%x: float32[8, 8], %w: float32[8, 8]) {
        %y = aten::mm(self=%x, mat2=%w)
        %z = aten::relu(self=%y)
        return %z })");
    // 1,024 FLOP in 10.24 s, 768 bytes in 96 s; 64 operations in 6.4 s, 512 bytes in 64 s
    ASSERT_TRUE(result.nodes[0] && result.nodes[1]);
    EXPECT_DOUBLE_EQ(result.nodes[0]->seconds, 96);
    EXPECT_EQ(result.nodes[0]->bound, Attainable::Bound::Memory);
    EXPECT_DOUBLE_EQ(result.nodes[0]->intensity, 1024. / 768);
    EXPECT_DOUBLE_EQ(result.seconds, 160);
    EXPECT_EQ(result.unknown, 0);
    EXPECT_DOUBLE_EQ(result.neededBytes.value_or(0), 500 + 3 * 256);
    EXPECT_FALSE(result.fits);
}

TEST(Roofline, countsComputingOfLargeProducts)
{
    const auto result = rooflineOf(R"((%x: float32[64, 64]) {
        %y = aten::mm(self=%x, mat2=%x)
        return %y })");
    ASSERT_TRUE(result.nodes[0]);
    EXPECT_EQ(result.nodes[0]->bound, Attainable::Bound::Compute);
    EXPECT_DOUBLE_EQ(result.nodes[0]->seconds, 2. * 64 * 64 * 64 / 100);
}

TEST(Roofline, saysWhatItDoesNotKnow)
{
    const auto symbolic = rooflineOf("(%x: float32[s0]) { %y = aten::relu(self=%x)  return %y }");
    EXPECT_EQ(symbolic.unknown, 1);
    EXPECT_EQ(symbolic.reason, "a size is a symbol without a value");
    EXPECT_FALSE(symbolic.neededBytes);
    const auto otherType = rooflineOf("(%x: float16[8, 8]) { %y = aten::mm(self=%x, mat2=%x)  return %y }");
    EXPECT_EQ(otherType.reason, "Slow has no figure for float16");
}

struct WrongDeviceRow {
    std::string name, json, message;
};

void PrintTo(const WrongDeviceRow &row, std::ostream *out) { *out << row.name; }

class WrongDevice : public ::testing::TestWithParam<WrongDeviceRow> { };

TEST_P(WrongDevice, isRefusedWithTheReason)
{
    const auto device = analysis::parseDevice(GetParam().json);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongDevice,
    ::testing::Values(
        WrongDeviceRow{"NoJson", "{", "no JSON object"},
        WrongDeviceRow{"NoName", R"({"id": "a"})", "'name' is missing or not a text"},
        WrongDeviceRow{"Negative", R"({"id": "a", "name": "A", "source": "s", "memory_bytes": -1})",
                       "'memory_bytes' is missing or not a positive number"},
        WrongDeviceRow{
            "NoPeaks",
            R"({"id": "a", "name": "A", "source": "s", "memory_bytes": 1, "bandwidth": 1, "vector_flops": 1})",
            "'flops' is missing or not an object with a figure per dtype"},
        WrongDeviceRow{"NoDType",
                       R"({"id": "a", "name": "A", "source": "s", "memory_bytes": 1, "bandwidth": 1, "vector_flops": 1,
                "flops": {"fp": 1}})",
                       "'fp' is not a dtype"}),
    [](const auto &row) { return row.param.name; });

TEST(Devices, areReadAsTheyAreWritten)
{
    const std::vector<Device> devices = analysis::builtinDevices();
    EXPECT_GE(devices.size(), 7u);
    for (const Device &device : devices) {
        const auto again = analysis::parseDevice(analysis::printDevice(device));
        ASSERT_TRUE(again) << device.id;
        EXPECT_EQ(analysis::printDevice(*again), analysis::printDevice(device));
        EXPECT_TRUE(device.peaks.contains(ir::DType::Float32)) << device.id;
    }
}

} // namespace
} // namespace cutaway::test
