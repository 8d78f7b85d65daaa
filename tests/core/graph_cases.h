// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Graph tests as text files, tests/data/**/*.graph:
///
///     // pipeline: dead-code                 an option of every case of the file: NAME: VALUE
///     opset "ai.onnx" 17                     text that stands before the text of every case
///
///     // ----- keepsWhatIsReturned           a case and its name, which is the test's; options of its own may follow
///     graph @forward(%x: float32[2]) { %r = onnx::Relu(%x) return %r }
///     => unchanged                           the result: the rest of the line and the lines below, up to the next case
///
/// `// versus` alone on a line divides what stands before the `=>` into several graphs. Other `//` lines are comments.
/// With CUTAWAY_REWRITE_CASES set, a test writes what it found into its file in place of what was expected. For that,
/// run the test program itself: ctest runs several tests at a time.
namespace cutaway::test {

struct GraphCase {
    /// Returns an option of the case, or of its file; "" if neither has it. An option that is not read fails the test.
    std::string option(const std::string &name) const;

    std::string name;
    std::vector<std::string> graphs; ///< one, or more of them divided by `// versus`; each after the file's own text
    std::string expected;
    std::map<std::string, std::string> options;
    std::string path;
    int line = 0; ///< the line of its `// -----`
    mutable std::set<std::string> optionsAsked;
};

struct CaseFault {
    int line = 0;
    std::string message;
};

struct CaseFile {
    std::vector<GraphCase> cases;
    std::vector<CaseFault> faults; ///< why some cases, or all, are not what was meant
};

CaseFile readCases(const std::string &path);

/// Writes `result` into the case's file in place of what is expected.
void rewriteResult(const GraphCase &given, const std::string &result);

using ResultOfCase = std::function<std::string(const GraphCase &)>;

/// Registers a test for each case of the files in tests/data/FOLDER, which expects `result` to give what stands there:
/// of the case keepsWhatIsReturned in dead-code.graph the test "SUITE/DeadCode.keepsWhatIsReturned". Spaces at the ends
/// of lines do not count. A file that cannot be read or has no cases, and a folder without files, is a failing test.
/// Returns true, so that it can be called where a constant is initialized.
bool forEachCase(const std::string &suite, std::string_view folder, const ResultOfCase &result);

} // namespace cutaway::test
