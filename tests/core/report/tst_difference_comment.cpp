// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"

#include "two_models.h"

#include <gtest/gtest.h>

namespace cutaway::report {
namespace {

TEST(Difference, asACommentHasTotalsAndTheDiffFoldedUp)
{
    const TwoModels models(before, after);
    EXPECT_EQ(differenceComment(models.comparison()),
              R"(### `a.pt2` → `b.pt2`: 1 node changed, 0 removed, 1 added

| Figure           |       A |       B |            Change |
| :--------------- | ------: | ------: | ----------------: |
| Nodes            |       6 |       7 |      +1 (+16.7 %) |
| FLOPs            |  0 FLOP |  0 FLOP |                   |
| Other operations | 60 FLOP | 66 FLOP | +6 FLOP (+10.0 %) |
| Weights          |     0 B |     0 B |                   |
| Peak memory      |    48 B |    48 B |                   |
| Similarity       |         |  89.2 % |                   |

| Module  | Changed | Removed | Added |
| :------ | ------: | ------: | ----: |
| `model` |       1 |         |     1 |
| `head`  |       1 |         |     1 |

<details><summary>Node by node</summary>

```diff
)" + differenceText(models.comparison())
                  + "```\n\n</details>\n");
}

TEST(Difference, asACommentOfTheSameIsNoDifference)
{
    const std::string comment = differenceComment(TwoModels(before, before).comparison());
    EXPECT_TRUE(comment.starts_with("### `a.pt2` → `b.pt2`: no difference\n")) << comment;
    EXPECT_FALSE(comment.contains("details")) << comment;
}

TEST(Difference, asACommentIsCutWhereItGetsTooLong)
{
    std::string longer = "(%x: float32[2, 3]) { %n0 = aten::sin(self=%x)";
    for (int i = 1; i < 1000; ++i)
        longer += formatted(" %n{} = aten::exp(self=%n{})", i, i - 1);
    const std::string comment = differenceComment(TwoModels(before, longer + " return %n999 }").comparison());
    EXPECT_LT(comment.size(), 30'000u);
    EXPECT_TRUE(comment.ends_with(" more lines\n```\n\n</details>\n")) << comment.substr(comment.size() - 200);
}

} // namespace
} // namespace cutaway::report
