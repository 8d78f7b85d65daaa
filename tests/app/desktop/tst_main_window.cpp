// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a whole: opening, failing, opening again, and what is remembered.

#include "app/desktop/docks/docks.h"
#include "app/desktop/main_window.h"
#include "app/desktop/panes/pane.h"
#include "app/desktop/panes/panes.h"
#include "core/analysis/known_devices.h"
#include "core/drawing/palette.h"
#include "core/ir/json/json.h"
#include "core/ir/text/text.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPrinter>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <set>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {
const QString sample = QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx");
} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    /// No test begins with what another one has left of the sample.
    void cleanup() { QDir(m_folder.filePath("sessions")).removeRecursively(); }

    void startsEmptyWithoutDocks()
    {
        MainWindow window(settings());
        window.show();
        QVERIFY(!window.session());
        for (const QDockWidget *dock : window.findChildren<QDockWidget *>())
            QVERIFY(dock->isHidden());
    }

    void openingFillsEveryDock()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        QVERIFY(window.session());
        QTRY_VERIFY(window.session()->drawing().diagram());
        QCOMPARE(window.findChildren<QDockWidget *>().size(), qsizetype(docks().size()));
        for (const QDockWidget *dock : window.findChildren<QDockWidget *>())
            QVERIFY2(dock->widget(), qPrintable(dock->objectName()));
        QVERIFY(window.windowTitle().startsWith("small_vision.onnx"));
    }

    void aBadFileIsAnsweredInTheWindow()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(write("bad.onnx", "this is not a model"));
        QVERIFY(failed.wait());
        QVERIFY(!window.session());
        QVERIFY(!window.centralWidget()->findChildren<QPushButton *>().isEmpty());
    }

    void aModelAfterABadFileAndTheOtherWayRound()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        const QString bad = write("bad.onnx", "this is not a model");
        for (int i = 0; i < 3; ++i) {
            window.open(bad);
            QVERIFY(failed.wait());
            QVERIFY(!window.session());
            open(window, write(QStringLiteral("%1.onnx").arg(i), read(sample)));
            QVERIFY(window.session());
        }
    }

    void aBadFileLeavesTheOpenModelAsItIs()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        const views::Session *session = window.session();
        window.session()->stepping().run();
        QTRY_VERIFY(window.session()->stepping().history());
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(write("bad.onnx", "this is not a model"));
        QVERIFY(failed.wait());
        QVERIFY(!window.session()); // the file in front is the bad one
        QVERIFY(window.windowTitle().startsWith("bad.onnx"));
        window.pages().panes().active().step(-1);
        QCOMPARE(window.session(), session);
        QVERIFY(window.session()->stepping().history());
        QVERIFY(window.windowTitle().startsWith("small_vision.onnx"));
    }

    void actionsAreEnabledWhileThereIsSomethingToActOn()
    {
        MainWindow window(settings());
        window.show();
        const auto isEnabled = [&](const char *name) { return action(window, name)->isEnabled(); };
        for (const char *name : {"Next step", "Undo", "End comparison", "Save profile…"})
            QVERIFY2(!isEnabled(name), name);
        open(window, sample);
        for (const char *name : {"Next step", "Previous step", "Undo", "End comparison", "Save profile…",
                                 "Clear selection", "Back to the input file"})
            QVERIFY2(!isEnabled(name), name);
        views::Stepping &stepping = window.session()->stepping();
        stepping.run();
        QTRY_VERIFY(stepping.history());
        stepping.goTo(stepping.count());
        QVERIFY(!isEnabled("Next step") && isEnabled("Previous step") && isEnabled("Back to the input file"));
        QVERIFY(action(window, "Show both in one graph")->isChecked());
        stepping.display().setView(views::StepDisplay::View::After);
        QVERIFY(!action(window, "Show both in one graph")->isChecked());
        QVERIFY(action(window, "Show graph after the step")->isChecked());
        window.session()->navigation().select(layout::OutputSubject{});
        QVERIFY(isEnabled("Clear selection"));
    }

    void endsAfterThePipelineWasEdited()
    {
        auto window = std::make_unique<MainWindow>(settings());
        window->show();
        open(*window, sample);
        window->session()->stepping().chosen().setPipeline({});
        QVERIFY(window->session()->document().edits().canUndo());
        window.reset();
    }

    void thePanesOfAComparisonStayAsWide_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1280, 1920})
            QTest::addRow("%d", width) << width;
    }
    void thePanesOfAComparisonStayAsWide()
    {
        QFETCH(int, width);
        MainWindow window(settings());
        window.resize(width, 700);
        window.show();
        open(window, sample);
        window.compareWith(sample);
        QTRY_VERIFY(window.session()->comparing().difference());
        QTRY_VERIFY(!window.session()->drawing().isBusy());
        const auto widths = [&] { return window.pages().current()->findChild<QSplitter *>()->sizes(); };
        QTRY_VERIFY(std::abs(widths().at(0) - widths().at(1)) <= 2);
        const QList<int> before = widths();
        const ir::Graph &graph = window.session()->document().function().graph;
        for (std::uint32_t i = 0; i < graph.nodeCount(); i += 7) {
            window.session()->navigation().reveal(ir::NodeId{i});
            QTest::qWait(20);
            QCOMPARE(widths(), before);
        }
    }

    void thePictureIsWrittenAsItIsSeen_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("svg") << "svg" << QByteArray("<svg");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
        QTest::newRow("dot") << "dot" << QByteArray("digraph");
    }
    void thePictureIsWrittenAsItIsSeen()
    {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, start);
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QTest::qWait(50); // the panels have found their places
        const QSizeF seen = canvas(window).sight().part().size();
        const QString path = m_folder.filePath("a." + suffix);
        window.exports().writePicture(path, {.whole = false, .suffix = suffix, .zoom = 1.5});
        QTRY_VERIFY(QFile::exists(path));
        const auto *written = window.statusBar()->findChild<QLabel *>("written");
        QTRY_VERIFY(written->isVisible());
        QCOMPARE(written->text(),
                 "Exported <a href=\"" + QUrl::fromLocalFile(path).toString() + "\">a." + suffix + "</a>");
        QVERIFY(read(path).startsWith(start));
        if (suffix == "png") {
            QVERIFY(std::abs(QImage(path).width() - 1.5 * seen.width()) < 2);
            QVERIFY(std::abs(QImage(path).height() - 1.5 * seen.height()) < 2);
        }
    }

    void whatIsInSightIsLessThanTheWhole()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QVERIFY(window.session()->document().give({{"batch=1"}, {}}));
        window.session()->navigation().setDepth(99);
        QTRY_VERIFY(!window.session()->drawing().isBusy());
        window.setColouring(views::Measure::Flops);
        QTRY_VERIFY(canvas(window).highlighting().heat() && canvas(window).highlighting().heat()->most > 0);
        QTRY_VERIFY(!window.session()->drawing().isBusy());
        const QString seen = m_folder.filePath("seen.svg"), whole = m_folder.filePath("whole.svg");
        window.exports().writePicture(seen, {.whole = false});
        QTRY_VERIFY(QFile::exists(seen));
        window.exports().writePicture(whole, {.whole = true, .dark = true});
        QTRY_VERIFY(QFile::exists(whole));
        QVERIFY(read(seen).count("<g class") < read(whole).count("<g class"));
        QVERIFY(read(whole).count("class=\"amount\"") > 2); // as coloured by FLOPs
        QVERIFY(read(whole).contains(QByteArray::fromStdString(drawing::colour(drawing::darkPalette().canvas))));
    }

    void theReportIsWrittenInEachForm()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QVERIFY(window.session()->document().give({{"batch=3"}, {}}));
        const std::pair<const char *, const char *> forms[] = {
            {"html", "<!DOCTYPE html>"}, {"md", "#"}, {"csv", "id,name,"}, {"json", "{"}};
        for (const auto &[suffix, start] : forms) {
            const QString path = m_folder.filePath(QStringLiteral("report.") + suffix);
            window.exports().writeReport(path);
            QTRY_VERIFY(QFile::exists(path));
            QVERIFY2(read(path).toLower().startsWith(QByteArray(start).toLower()), read(path).left(80).constData());
            QTRY_VERIFY(action(window, "Export report…")->isEnabled());
        }
        QVERIFY(read(m_folder.filePath("report.json")).contains("\"shape\":[3,3,32,32]"));
    }

    void whatCannotBeWrittenIsToldInASentence()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        for (const char *suffix : {"svg", "png", "md"}) {
            const QString path = m_folder.filePath(QStringLiteral("no such folder/a.") + suffix);
            if (QString(suffix) == "md")
                window.exports().writeReport(path);
            else
                window.exports().writePicture(path, {.suffix = suffix});
            QTRY_VERIFY2(window.findChild<QMessageBox *>("problem"), suffix);
            auto *box = window.findChild<QMessageBox *>("problem");
            QVERIFY(box->isVisible());
            QVERIFY2(box->text().contains(path) && box->text().contains("No such file"), qPrintable(box->text()));
            QVERIFY2(!box->text().contains(".part"), qPrintable(box->text()));
            box->close();
            QTRY_VERIFY(!window.findChild<QMessageBox *>("problem"));
        }
    }

    void theDialogOfAPictureSaysWhatComesOfIt()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        action(window, "Export picture…")->trigger();
        auto *dialog = window.findChild<PictureDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        auto *form = dialog->findChildren<QComboBox *>().front();
        auto *zoom = dialog->findChild<QDoubleSpinBox *>();
        const auto says = [&](const QString &text) {
            return std::ranges::any_of(dialog->findChildren<QLabel *>(),
                                       [&](const QLabel *label) { return label->text().contains(text); });
        };
        QVERIFY(!zoom->isEnabled());
        form->setCurrentIndex(form->findData("png"));
        zoom->setValue(2);
        const QSize twice = (canvas(window).sight().part().size() * 2).toSize();
        QVERIFY(zoom->isEnabled() && says(QLocale::c().toString(twice.width())));
        zoom->setValue(20);
        QVERIFY(says("the largest PNG"));
        form->setCurrentIndex(form->findData("dot"));
        QVERIFY(!zoom->isEnabled() && says("without colours"));
        QCOMPARE(dialog->choice().suffix, "dot");
        dialog->reject();
    }

    void aNameWithoutASuffixGetsThatOfTheForm()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        const QString path = m_folder.filePath("named");
        bool isChosen = false;
        QTimer::singleShot(300, &window, [&] {
            auto *dialog = window.findChild<QFileDialog *>();
            if (!dialog)
                return;
            emit dialog->filterSelected(dialog->nameFilters().at(1));
            dialog->findChild<QLineEdit *>("fileNameEdit")->setText(path);
            isChosen = true;
            QMetaObject::invokeMethod(dialog, "accept");
        });
        action(window, "Export report…")->trigger();
        QVERIFY(isChosen);
        QTRY_VERIFY(QFile::exists(path + ".md"));
    }

    void picturesAndTablesAreCopied()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QVERIFY(window.showDock("nodes"));
        const auto *list = dock(window, "nodes")->widget()->findChild<QTreeView *>();
        QTRY_VERIFY(list->model()->rowCount() > 3);
        QTRY_VERIFY(!list->visibleRegion().isEmpty());
        action(window, "Copy picture")->trigger();
        const QImage image = QGuiApplication::clipboard()->image();
        QVERIFY(!image.isNull());
        QCOMPARE(image.width(), qRound(canvas(window).sight().part().width() * canvas(window).viewport().zoom * 2));
        action(window, "Copy table")->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), list->model()->rowCount() + 1);
        QVERIFY(lines.front().startsWith(list->model()->headerData(0, Qt::Horizontal).toString() + '\t'));
        for (const QString &line : lines)
            QCOMPARE(line.count('\t'), lines.front().count('\t'));
    }

    void thePictureIsPrinted()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QPrinter printer;
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(m_folder.filePath("print.pdf"));
        window.exports().printOn(printer);
        const QByteArray page = read(m_folder.filePath("print.pdf"));
        QVERIFY(page.startsWith("%PDF") && page.contains("/Font"));
    }

    void aSecondOpeningLeavesTheFirst()
    {
        MainWindow window(settings());
        window.show();
        QSignalSpy opened(&window, &MainWindow::opened);
        QSignalSpy failed(&window, &MainWindow::openingFailed);
        window.open(write("bad.onnx", "this is not a model"));
        window.open(sample);
        QTRY_COMPARE(opened.count(), 1);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(window.windowTitle().startsWith("small_vision.onnx"));
    }

    void reopeningWhileLayingOut()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        for (int i = 0; i < 5; ++i)
            reload(window);
        QTRY_VERIFY(window.session()->drawing().diagram());
    }

    void aViewBelowBringsTheOthersAsTabs()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        QVERIFY(dock(window, "nodes")->isHidden());
        QVERIFY(window.showDock("memory"));
        QVERIFY(!dock(window, "nodes")->isHidden());
        QTRY_VERIFY(dock(window, "memory")->widget()->isVisible());
        QVERIFY(!window.showDock("nothing"));
    }

    void theStatusBarCountsWhatTheDockLists()
    {
        const auto model = ir::parseText("model \"m\"\ngraph @forward(%x: float32[2], %unread: float32[2]) {\n"
                                         "  %r = aten::randn_like(self=%x)\n  return %r\n}\n");
        QVERIFY(model.has_value());
        MainWindow window(settings());
        window.show();
        open(window, write("draws.json", QByteArray::fromStdString(ir::printJson(*model))));
        QVERIFY(window.showDock("diagnostics"));
        const auto *list = dock(window, "diagnostics")->widget()->findChild<QTreeView *>();
        QVERIFY(list);
        QTRY_VERIFY(list->model()->rowCount() >= 2); // lint finds random numbers and an unread input
        const auto counts = [&] {
            const QString text = QStringLiteral("%1 diagnostics").arg(list->model()->rowCount());
            return std::ranges::contains(window.findChild<QStatusBar *>()->findChildren<QToolButton *>(), text,
                                         &QToolButton::text);
        };
        QTRY_VERIFY(counts());
    }

    void theModelIsRunWithWhatThereIs()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        views::Running &running = window.session()->running();
        QVERIFY(std::ranges::contains(running.setup().choices().backends, "evaluator", &run::Offer::name));
        QVERIFY(std::ranges::contains(running.setup().choices().targets, "local"));
        QVERIFY(window.session()->document().give({{"batch=1"}, {}}));
        views::RunSettings settings = running.setup().settings();
        settings.backend = "evaluator";
        running.setup().setSettings(settings);
        running.start(views::Running::Kind::Run);
        QTRY_VERIFY_WITH_TIMEOUT(!running.isBusy(), 60000);
        QVERIFY(running.result());
        QCOMPARE(running.result()->outputs.all.front().type, "float32 [1, 10]");
        QVERIFY(running.setup().obstacle(views::Running::Kind::Profile));
    }

    void aPluginThatIsBuiltMeanwhileIsFound()
    {
        const QTemporaryDir folder;
        qputenv("CUTAWAY_PLUGIN_PATH", folder.path().toUtf8());
        qputenv("XDG_DATA_HOME", folder.filePath("none").toUtf8());
        QVERIFY(QDir(folder.path()).mkdir("toy"));
        write(folder.filePath("toy/plugin.json"), R"({"name": "toy", "protocol": 1, "command": ["${plugin}/run"],
            "provides": {"backend": {"description": "a toy", "runs": ["onnx"]}, "passes": [{"name": "fold"}]}})");
        MainWindow window(settings());
        window.show();
        open(window, sample);
        views::Running &running = window.session()->running();
        QCOMPARE(running.setup().settings().backend, "evaluator");
        QCOMPARE(running.setup().missing().size(), 1u);
        QVERIFY(window.session()->stepping().chosen().otherPasses().empty());
        action(window, "Profile model")->trigger();
        QVERIFY(std::holds_alternative<views::Running::Failed>(running.state()));
        QCOMPARE(running.setup().missing().front(),
                 "the plugin 'toy' cannot be used: its program " + folder.filePath("toy/run").toStdString()
                     + " is missing; build or install it");
        QVERIFY(!dock(window, "run")->isHidden());
        const QString program = write(folder.filePath("toy/run"), "#!/bin/sh\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QTRY_COMPARE(running.setup().settings().backend, "toy");
        QVERIFY(running.setup().missing().empty());
        QVERIFY(std::holds_alternative<views::Running::Idle>(running.state()));
        QCOMPARE(window.session()->stepping().chosen().otherPasses().size(), 1u);
        QVERIFY(QFile::remove(program));
        QTRY_COMPARE(running.setup().settings().backend, "evaluator");
        QVERIFY(QDir(folder.path()).mkdir("late")); // a folder that was not watched yet
        write(folder.filePath("late/plugin.json"), R"({"name": "late", "protocol": 1, "command": ["sh"],
            "provides": {"backend": {"description": "late", "runs": ["onnx"]}}})");
        QTRY_COMPARE(running.setup().settings().backend, "late");
        qunsetenv("CUTAWAY_PLUGIN_PATH");
        qunsetenv("XDG_DATA_HOME");
    }

    void anotherModelOpensBesideTheFirst()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        views::Comparing &comparing = window.session()->comparing();
        window.compareWith(sample);
        QTRY_VERIFY(comparing.difference());
        QVERIFY(comparing.difference()->isEqual());
        QVERIFY(!dock(window, "differences")->isHidden());
        QTRY_COMPARE(window.centralWidget()->findChildren<views::Canvas *>().size(), 4);
        comparing.end();
        QTRY_COMPARE(window.centralWidget()->findChildren<views::Canvas *>().size(), 2);
        window.compareWith(sample);
        QTRY_VERIFY(comparing.other());
        reload(window);
        QVERIFY(window.session()->comparing().other());
    }

    void categoriesAreHiddenAndShownByTheMenu()
    {
        MainWindow window(settings());
        window.resize(1280, 800);
        window.show();
        QAction *convolution = action(window, "Convolution"), *all = action(window, "Show all categories");
        QVERIFY(!convolution->isEnabled() && !all->isEnabled());
        openDrawn(window);
        QVERIFY(convolution->isEnabled() && !convolution->isChecked() && !all->isEnabled());
        convolution->trigger();
        QVERIFY(convolution->isChecked() && all->isEnabled());
        QCOMPARE(window.session()->navigation().hiddenCategories(), std::set{ops::Category::Convolution});
        const auto *notes = window.pages().current()->findChild<QLabel *>("notes"); // who sees a hole knows why
        QTRY_COMPARE(notes->text(), "hidden: convolution (5 nodes)");
        QVERIFY(notes->isVisible());
        QAction *undo = window.findChild<QAction *>("undo");
        QCOMPARE(undo->text(), "Undo choice of hidden categories");
        undo->trigger();
        QVERIFY(!convolution->isChecked());
        QTRY_VERIFY(!notes->isVisible());
        action(window, "Activation")->trigger();
        convolution->trigger();
        all->trigger();
        QVERIFY(window.session()->navigation().hiddenCategories().empty());
        QVERIFY(!convolution->isChecked() && !all->isEnabled());
    }

    void theDifferencesAreWritten()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QVERIFY(!action(window, "Export differences…")->isEnabled());
        window.compareWith(sample);
        QTRY_VERIFY(window.session()->comparing().difference());
        QVERIFY(action(window, "Export differences…")->isEnabled());
        for (const auto &[suffix, start] : {std::pair("html", "<!DOCTYPE html>"), std::pair("json", "{")}) {
            const QString path = m_folder.filePath(QStringLiteral("differences.") + suffix);
            window.exports().writeDifferences(path);
            QTRY_VERIFY(QFile::exists(path));
            QVERIFY(read(path).toLower().startsWith(QByteArray(start).toLower()));
        }
    }

    void passesRunInTheWindow()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        views::Stepping &stepping = window.session()->stepping();
        stepping.run();
        QTRY_VERIFY(stepping.history());
        stepping.display().setView(views::StepDisplay::View::SideBySide);
        stepping.goTo(1);
        QTRY_VERIFY(!window.session()->drawing().isBusy());
        reload(window);
        QTRY_COMPARE(window.session()->stepping().position(), 1u); // they run again
    }

    void theColouringIsKeptForTheNextModel()
    {
        MainWindow window(settings());
        window.show();
        window.setColouring(views::Measure::Bytes);
        open(window, sample);
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::Measure::Bytes));
        open(window, another());
        QVERIFY(window.session()->analysing().colouring() == views::Colouring(views::Measure::Bytes));
    }

    void remembersRecentFilesAndTheme()
    {
        {
            MainWindow window(settings());
            window.show();
            window.setTheme(views::Theme::Dark);
            open(window, sample);
            window.close();
        }
        const auto stored = settings();
        QCOMPARE(stored->value("recentFiles").toStringList().value(0), QFileInfo(sample).absoluteFilePath());
        QCOMPARE(stored->value("theme").toInt(), int(views::Theme::Dark));
        const MainWindow again(settings());
        QVERIFY(views::isDark(again.palette()));
    }

    void remembersTheColouringAndTheDevice()
    {
        const auto device = analysis::findDevice("jetson-agx-orin-64gb");
        QVERIFY(device);
        {
            MainWindow window(settings());
            open(window, sample);
            const auto all = window.findChildren<QAction *>();
            const auto byMemory = std::ranges::find(all, "Colour by: " + views::title(views::Measure::Memory),
                                                    [](const QAction *action) { return action->data().toString(); });
            QVERIFY(byMemory != all.end());
            (*byMemory)->trigger();
            window.session()->analysing().setDevice(*device);
            open(window, another());
            QCOMPARE(window.session()->analysing().device().id, device->id);
        }
        MainWindow again(settings());
        QVERIFY(again.hasDevice());
        open(again, sample);
        QVERIFY(again.session()->analysing().colouring() == views::Colouring(views::Measure::Memory));
        QCOMPARE(again.session()->analysing().device().id, device->id);
    }

    void aDeviceThatIsNoLongerThereIsForgotten()
    {
        settings()->setValue("device", "sold");
        const MainWindow window(settings());
        QVERIFY(!window.hasDevice());
    }

    void aDeviceForOneStartIsNotRemembered()
    {
        settings()->remove("device");
        {
            MainWindow window(settings());
            window.setDevice(*analysis::findDevice("l4"));
            open(window, sample);
            QCOMPARE(window.session()->analysing().device().id, std::string("l4"));
        }
        QVERIFY(!MainWindow(settings()).hasDevice());
    }

    void everyActionCanBeTriggered_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"Fit entire graph",
                                 "Zoom in",
                                 "Zoom out",
                                 "Actual size",
                                 "Expand one level",
                                 "Collapse one level",
                                 "Collapse all",
                                 "Clear selection",
                                 "Graph",
                                 "Previous selection",
                                 "Toggle left panel",
                                 "Toggle right panel",
                                 "Toggle bottom panel",
                                 "Live memory",
                                 "Expand or collapse selection",
                                 "Reload",
                                 "Close model",
                                 "Run passes",
                                 "Stop",
                                 "Next step",
                                 "Previous step",
                                 "Only changes",
                                 "Show side by side",
                                 "Back to the input file",
                                 "End comparison"})
            QTest::newRow(name) << name;
    }

    void everyActionCanBeTriggered()
    {
        QFETCH(QString, name);
        MainWindow window(settings());
        window.show();
        open(window, sample);
        QAction *found = action(window, name);
        QVERIFY2(found, qPrintable(name));
        found->trigger();
        QTest::qWait(50);
        QCOMPARE(window.session() == nullptr, name == "Close model");
    }

    void theMenuFindsPathsAndStepsThroughHits()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        QTRY_VERIFY(window.session()->analysing().figures() && window.session()->drawing().diagram());
        views::Searching &searching = window.session()->searching();
        const QString from = "Select upstream", to = "Select paths to selection";
        QVERIFY(!action(window, from)->isEnabled());
        QVERIFY(!action(window, "Find next match")->isEnabled());
        const auto &nodes = window.session()->document().function().graph.at(ir::Graph::body).nodes;
        window.session()->navigation().select(nodes.front());
        QVERIFY(action(window, from)->isEnabled());
        QVERIFY(!action(window, to)->isEnabled());
        action(window, "Start path at selection")->trigger();
        window.session()->navigation().select(nodes.back());
        QVERIFY(action(window, to)->isEnabled());
        action(window, to)->trigger();
        QVERIFY2(searching.text().startsWith("between:"), qPrintable(searching.text()));
        QVERIFY(dock(window, "find")->isVisible());
        QVERIFY(searching.hits().size() > 1);
        QVERIFY(searching.hits().front() == views::Selection(nodes.front()));
        action(window, "Find next match")->trigger();
        QVERIFY(window.session()->navigation().selection() == searching.hits().front());
        action(window, "Find previous match")->trigger();
        QVERIFY(window.session()->navigation().selection() == searching.hits().back());
        action(window, "Dim non-matching nodes")->trigger();
        QVERIFY(searching.fadesOthers());
        QVERIFY(action(window, "Dim non-matching nodes")->isChecked());
    }

    void thePaletteFindsNodes()
    {
        MainWindow window(settings());
        window.show();
        open(window, sample);
        QTRY_VERIFY(window.session()->analysing().figures());
        action(window, "All actions…")->trigger();
        auto *palette = qobject_cast<QFrame *>(QApplication::activePopupWidget());
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        QTest::keyClicks(line, "op:conv*");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(window.session()->searching().text(), "op:conv*");
        QVERIFY(!window.session()->searching().hits().empty());
        QVERIFY(dock(window, "find")->isVisible());
        QCOMPARE(dock(window, "find")->findChild<QLineEdit *>()->text(), "op:conv*");
    }

    void aComparisonOutlivesTheReloading()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        window.compareWith(another());
        QTRY_VERIFY(window.session()->comparing().difference());
        reload(window);
        QTRY_VERIFY(window.session()->comparing().difference());
        QVERIFY(window.session()->comparing().difference()->isEqual());
    }

private:
    std::unique_ptr<QSettings> settings() const
    {
        return std::make_unique<QSettings>(m_folder.filePath("settings.ini"), QSettings::IniFormat);
    }

    QString write(const QString &name, const QByteArray &content) const
    {
        QFile file(QDir(m_folder.path()).filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test's file could not be written");
        return file.fileName();
    }

    static QAction *action(const MainWindow &window, const QString &name)
    {
        QAction *found = nullptr;
        for (QAction *each : window.findChildren<QAction *>())
            if (each->text().remove('&') == name)
                found = each;
        return found;
    }

    /// A second file with the same model.
    QString another() const { return write("another.onnx", read(sample)); }

    static void reload(MainWindow &window)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        action(window, "Reload")->trigger();
        QVERIFY(opened.wait());
    }

    static QDockWidget *dock(const MainWindow &window, const QString &name)
    {
        return window.findChild<QDockWidget *>(name);
    }

    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static views::Canvas &canvas(const MainWindow &window) { return *window.findChild<Pages *>()->current()->canvas(); }

    /// Opens the sample and waits for its picture.
    static void openDrawn(MainWindow &window)
    {
        open(window, sample);
        QTRY_VERIFY(canvas(window).picture() && !window.session()->drawing().isBusy());
    }

    static void open(MainWindow &window, const QString &path)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(path);
        QVERIFY(opened.wait());
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
