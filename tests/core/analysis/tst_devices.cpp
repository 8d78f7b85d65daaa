// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calibration.h"
#include "core/analysis/known_devices.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace cutaway;
using namespace cutaway::analysis;

namespace {

const std::string good = R"({"id": "a", "name": "A", "source": "a test", "memory_bytes": 1e9, "bandwidth": 2e9,
                             "vector_flops": 3e9, "flops": {"float32": 4e9, "float16": 8e9}})";

std::string changed(const std::string &from, const std::string &to)
{
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
}

TEST(Device, isReadFromItsText)
{
    const auto device = parseDevice(good);
    ASSERT_TRUE(device) << device.error().text();
    EXPECT_EQ(device->id, "a");
    EXPECT_EQ(device->bandwidth, 2e9);
    EXPECT_EQ(device->peaks, (std::map<ir::DType, double>{{ir::DType::Float16, 8e9}, {ir::DType::Float32, 4e9}}));
    EXPECT_EQ(printDevice(*parseDevice(printDevice(*device))), printDevice(*device));
}

struct DeviceTextRow {
    const char *name;
    std::string text;
    const char *message;
};

class DeviceText : public testing::TestWithParam<DeviceTextRow> { };

TEST_P(DeviceText, isRefusedWithAReason)
{
    const auto device = parseDevice(GetParam().text);
    ASSERT_FALSE(device);
    EXPECT_NE(device.error().text().find(GetParam().message), std::string::npos) << device.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, DeviceText,
    testing::Values(
        DeviceTextRow{"noJson", "{", "no JSON object"}, DeviceTextRow{"list", "[]", "no JSON object"},
        DeviceTextRow{"noName", changed("\"name\": \"A\",", ""), "'name' is missing"},
        DeviceTextRow{"emptyId", changed("\"a\"", "\"\""), "'id' is missing or not a text"},
        DeviceTextRow{"noBandwidth", changed("\"bandwidth\": 2e9,", ""), "'bandwidth' is missing"},
        DeviceTextRow{"negativeMemory", changed("1e9", "-1e9"), "'memory_bytes' is missing or not a positive number"},
        DeviceTextRow{"zeroPeak", changed("4e9", "0"), "'float32' is missing or not a positive number"},
        DeviceTextRow{"textPeak", changed("4e9", "\"fast\""), "'float32' is missing or not a positive number"},
        DeviceTextRow{"infiniteVectors", changed("3e9", "1e999"), "no JSON object"},
        DeviceTextRow{"noPeaks", changed("\"float32\": 4e9, \"float16\": 8e9", ""), "'flops' is missing"},
        DeviceTextRow{"unknownDtype", changed("float16", "float17"), "'float17' is not a dtype"}),
    [](const auto &row) { return std::string(row.param.name); });

/// The user's folder is a new and empty one.
class KnownDevices : public testing::Test {
protected:
    KnownDevices()
    {
        setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
        std::filesystem::create_directories(userDeviceFolder());
    }
    ~KnownDevices() override { unsetenv("XDG_CONFIG_HOME"); }

    static void add(const char *name, const std::string &text)
    {
        ASSERT_TRUE(writeWholeFile(userDeviceFolder() / name, text));
    }

    const TemporaryFolder temporary = TemporaryFolder::make().value();
    const std::filesystem::path folder = temporary.path();
};

TEST_F(KnownDevices, areTheBuiltInOnesAtLeast)
{
    const auto devices = knownDevices();
    ASSERT_TRUE(devices);
    EXPECT_EQ(devices->size(), builtinDevices().size());
    EXPECT_TRUE(std::ranges::is_sorted(*devices, {}, &Device::id));
    EXPECT_TRUE(findDevice("h100-sxm"));
}

TEST_F(KnownDevices, haveTheUsersAmongThem)
{
    add("mine.json", good);
    add("notes.txt", "no device");
    const auto device = findDevice("a");
    ASSERT_TRUE(device) << device.error().text();
    EXPECT_EQ(device->name, "A");
}

TEST_F(KnownDevices, areReplacedByTheUsers)
{
    add("mine.json", changed("\"a\"", "\"h100-sxm\""));
    EXPECT_EQ(findDevice("h100-sxm")->name, "A");
    EXPECT_EQ(knownDevices()->size(), builtinDevices().size());
}

TEST_F(KnownDevices, nameTheFileThatIsWrong)
{
    add("broken.json", changed("2e9", "-2e9"));
    const auto device = findDevice("h100-sxm");
    ASSERT_FALSE(device);
    EXPECT_NE(device.error().text().find("broken.json: 'bandwidth'"), std::string::npos) << device.error().text();
}

TEST_F(KnownDevices, areListedWhereOneIsAskedForThatIsNone)
{
    const auto device = findDevice("tpu");
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().kind, ErrorKind::Usage);
    EXPECT_NE(device.error().text().find("unknown device 'tpu'; known are a100"), std::string::npos);
}

TEST(Calibration, measuresWhatADeviceFileNeeds)
{
    const Device device = calibrate();
    EXPECT_EQ(device.id, "this-machine");
    EXPECT_TRUE(parseDevice(printDevice(device))) << printDevice(device);
    // A multiply-add of one lane per clock of a very slow processor, and a very fast one.
    for (const double figure : {device.bandwidth, device.vectorPeak, device.peaks.at(ir::DType::Float64)}) {
        EXPECT_GT(figure, 1e7);
        EXPECT_LT(figure, 1e16);
    }
}

} // namespace
