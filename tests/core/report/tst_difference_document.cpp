// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "two_models.h"

#include "core/report/html.h"
#include "core/report/markdown.h"

#include <gtest/gtest.h>

namespace cutaway::report {
namespace {

TEST(Difference, asADocumentHasTablesOfWhatDiffers)
{
    const Document document = differenceDocument(TwoModels(before, after).comparison());
    std::vector<std::string> sections;
    for (const Section &section : document.sections)
        sections.push_back(section.id);
    EXPECT_EQ(sections, (std::vector<std::string>{"totals", "modules", "changed", "added", "pairs"}));
    EXPECT_TRUE(markdown(document).contains("dim: 0 → 1")) << markdown(document);
    EXPECT_TRUE(html(document, "").contains("dim: 0 → 1"));
}

} // namespace
} // namespace cutaway::report
