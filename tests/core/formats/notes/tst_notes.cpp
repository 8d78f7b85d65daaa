// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/notes/notes.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"

#include <gtest/gtest.h>

namespace cutaway::formats {
namespace {

TEST(Notes, keepTheFirstOfAKindAndCountTheRest)
{
    ir::Model model;
    Notes notes(model);
    for (int i = 0; i < limits::maxNotesPerKind + 5; ++i)
        notes.warning("test.odd", formatted("odd {}", i));
    notes.error("test.other", "alone");
    notes.finish();
    ASSERT_EQ(model.diagnostics.size(), std::size_t{limits::maxNotesPerKind} + 2);
    EXPECT_EQ(model.diagnostics.front().message, "odd 0");
    EXPECT_EQ(model.diagnostics[limits::maxNotesPerKind].message, "alone");
    EXPECT_EQ(model.diagnostics.back(),
              (ir::Diagnostic{ir::Severity::Warning, "test.odd", "and 5 more of this kind", {}, {}}));
}

TEST(Notes, countNothingWhereAllAreKept)
{
    ir::Model model;
    Notes notes(model);
    for (int i = 0; i < limits::maxNotesPerKind; ++i)
        notes.info("test.odd", "odd");
    notes.finish();
    EXPECT_EQ(model.diagnostics.size(), std::size_t{limits::maxNotesPerKind});
}

TEST(Notes, showNamesOfAFileSafely)
{
    EXPECT_EQ(shown("fc.weight"), "\"fc.weight\"");
    EXPECT_FALSE(shown("a\x1b[31m\nb").contains('\x1b'));
    const std::string cut = shown(std::string(1000, 'x'));
    EXPECT_TRUE(cut.ends_with("x…\"")) << cut;
    EXPECT_LT(cut.size(), 140u);
}

} // namespace
} // namespace cutaway::formats
