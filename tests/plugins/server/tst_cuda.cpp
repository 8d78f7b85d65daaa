// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/cuda.h"

#include <gtest/gtest.h>

namespace cutaway::plugins {

namespace {

using protocol::Accelerator;

TEST(CudaDevices, areThoseOfTheDriver)
{
    const auto devices = cudaDevices(CUTAWAY_FAKE_DRIVER, CUTAWAY_FAKE_DRIVER);
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0], (Accelerator{"Abacus 80GB", std::uint64_t{80} << 30, 1.98e9, 2.1e9, "550.54.15"}));
    EXPECT_EQ(devices[1], (Accelerator{"Slide rule", std::uint64_t{1} << 30, 0, 0, "550.54.15"}));
    const auto listed = asBackendDevices(devices);
    ASSERT_EQ(listed.size(), 2u);
    EXPECT_EQ(listed[1].id, "cuda:1");
    EXPECT_EQ(listed[1].name, "Slide rule");
}

TEST(CudaDevices, haveNoClocksWithoutTheManagementLibrary)
{
    const auto devices = cudaDevices(CUTAWAY_FAKE_DRIVER, "libnone.so");
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0], (Accelerator{"Abacus 80GB", std::uint64_t{80} << 30, 0, 0, ""}));
}

TEST(CudaDevices, areNoneWithoutADriver)
{
    EXPECT_TRUE(cudaDevices("libnone.so", CUTAWAY_FAKE_DRIVER).empty());
    EXPECT_FALSE(acceleratorOf("cpu"));
    EXPECT_FALSE(acceleratorOf("cuda:4096"));
}

} // namespace

} // namespace cutaway::plugins
