// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/program.h"
#include "tests/core/plugin/folder.h"

#include <optional>

namespace cutaway::plugin {

namespace {

struct PluginFile {
    std::string name, content;
    bool isExecutable = false;
};

struct ProgramRow {
    const char *label;
    std::vector<std::string> command;
    std::vector<PluginFile> files;
    const char *fault; ///< %: the plugin's folder; nullptr: none
};

void PrintTo(const ProgramRow &row, std::ostream *out) { *out << row.label; }

class Programs : public Folder, public testing::WithParamInterface<ProgramRow> {
protected:
    void writeFile(const PluginFile &file) const
    {
        write(file.name, file.content);
        if (file.isExecutable)
            std::filesystem::permissions(path(file.name), std::filesystem::perms::owner_all);
    }
};

TEST_P(Programs, areThereOrSayWhatToDo)
{
    for (const PluginFile &file : GetParam().files)
        writeFile(file);
    Manifest plugin;
    plugin.folder = path();
    plugin.command = GetParam().command;
    std::optional<std::string> fault;
    if (GetParam().fault) {
        fault = GetParam().fault;
        if (const std::size_t at = fault->find('%'); at != std::string::npos)
            fault->replace(at, 1, path().string());
    }
    EXPECT_EQ(programFault(plugin), fault);
}

const std::string elf("\x7f"
                      "ELF\2",
                      5),
    unwritten(64, '\0');

INSTANTIATE_TEST_SUITE_P(
    Rows, Programs,
    testing::Values(
        ProgramRow{"OfItsFolder", {"${plugin}/run"}, {{"run", elf, true}}, nullptr},
        ProgramRow{
            "NotBuilt", {"${plugin}/run"}, {{"other", elf, true}}, "its program %/run is missing; build or install it"},
        ProgramRow{"BeingLinked",
                   {"${plugin}/run"},
                   {{"run", elf}},
                   "its program %/run cannot be executed; build or install it"},
        ProgramRow{"AFolder",
                   {"${plugin}/run"},
                   {{"run/main", elf, true}},
                   "its program %/run cannot be executed; build or install it"},
        ProgramRow{"RelativeToItsFolder", {"./bin/run"}, {{"bin/run", "#!/bin/sh\n", true}}, nullptr},
        ProgramRow{"OnThePath", {"sh", "run"}, {}, nullptr},
        ProgramRow{"NotOnThePath",
                   {"no-such-interpreter", "${plugin}/run.py"},
                   {{"run.py", "print()"}},
                   "its program no-such-interpreter is not on the PATH; install it"},
        ProgramRow{"Script", {"sh", "${plugin}/run.py"}, {{"run.py", "print()"}}, nullptr},
        ProgramRow{"ScriptWithoutSuffix", {"sh", "${plugin}/run"}, {{"run", "print()"}}, nullptr},
        ProgramRow{"Data", {"sh", "${plugin}/weights.bin"}, {{"weights.bin", unwritten}}, nullptr},
        ProgramRow{"NoScript", {"sh", "${plugin}/run.py"}, {}, "its program %/run.py is missing; build or install it"},
        ProgramRow{"OfAShell", {"sh", "-c", "exec \"$0\"", "${plugin}/run"}, {{"run", elf, true}}, nullptr},
        ProgramRow{"OfAShellAndNotBuilt",
                   {"sh", "-c", "exec \"$0\"", "${plugin}/run"},
                   {},
                   "its program %/run is missing; build or install it"},
        ProgramRow{"OfAShellAndBegun",
                   {"sh", "-c", "exec \"$0\"", "${plugin}/run"},
                   {{"run", unwritten}},
                   "its program %/run cannot be executed; build or install it"},
        ProgramRow{"OfAShellAndBeingLinked",
                   {"sh", "-c", "exec \"$0\"", "${plugin}/run"},
                   {{"run", elf}},
                   "its program %/run cannot be executed; build or install it"},
        ProgramRow{"OtherWords", {"sh", "--cache=${plugin}/cache", "/nowhere"}, {}, nullptr}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::plugin
