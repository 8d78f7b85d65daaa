// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/format.h"
#include "core/ir/tensors/tensor_data.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats {
namespace {

/// Does something to a file as soon as it is mapped and its format known.
Task meanwhile(std::function<void()> what)
{
    Task task;
    task.progress = [what = std::move(what), done = false](auto &&...) mutable {
        if (!std::exchange(done, true))
            what();
    };
    return task;
}

constexpr std::size_t weightBytes = 1 << 20;

std::string smallPackage()
{
    return tests::zipArchive({{"m/archive_format", "pt2"},
                              {"m/data/weights/weight_0", std::string(weightBytes, 'w')},
                              {"m/models/model.json", R"({"graph_module": {}})"}});
}

TEST(AFileThatChanges, IsToldWhenItBecomesShorter)
{
    for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{4096}, std::uintmax_t{weightBytes}}) {
        const tests::TemporaryFile file(smallPackage());
        const auto model = open(file.path(), meanwhile([&] { std::filesystem::resize_file(file.path(), left); }));
        ASSERT_FALSE(model);
        EXPECT_EQ(model.error().message, "the file became shorter while it was read");
    }
}

TEST(AFileThatChanges, IsToldWhenItGrows)
{
    const tests::TemporaryFile file(smallPackage());
    const auto model = open(file.path(), meanwhile([&] { std::ofstream(file.path(), std::ios::app) << "more"; }));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "the file has changed since it was opened; open it again");
}

} // namespace
} // namespace cutaway::formats
