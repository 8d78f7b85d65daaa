// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;
using Names = std::vector<std::string>;

/// The user's settings are in the test's folder.
class Devices : public cutaway::test::Program {
protected:
    ProcessOutput own(const std::string &arguments)
    {
        return shell("export XDG_CONFIG_HOME=$PWD/config; \"$CLI\" " + arguments);
    }
};

TEST_F(Devices, areATable)
{
    const auto output = own("devices");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("NVIDIA H100 SXM5 80GB"), std::string::npos) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("3.35 TB/s"), std::string::npos) << output.standardOutput;
    EXPECT_EQ(files(), Names{"small.onnx"});
}

TEST_F(Devices, areJson)
{
    const json list = json::parse(own("devices --json").standardOutput);
    EXPECT_EQ(list.at("schema"), "cutaway.devices/1");
    const auto &first = list.at("devices").at(0);
    EXPECT_EQ(first.at("id"), "a100-sxm-80gb");
    EXPECT_GT(first.at("flops").at("float16").get<double>(), 1e14);
}

TEST_F(Devices, haveThisMachineOnceItIsMeasured)
{
    const auto output = own("devices calibrate");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(json::parse(output.standardOutput).at("id"), "this-machine");
    const auto list = own("devices");
    EXPECT_NE(list.standardOutput.find("\nthis-machine "), std::string::npos) << list.standardOutput;
}

TEST_F(Devices, areMeasuredIntoAnotherFileOnRequest)
{
    const auto output = own("devices calibrate -o mine.json");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(files(), (Names{"mine.json", "small.onnx"}));
}

TEST_F(Devices, thatCannotBeWrittenLeaveNothing)
{
    const auto output = own("devices calibrate -o none/mine.json");
    EXPECT_EQ(output.exitCode, 4);
    EXPECT_NE(output.standardError.find("cutaway: could not save the file"), std::string::npos) << output.standardError;
    EXPECT_EQ(files(), Names{"small.onnx"});
}

TEST_F(Devices, thatAreWrongAreNamed)
{
    const auto output = shell("mkdir -p config/cutaway/devices; echo '{}' > config/cutaway/devices/odd.json; "
                              "XDG_CONFIG_HOME=$PWD/config \"$CLI\" devices");
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_EQ(output.standardError, "cutaway: odd.json: 'id' is missing or not a text\n");
}

} // namespace
