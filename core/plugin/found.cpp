// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/found.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/plugin/program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ranges>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;

/// One of Cutaway's own plugins that is a package of its own.
struct OwnPlugin {
    std::string_view name, place;
};

constexpr std::array ownPlugins{
    OwnPlugin{"onnxruntime", "the Debian package cutaway-plugin-onnxruntime"},
    OwnPlugin{"torch", "the Debian package cutaway-plugin-torch, or beside the archive in cutaway-…-torch"}};

std::string_view variable(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

bool hasManifest(const fs::path &folder)
{
    std::error_code error;
    return fs::exists(folder / manifestName, error);
}

/// Returns the plugin folders: `folder` itself if it has a manifest, else its subfolders that have one.
std::vector<fs::path> pluginsIn(const fs::path &folder)
{
    if (hasManifest(folder))
        return {folder};
    std::vector<fs::path> plugins;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (hasManifest(entry->path()))
            plugins.push_back(entry->path());
    std::ranges::sort(plugins);
    return plugins;
}

void add(Found &found, const fs::path &folder)
{
    auto manifest = readManifest(folder);
    if (!manifest) {
        found.missing.push_back({folder / manifestName, manifest.error().text()});
        return;
    }
    if (auto fault = programFault(*manifest)) {
        if (std::ranges::contains(found.missing, folder / manifestName, &Missing::path))
            return;
        found.missing.push_back({folder / manifestName, std::move(*fault), manifest->name});
        if (!std::ranges::contains(found.elsewhere, manifest->name, &Manifest::name))
            found.elsewhere.push_back(std::move(*manifest));
        return;
    }
    const auto other = std::ranges::find(found.plugins, manifest->name, &Manifest::name);
    if (other == found.plugins.end())
        found.plugins.push_back(std::move(*manifest));
    else if (!fs::equivalent(other->folder, folder))
        found.missing.push_back(
            {folder / manifestName,
             formatted("a plugin '{}' was found before, in {}", manifest->name, other->folder.string()),
             manifest->name});
}

} // namespace

std::vector<fs::path> pluginFolders()
{
    std::vector<fs::path> folders;
    for (const auto part : std::views::split(variable("CUTAWAY_PLUGIN_PATH"), ':'))
        if (!part.empty())
            folders.emplace_back(std::string_view(part));
    // The XDG specification says that a relative path is to be ignored.
    const fs::path data(variable("XDG_DATA_HOME")), home(variable("HOME"));
    if (data.is_absolute())
        folders.push_back(data / "cutaway/plugins");
    else if (home.is_absolute())
        folders.push_back(home / ".local/share/cutaway/plugins");
    std::error_code error;
    if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
        // The program is bin/cutaway if it is installed, and app/cli/cutaway-cli in a build.
        for (const fs::path &root :
             {program.parent_path().parent_path(), program.parent_path().parent_path().parent_path()})
            folders.push_back(root / "lib/cutaway/plugins");
    return folders;
}

Found findPlugins(std::span<const fs::path> folders)
{
    Found found;
    const std::string_view named = variable("CUTAWAY_PLUGIN_PATH");
    for (const fs::path &folder : folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error) && named.contains(folder.native()))
            found.missing.push_back({folder, "there is no such folder"});
        for (const fs::path &plugin : pluginsIn(folder))
            add(found, fs::absolute(plugin));
    }
    std::erase_if(found.elsewhere, [&](const Manifest &absent) {
        return std::ranges::contains(found.plugins, absent.name, &Manifest::name);
    });
    return found;
}

std::vector<Manifest> pluginsOn(const Target &target, const Found &found)
{
    std::vector<Manifest> plugins = found.plugins;
    if (!target.isHere())
        plugins.insert(plugins.end(), found.elsewhere.begin(), found.elsewhere.end());
    return plugins;
}

Result<Manifest> findPlugin(std::string_view name, const Found &found, const Target &target)
{
    const std::vector<Manifest> plugins = pluginsOn(target, found);
    const auto plugin = std::ranges::find(plugins, name, &Manifest::name);
    if (plugin != plugins.end())
        return *plugin;
    std::vector<std::string_view> names;
    for (const Manifest &manifest : plugins)
        names.push_back(manifest.name);
    std::string message = formatted("unknown plugin '{}'; ", name);
    message += names.empty() ? "'cutaway-cli plugins' lists the folders that are searched"
                             : "known: " + nearNames(name, names);
    if (const auto own = std::ranges::find(ownPlugins, name, &OwnPlugin::name); own != ownPlugins.end())
        message = formatted("the plugin '{}' is not installed: it comes in {}", name, own->place);
    for (const Missing &missing : found.missing) {
        const fs::path folder = missing.path.parent_path();
        if (missing.name == name)
            message = formatted("the plugin '{}' cannot be used: {}", name, missing.reason);
        else if (missing.name.empty() && folder.filename() == name)
            message = formatted("the plugin in {} cannot be used: {}", folder.string(), missing.reason);
    }
    return std::unexpected(Error{ErrorKind::Usage, std::move(message), {}});
}

} // namespace cutaway::plugin
