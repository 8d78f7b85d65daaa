// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/analysis/calibration.h"
#include "core/analysis/known_devices.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/report/device_list.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct Options {
    bool json = false;
    std::string output;
};

Result<std::string> list(const Options &options)
{
    const auto devices = analysis::knownDevices();
    if (!devices)
        return std::unexpected(devices.error());
    return options.json ? report::devicesJson(*devices) + "\n" : report::devicesText(*devices);
}

/// Where the measured device goes when nobody says. Errors: no folder for it.
Result<std::filesystem::path> usualPlace()
{
    const auto folder = analysis::userDeviceFolder();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (folder.empty() || error)
        return std::unexpected(Error{ErrorKind::Backend,
                                     "cannot make the folder for the user's devices; -o FILE names another place",
                                     folder.string()});
    return folder / (std::string(analysis::thisMachine) + ".json");
}

Result<std::string> calibrate(const Options &options)
{
    const auto place = options.output.empty() ? usualPlace() : Result<std::filesystem::path>(options.output);
    if (!place)
        return std::unexpected(place.error());
    const std::string text = analysis::printDevice(analysis::calibrate());
    const auto written = writeWholeFile(*place, text);
    return written ? Result<std::string>(text) : std::unexpected(written.error());
}

} // namespace

Action declareDevices(CLI::App &command, std::string &)
{
    auto options = std::make_shared<Options>();
    command.add_flag("--json", options->json, "Write the list as JSON (schema cutaway.devices/1)");
    CLI::App *calibration =
        command.add_subcommand("calibrate", "Measure this machine's processor, in about two seconds");
    calibration
        ->add_option("-o,--output", options->output, "The file to write instead of the user's own device this-machine")
        ->type_name("FILE");
    command.get_formatter()->column_width(34);
    command.footer("The user's own devices are files like those that 'calibrate' writes, in\n"
                   "~/.config/cutaway/devices ($XDG_CONFIG_HOME/cutaway/devices where that is set).\n\n"
                   "Examples:\n"
                   "  cutaway-cli devices\n"
                   "  cutaway-cli devices calibrate\n"
                   "  cutaway-cli inspect resnet50.pt2 --device this-machine");
    return [options, calibration] { return calibration->parsed() ? calibrate(*options) : list(*options); };
}

} // namespace cutaway::cli
