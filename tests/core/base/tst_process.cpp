// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/process.h"

#include <gtest/gtest.h>
#include <thread>

namespace cutaway {
namespace {

using namespace std::chrono_literals;

TEST(Process, GivesInputAndCollectsBothOutputs)
{
    const auto result = runProcess({"sh", "-c", "cat; echo oops >&2; exit 3"}, "hello", 10s);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->standardOutput, "hello");
    EXPECT_EQ(result->standardError, "oops\n");
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_FALSE(result->timedOut);
}

TEST(Process, MovesMoreThanAPipeHolds)
{
    const std::string big(3'000'000, 'x');
    const auto result = runProcess({"cat"}, big, 20s);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->standardOutput.size(), big.size());
}

TEST(Process, IsKilledAtItsLimitWithWhatItStarted)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto result = runProcess({"sh", "-c", "echo early; sleep 60"}, "", 200ms);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->timedOut);
    EXPECT_EQ(result->standardOutput, "early\n");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST(Process, StopsWhenAsked)
{
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    const auto result = runProcess({"sleep", "60"}, "", 30s, source.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Cancelled);
}

TEST(Process, SaysWhichProgramIsMissing)
{
    const auto result = runProcess({"no-such-program-anywhere"}, "", 5s);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Backend);
    EXPECT_NE(result.error().message.find("no-such-program-anywhere"), std::string::npos);
}

TEST(Process, SaysThatAProgramCrashed)
{
    const auto result = runProcess({"sh", "-c", "kill -SEGV $$"}, "", 5s);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("signal 11"), std::string::npos);
}

TEST(Process, SurvivesAProgramThatReadsNothing)
{
    const auto result = runProcess({"true"}, std::string(1'000'000, 'x'), 10s);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 0);
}

} // namespace
} // namespace cutaway
