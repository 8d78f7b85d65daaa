// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices.h"
#include "app/cli/commands.h"
#include "core/analysis/calibration.h"
#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/plugin/found.h"
#include "core/report/timing/device_list.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct DevicesOptions {
    bool json = false;
    std::string output;
    std::string target = plugin::Target().name;
};

Result<std::vector<report::BackendDevices::Device>> devicesOf(const plugin::Manifest &manifest,
                                                              const plugin::Target &target)
{
    CUTAWAY_TRY(const auto found, run::devicesOf(manifest, target));
    std::vector<report::BackendDevices::Device> devices;
    for (const protocol::Devices::Device &device : found)
        devices.push_back({device.id, device.name, static_cast<double>(device.memory)});
    return devices;
}

/// Starts each backend and returns its devices.
Result<std::vector<report::BackendDevices>> backendDevices(const std::string &targetName)
{
    CUTAWAY_TRY(const auto targets, plugin::readTargets());
    CUTAWAY_TRY(const auto target, plugin::findTarget(targetName, targets));
    std::vector<report::BackendDevices> backends;
    for (const plugin::Manifest &manifest : plugin::pluginsOn(target, plugin::findPlugins()))
        if (manifest.backend)
            backends.push_back({manifest.name, target.name, devicesOf(manifest, target)});
    return backends;
}

Result<std::string> listDevices(const DevicesOptions &options)
{
    CUTAWAY_TRY(const auto devices, analysis::knownDevices());
    CUTAWAY_TRY(const auto backends, backendDevices(options.target));
    return options.json ? report::devicesJson(devices, backends) + "\n" : report::devicesText(devices, backends);
}

/// Returns the default output file for a measured device. Errors: its folder is unknown.
Result<std::filesystem::path> defaultFile()
{
    const auto folder = analysis::userDeviceFolder();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (folder.empty() || error)
        return std::unexpected(Error{ErrorKind::Backend,
                                     "cannot create the folder for user devices; use -o FILE to write elsewhere",
                                     folder.string()});
    return folder / (std::string(analysis::thisMachine) + ".json");
}

Result<std::string> calibrate(const DevicesOptions &options)
{
    CUTAWAY_TRY(const auto file,
                options.output.empty() ? defaultFile() : Result<std::filesystem::path>(options.output));
    std::string text = analysis::printDevice(analysis::calibrate());
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(file, text));
    return text;
}

} // namespace

Action declareDevices(CLI::App &command, std::string &)
{
    auto options = std::make_shared<DevicesOptions>();
    command.add_flag("--json", options->json, "Write the list as JSON (schema cutaway.devices/1)");
    command
        .add_option("--target", options->target,
                    "Also list the devices that backends report on this target (targets.json)")
        ->type_name("NAME")
        ->capture_default_str();
    CLI::App *calibration =
        command.add_subcommand("calibrate", "Measure this machine's processor, in about two seconds");
    calibration->add_option("-o,--output", options->output, "Output file (default: the user device this-machine)")
        ->type_name("FILE");
    command.get_formatter()->column_width(34);
    command.footer("User devices are files in the format that 'calibrate' writes, in\n"
                   "~/.config/cutaway/devices ($XDG_CONFIG_HOME/cutaway/devices where that is set).\n\n"
                   "Examples:\n"
                   "  cutaway-cli devices\n"
                   "  cutaway-cli devices calibrate\n"
                   "  cutaway-cli inspect resnet50.pt2 --device this-machine");
    return [options, calibration] { return calibration->parsed() ? calibrate(*options) : listDevices(*options); };
}

} // namespace cutaway::cli
