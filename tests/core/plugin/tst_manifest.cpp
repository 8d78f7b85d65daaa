// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/found.h"
#include "tests/core/plugin/folder.h"

namespace cutaway::plugin {

namespace {

constexpr const char *whole = R"({
  "name": "example", "version": "1.2", "description": "Examples.", "protocol": 1,
  "command": ["python3", "${plugin}/example.py"],
  "provides": {
    "passes": [{"name": "rename", "description": "Renames nodes.", "options": [
      {"name": "prefix", "description": "what comes before", "default": "n_"},
      {"name": "count", "default": 3}, {"name": "share", "default": 0.5}, {"name": "all", "default": true}]}],
    "importers": [{"description": "a toy", "suffixes": [".toy"]}],
    "backend": {"description": "runs it", "runs": ["ir", "onnx"], "engines": ["fast"], "values": true}},
  "limits": {"memory_bytes": 1048576, "processor_seconds": 5},
  "settings": {"threads": 4}})";

class Manifests : public Folder { };

TEST_F(Manifests, sayWhatAPluginIs)
{
    write("plugin.json", whole);
    const auto plugin = readManifest(path());
    ASSERT_TRUE(plugin) << plugin.error().text();
    EXPECT_EQ(plugin->name, "example");
    EXPECT_EQ(plugin->version, "1.2");
    EXPECT_EQ(plugin->backend->runs, (std::vector<std::string>{"ir", "onnx"}));
    EXPECT_EQ(plugin->backend->engines, std::vector<std::string>{"fast"});
    EXPECT_TRUE(plugin->backend->givesValues);
    EXPECT_EQ(plugin->command, (std::vector<std::string>{"python3", "${plugin}/example.py"}));
    ASSERT_EQ(plugin->passes.size(), 1u);
    const auto &options = plugin->passes[0].options;
    ASSERT_EQ(options.size(), 4u);
    EXPECT_EQ(options[0].defaultValue, passes::OptionValue("n_"));
    EXPECT_EQ(options[1].defaultValue, passes::OptionValue(std::int64_t{3}));
    EXPECT_EQ(options[2].defaultValue, passes::OptionValue(0.5));
    EXPECT_EQ(options[3].defaultValue, passes::OptionValue(true));
    ASSERT_EQ(plugin->importers.size(), 1u);
    EXPECT_EQ(plugin->importers[0].suffixes, std::vector<std::string>{".toy"});
    ASSERT_TRUE(plugin->backend);
    EXPECT_EQ(plugin->limits.memory, 1048576u);
    EXPECT_EQ(plugin->limits.processorTime, std::chrono::seconds(5));
    EXPECT_EQ(plugin->settings.at("threads"), 4);
}

TEST_F(Manifests, sayThatThePluginItselfTellsItsPasses)
{
    write("plugin.json", R"({"name": "a", "protocol": 1, "command": ["a"], "provides": {"passes": "ask"}})");
    const auto plugin = readManifest(path());
    ASSERT_TRUE(plugin) << plugin.error().text();
    EXPECT_TRUE(plugin->asksForPasses);
    EXPECT_TRUE(plugin->passes.empty());
}

TEST_F(Manifests, limitWordsAndNameTheFormatOfFiles)
{
    const auto passes = readPasses(protocol::Json::parse(
        R"([{"name": "p", "format": "onnx", "options": [{"name": "o", "default": "a", "choices": ["a", "b"]}]}])"));
    ASSERT_TRUE(passes) << passes.error().text();
    EXPECT_EQ(passes->front().format, "onnx");
    EXPECT_EQ(passes->front().options.front().choices, (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(readPasses(protocol::Json::parse(R"([{"name": "no good"}])")));
    EXPECT_FALSE(readPasses(protocol::Json::parse("{}")));
}

TEST_F(Manifests, limitTheMemoryOfWhatIsNoBackend)
{
    write("a/plugin.json", R"({"name": "a", "protocol": 1, "command": ["a"]})");
    write("b/plugin.json",
          R"({"name": "b", "protocol": 1, "command": ["b"], "provides": {"backend": {"runs": ["ir"]}}})");
    EXPECT_EQ(readManifest(path("a"))->limits.memory, defaultMemoryLimit);
    EXPECT_EQ(readManifest(path("b"))->limits.memory, std::nullopt);
}

struct BadManifestRow {
    const char *label;
    const char *json;
    const char *error;
};

void PrintTo(const BadManifestRow &row, std::ostream *out) { *out << row.label; }

class BadManifests : public Folder, public testing::WithParamInterface<BadManifestRow> { };

TEST_P(BadManifests, sayWhatIsWrong)
{
    write("plugin.json", GetParam().json);
    const auto plugin = readManifest(path());
    ASSERT_FALSE(plugin);
    EXPECT_EQ(plugin.error().text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadManifests,
    testing::Values(
        BadManifestRow{"NoJson", "{", "the file is not JSON"},
        BadManifestRow{"NoObject", "[]", "found an array where an object is expected (the document)"},
        BadManifestRow{"OtherProtocol", R"({"protocol": 7, "name": "a", "command": ["a"]})",
                       "it speaks protocol 7, this Cutaway speaks 1: install the plugin's version for this Cutaway "
                       "(the document)"},
        BadManifestRow{"NoProtocol", R"({"name": "a", "command": ["a"]})",
                       "the member 'protocol' is missing (the document)"},
        BadManifestRow{"NoCommand", R"({"protocol": 1, "name": "a"})",
                       "the member 'command' is missing (the document)"},
        BadManifestRow{"CommandOfText", R"({"protocol": 1, "name": "a", "command": "run me"})",
                       "found \"run me\" where an array is expected (command)"},
        BadManifestRow{"NoName", R"({"protocol": 1, "command": ["a"]})",
                       "the name '' is not of letters, digits, '-', '_' and '.' (the document)"},
        BadManifestRow{"NameOfAPath", R"({"protocol": 1, "name": "../a", "command": ["a"]})",
                       "the name '../a' is not of letters, digits, '-', '_' and '.' (the document)"},
        BadManifestRow{
            "BackendOfNothing",
            R"({"protocol": 1, "name": "a", "command": ["a"], "provides": {"backend": {"description": "b"}}})",
            "the member 'runs' of the backend is missing (provides.backend)"},
        BadManifestRow{
            "OptionWithoutValue",
            R"({"protocol": 1, "name": "a", "command": ["a"], "provides": {"passes": [{"name": "p", "options": [{"name": "o"}]}]}})",
            "the option 'o' has no 'default' (provides.passes[0].options[0])"},
        BadManifestRow{
            "SuffixWithoutDot",
            R"({"protocol": 1, "name": "a", "command": ["a"], "provides": {"importers": [{"suffixes": ["toy"]}]}})",
            "a suffix is 'toy' where one as '.txt' is expected (provides.importers[0])"},
        BadManifestRow{"NegativeMemory",
                       R"({"protocol": 1, "name": "a", "command": ["a"], "limits": {"memory_bytes": -1}})",
                       "found -1 where a number of 0 or more is expected (limits.memory_bytes)"}),
    [](const auto &row) { return row.param.label; });

std::string manifestOf(const std::string &name, const std::string &program = "sh")
{
    return R"({"protocol": 1, "name": ")" + name + R"(", "command": [")" + program + R"("]})";
}

std::vector<std::string> namesOf(const Found &found)
{
    std::vector<std::string> names;
    for (const Manifest &plugin : found.plugins)
        names.push_back(plugin.name);
    return names;
}

class FoundPlugins : public Folder { };

TEST_F(FoundPlugins, areInFoldersInTheOrderOfTheirNames)
{
    write("one/b/plugin.json", manifestOf("b"));
    write("one/a/plugin.json", manifestOf("a"));
    write("one/no-plugin/readme", "");
    write("two/plugin.json", manifestOf("c")); // the folder of the plugin itself
    const std::vector folders{path("one"), path("two"), path("missing")};
    const Found found = findPlugins(folders);
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(found.missing, std::vector<Missing>());
    EXPECT_EQ(found.plugins[0].folder, path("one/a"));
}

TEST_F(FoundPlugins, sayWhyOthersAreNotThere)
{
    write("one/a/plugin.json", manifestOf("a"));
    write("one/bad/plugin.json", "{");
    write("two/a/plugin.json", manifestOf("a"));
    const std::vector folders{path("one"), path("two")};
    const Found found = findPlugins(folders);
    EXPECT_EQ(namesOf(found), std::vector<std::string>{"a"});
    EXPECT_EQ(found.missing,
              (std::vector<Missing>{
                  {path("one/bad/plugin.json"), "the file is not JSON"},
                  {path("two/a/plugin.json"), "a plugin 'a' was found before, in " + path("one/a").string(), "a"}}));
    EXPECT_EQ(findPlugin("bad", found).error().text(),
              "the plugin in " + path("one/bad").string() + " cannot be used: the file is not JSON");
    EXPECT_EQ(findPlugin("b", found).error().text(), "unknown plugin 'b'; known: a");
    EXPECT_EQ(findPlugin("onnxruntime", found).error().text(),
              "the plugin 'onnxruntime' is not installed: it comes in the Debian package cutaway-plugin-onnxruntime");
    EXPECT_TRUE(findPlugin("a", found));
}

TEST_F(FoundPlugins, whoseProgramIsNotThereAreForOtherTargets)
{
    const Target far{"far", {"ssh", "far"}};
    write("one/a/plugin.json", manifestOf("a"));
    write("one/b/plugin.json", manifestOf("b", "${plugin}/run"));
    const std::vector folders{path("one"), path("one")};
    const std::string reason = "its program " + path("one/b/run").string() + " is missing; build or install it";
    const Found before = findPlugins(folders);
    EXPECT_EQ(namesOf(before), std::vector<std::string>{"a"});
    EXPECT_EQ(before.missing, (std::vector<Missing>{{path("one/b/plugin.json"), reason, "b"}}));
    EXPECT_EQ(findPlugin("b", before).error().text(), "the plugin 'b' cannot be used: " + reason);
    EXPECT_TRUE(findPlugin("b", before, far));
    EXPECT_EQ(pluginsOn({}, before).size(), 1u);
    EXPECT_EQ(pluginsOn(far, before).size(), 2u);
    write("one/b/run", "#!/bin/sh\n");
    EXPECT_EQ(namesOf(findPlugins(folders)), std::vector<std::string>{"a"}); // may not be executed
    std::filesystem::permissions(path("one/b/run"), std::filesystem::perms::owner_all);
    const Found after = findPlugins(folders);
    EXPECT_EQ(namesOf(after), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(after.missing, std::vector<Missing>());
    EXPECT_TRUE(after.elsewhere.empty());
}

TEST_F(FoundPlugins, areTheFirstOfTheirNameWhoseProgramIsThere)
{
    write("one/a/plugin.json", manifestOf("a", "${plugin}/run"));
    write("two/a/plugin.json", manifestOf("a"));
    const std::vector folders{path("one"), path("two")};
    const Found found = findPlugins(folders);
    ASSERT_EQ(namesOf(found), std::vector<std::string>{"a"});
    EXPECT_EQ(found.plugins[0].folder, path("two/a"));
    EXPECT_TRUE(found.elsewhere.empty());
    EXPECT_EQ(found.missing.size(), 1u);
}

} // namespace

} // namespace cutaway::plugin
