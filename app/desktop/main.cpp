// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/pages.h"
#include "app/about/version.h"
#include "app/desktop/bench_canvas.h"
#include "app/desktop/main_window.h"
#include "app/desktop/screenshot.h"
#include "app/desktop/starting.h"
#include "app/desktop/watching/letterbox.h"
#include "core/analysis/known_devices.h"
#include "core/base/heap.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QIcon>
#include <QSettings>
#include <QTemporaryDir>
#include <clocale>
#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace cutaway;

struct Arguments {
    std::string model;
    std::vector<std::string> steps;
    bool follow = false;
    std::string screenshot;
    bool benchCanvas = false;
    std::string size = "1600x1000";
    std::string select, show, find;
    std::vector<std::string> bindings, inputs;
    std::string colouring, data, trace, against;
    std::optional<int> openDepth;
    std::optional<std::string> passes;
    std::optional<std::size_t> step;
    views::StepDisplay::View stepView = views::StepDisplay::View::Both;
    bool onlyChanges = false;
    std::optional<std::string> profile, statistics;
    double seconds = 1;
    std::string beside, compareWith, device;
    std::optional<views::Theme> theme;
};

/// Returns a validator that turns a name of the table into its value; help texts list the names as {dark,light}.
template <class T>
CLI::Validator oneOf(const std::map<std::string, T> &table)
{
    std::string names;
    for (const auto &[name, value] : table)
        names += (names.empty() ? "" : ",") + name;
    return CLI::CheckedTransformer(table).description("{" + names + "}");
}

/// Parses a size such as 1600x1000; returns an invalid one for any other text.
QSize sizeOf(const std::string &text)
{
    const QStringList sides = QString::fromStdString(text).split('x');
    return sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
}

/// Declares the options that name files to open.
void declareSources(CLI::App &app, Arguments &arguments)
{
    app.get_formatter()->label("Positionals", "Arguments");
    app.set_version_flag(
        "--version", [] { return about::versionText("cutaway", std::string("Qt ") + qVersion()); },
        "Print the versions of the program, its libraries and its plugins");
    app.set_help_flag("-h,--help", "Print this help");
    CLI::Option *model = app.add_option("MODEL", arguments.model, "the file to open")->type_name("");
    app.add_option("--steps", arguments.steps,
                   "files in a row, each a step: what changed from one to the next is shown")
        ->type_name("FILE")
        ->excludes(model);
    app.add_flag("--follow", arguments.follow, "read MODEL again whenever it has changed, such as a log that grows")
        ->needs(model);
    app.add_option("--beside", arguments.beside, "another file to open beside MODEL")->type_name("FILE");
}

void declarePicture(CLI::App &app, Arguments &arguments)
{
    static const std::map<std::string, views::Theme> themes{{"light", views::Theme::Light},
                                                            {"dark", views::Theme::Dark}};
    CLI::Option *screenshot =
        app.add_option("--screenshot", arguments.screenshot, "write a picture of the window to this file and quit")
            ->type_name("FILE");
    CLI::Option *pictureSize = app.add_option("--size", arguments.size, "size of the picture")->type_name("SIZE");
    pictureSize->needs(screenshot)->capture_default_str()->check([](const std::string &text) {
        const QSize size = sizeOf(text);
        const bool ok = size.width() >= 320 && size.height() >= 240 && size.width() <= 16384 && size.height() <= 16384;
        return ok ? std::string() : "'" + text + "' is not a size from 320x240 to 16384x16384";
    });
    app.add_flag("--bench-canvas", arguments.benchCanvas,
                 "open, pan and zoom MODEL by script, print the times of frames as JSON and quit")
        ->excludes("--screenshot");
    app.add_option("--theme", arguments.theme, "light or dark")->type_name("THEME")->transform(oneOf(themes));
}

/// Declares the options that choose the shown part of the model.
void declareSubject(CLI::App &app, Arguments &arguments)
{
    app.add_option("--select", arguments.select, "node, value, path of a module or part that was found, to select")
        ->type_name("NAME");
    app.add_option("--find", arguments.find, "what to look for: words, or a query such as 'flops>1G'")
        ->type_name("QUERY");
    app.add_option("--bind", arguments.bindings, "value of a size symbol, for example s0=8")
        ->type_name("S=N")
        ->allow_extra_args(false);
    app.add_option("--input", arguments.inputs,
                   "shape and dtype of an input, its elements or their file, "
                   "for example x=1x3x224x224:float32, pads=[0,0,1,1], x=@x.npy")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--data", arguments.data,
                   "a table of yours, CSV or JSON, with a row per node: node data to colour by and to ask for")
        ->type_name("TABLE");
    app.add_option("--trace", arguments.trace,
                   "a run of the model that torch.profiler or ONNX Runtime recorded, packed by gzip or not")
        ->type_name("TRACE");
    app.add_option("--against", arguments.against, "a second trace of the model, to compare the first one with")
        ->type_name("TRACE");
    app.add_option("--colour-by,--color-by", arguments.colouring,
                   "category, flops, bytes, memory, time, measured, or a column of --data, --statistics or --trace: "
                   "data.COLUMN")
        ->type_name("FIGURE")
        ->check([](const std::string &text) {
            return views::parseColouring(text) ? std::string() : "nodes are not coloured by '" + text + "'";
        });
}

void declareSteps(CLI::App &app, Arguments &arguments)
{
    using View = views::StepDisplay::View;
    static const std::map<std::string, View> stepViews{
        {"before", View::Before}, {"both", View::Both}, {"after", View::After}, {"side-by-side", View::SideBySide}};
    app.add_option("--passes", arguments.passes, "passes to run; the default pipeline where none is named")
        ->type_name("PASSES")
        ->expected(0, 1);
    app.add_option("--step", arguments.step, "show the model after this many steps, of passes or recorded")
        ->type_name("N");
    app.add_option("--step-view", arguments.stepView, "before, both, after or side-by-side")
        ->type_name("VIEW")
        ->transform(oneOf(stepViews));
    app.add_flag("--only-changes", arguments.onlyChanges, "open the modules with changes and fade the rest");
}

void declareRunning(CLI::App &app, Arguments &arguments)
{
    app.add_option("--profile", arguments.profile, "profile the model with this backend, or the first that can")
        ->type_name("BACKEND")
        ->expected(0, 1);
    app.add_option("--statistics", arguments.statistics,
                   "run the model with this backend, or the first that can, and take statistics of all values")
        ->type_name("BACKEND")
        ->expected(0, 1);
    app.add_option("--seconds", arguments.seconds, "time limit of the profile")
        ->type_name("S")
        ->check(CLI::Range(0.01, 3600.0));
    app.add_option("--compare-with", arguments.compareWith, "another model to compare with, or another log")
        ->type_name("FILE");
    app.add_option("--device", arguments.device, "device to predict times for (see 'cutaway-cli devices')")
        ->type_name("ID");
    app.add_option("--show", arguments.show, "view to bring to the front: nodes, memory, roofline, bindings, …")
        ->type_name("VIEW");
    app.add_option("--open-depth", arguments.openDepth, "levels of modules to open")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
}

void declare(CLI::App &app, Arguments &arguments)
{
    declareSources(app, arguments);
    declarePicture(app, arguments);
    declareSubject(app, arguments);
    declareSteps(app, arguments);
    declareRunning(app, arguments);
}

/// Returns the messages that Qt sends while it looks for a platform to show windows on; nullopt afterwards.
std::optional<QStringList> &startMessages()
{
    static std::optional<QStringList> messages{std::in_place};
    return messages;
}

/// Whether a message is useless to users: the warning of the offscreen platform at every resize, and the warning that
/// Qt does not use a locale without UTF-8, such as that of a container.
bool isIdle(const QString &message)
{
    return message.startsWith("This plugin does not support") || message.startsWith("Detected locale ");
}

/// Prints a message of Qt. After a fatal one, such as that there is no platform, the program ends with the first reason
/// that Qt gave, rather than with a crash.
void sayUnlessKnown(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    auto &early = startMessages();
    if (type == QtFatalMsg) {
        const QString reason = (early && !early->isEmpty() ? early->first() : message).simplified();
        std::fprintf(stderr, "cutaway: Qt can show no window: %s%s\n", qPrintable(reason),
                     early ? "; QT_QPA_PLATFORM chooses a platform, --screenshot FILE needs none" : "");
        std::_Exit(2);
    }
    if (isIdle(message))
        return;
    if (early)
        early->append(message);
    else
        std::fprintf(stderr, "cutaway: %s\n", qPrintable(message));
}

void sayStartMessages()
{
    // The variable is needed because a temporary would not outlive the head of the loop.
    const auto messages = std::exchange(startMessages(), std::nullopt);
    for (const QString &message : *messages)
        sayUnlessKnown(QtWarningMsg, {}, message);
}

/// Whether Qt has a platform to use: a display or, for a screenshot, the offscreen platform, which is chosen then.
bool chooseDisplay(bool picture)
{
    qInstallMessageHandler(sayUnlessKnown);
    for (const char *display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (qEnvironmentVariableIsSet(display))
            return true;
    if (picture)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    return picture;
}

/// Sets the device of this id; "" is the default one. Prints an error and returns false if the id is unknown.
bool chooseDevice(desktop::MainWindow &window, const std::string &id)
{
    const auto device = id.empty() ? analysis::defaultDevice() : analysis::findDevice(id);
    if (device)
        window.setDevice(*device);
    else
        std::fprintf(stderr, "cutaway: %s\n", device.error().text().c_str());
    return device || id.empty();
}

desktop::StartRequest requestOf(const Arguments &arguments)
{
    QStringList row;
    for (const std::string &file : arguments.steps)
        row << QString::fromStdString(file);
    return {.model = QString::fromStdString(arguments.model),
            .row = row,
            .isFollowed = arguments.follow,
            .bindings = arguments.bindings,
            .inputs = arguments.inputs,
            .colouring = views::parseColouring(arguments.colouring),
            .data = QString::fromStdString(arguments.data),
            .passes = arguments.passes,
            .step = arguments.step,
            .stepView = arguments.stepView,
            .onlyChanges = arguments.onlyChanges,
            .profile = arguments.profile,
            .profileSeconds = arguments.seconds,
            .trace = QString::fromStdString(arguments.trace),
            .against = QString::fromStdString(arguments.against),
            .statistics = arguments.statistics,
            .compareWith = QString::fromStdString(arguments.compareWith),
            .show = QString::fromStdString(arguments.show),
            .openDepth = arguments.openDepth,
            .select = QString::fromStdString(arguments.select),
            .find = QString::fromStdString(arguments.find),
            .beside = QString::fromStdString(arguments.beside)};
}

int runWindow(QApplication &application, const Arguments &arguments)
{
    desktop::MainWindow window(std::make_unique<QSettings>());
    if (arguments.theme)
        views::applyTheme(application, *arguments.theme); // for this start only, so it is not saved
    if ((!window.hasDevice() || !arguments.device.empty()) && !chooseDevice(window, arguments.device))
        return 2;
    window.show();
    const desktop::Letterbox letterbox;
    QObject::connect(&letterbox, &desktop::Letterbox::received, &window, &desktop::MainWindow::take);
    (new desktop::Starting(window, requestOf(arguments)))->start();
    return application.exec();
}

/// Runs the benchmark, without the user's settings, so that equal calls measure the same.
int runBench(const Arguments &arguments)
{
    if (arguments.model.empty()) {
        std::fputs("cutaway: --bench-canvas needs a model\n", stderr);
        return 2;
    }
    const QTemporaryDir folder;
    desktop::MainWindow window(std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat));
    window.setTheme(arguments.theme.value_or(views::Theme::Light));
    desktop::benchCanvas(window, QString::fromStdString(arguments.model));
    return QApplication::exec();
}

/// Takes the screenshot, without the user's settings, so that equal calls give equal pictures.
int runScreenshot(QApplication &application, const Arguments &arguments)
{
    const QTemporaryDir folder;
    desktop::MainWindow window(std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat));
    window.setTheme(arguments.theme.value_or(views::Theme::Light));
    if (!arguments.device.empty() && !chooseDevice(window, arguments.device))
        return 2;
    desktop::takeScreenshot(window, requestOf(arguments), QString::fromStdString(arguments.screenshot),
                            sizeOf(arguments.size));
    return application.exec();
}

} // namespace

int main(int argc, char **argv)
{
    growHeapInLargePages();
    // The threads that read, analyse and draw take turns, so each can use the memory that another one has freed.
    shareHeap();
    CLI::App app("Cutaway shows what is in a model file.", "cutaway");
    Arguments arguments;
    declare(app, arguments);
    if (const std::optional<int> answered = about::answeredPages(app, argc, argv))
        return *answered;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!chooseDisplay(!arguments.screenshot.empty() || arguments.benchCanvas)) {
        std::fputs("cutaway: there is no display; --screenshot FILE writes a picture of the window\n", stderr);
        return 2;
    }
    int qtArgc = 1; // Qt gets only the program's name, since all arguments are parsed already
    QApplication application(qtArgc, argv);
    sayStartMessages();
    std::signal(SIGXFSZ, SIG_IGN);   // a write to a file that may not grow then returns an error
    std::setlocale(LC_NUMERIC, "C"); // QApplication has set the user's locale; files and reports use points
    QApplication::setApplicationName("cutaway");
    QApplication::setApplicationDisplayName({});
    QApplication::setApplicationVersion(QString::fromUtf8(about::version()));
    QApplication::setOrganizationName("Cutaway");
    QApplication::setDesktopFileName("org.cutaway.Cutaway"); // where it is installed, desktops know the window by it
    QApplication::setWindowIcon(QIcon(":/icons/cutaway.svg"));
    views::chooseInterfaceFont(application);
    if (arguments.benchCanvas)
        return runBench(arguments);
    return arguments.screenshot.empty() ? runWindow(application, arguments) : runScreenshot(application, arguments);
}
