// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was recorded elsewhere, opened beside its model: the same figures as of a profile, and its own timeline.

#include "core/base/formatted.h"
#include "core/run/timing.h"
#include "tests/views/fake_backend.h"
#include "tests/views/view_test.h"
#include "views/inspector/inspector.h"
#include "views/memory/timeline.h"
#include "views/node_table/node_model.h"
#include "views/parts/elided_label.h"
#include "views/run/run.h"
#include "views/session/annotations/annotating.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/trace_change.h"
#include "views/timeline/timeline.h"
#include "views/timeline/trace_lanes.h"

#include <QElapsedTimer>
#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>

using namespace cutaway;
using namespace cutaway::views;

namespace {

constexpr const char *model = R"(model "m"
graph @forward(%x: float32[2, 8], %w: float32[8, 8]) {
  %mm = aten::mm.default(self=%x, mat2=%w)
  %relu = aten::relu.default(self=%mm)
  return %relu
}
)";

std::string event(const char *category, const std::string &name, const char *lane, double start, double duration,
                  const char *arguments = "")
{
    const std::string thread(lane);
    return formatted(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}{}}},)",
                     category, name, thread.substr(0, thread.find('/')), thread.substr(thread.find('/') + 1), start,
                     duration, arguments);
}

/// Iterations of 100 µs: mm 60, with an operator of its own in it, relu 20, a loss of 5 that is no node's.
std::string traceOf(int iterations, const std::string &more = {}, double mm = 60)
{
    std::string text = R"({"schemaVersion": 1, "traceEvents": [)";
    for (int i = 0; i < iterations; ++i) {
        const double at = i * 110;
        text += event("user_annotation", "ProfilerStep#" + std::to_string(i), "2/2", at, 100)
            + event("cpu_op", "aten::mm", "2/2", at + 5, mm) + event("cpu_op", "aten::inner", "2/2", at + 10, 20)
            + event("cpu_op", "aten::relu", "2/2", at + 70, 20) + event("cpu_op", "aten::loss", "2/2", at + 92, 5);
    }
    return text + more + R"({"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "ts": 0}]})";
}

std::string withKernels(double duration = 50)
{
    return event("cuda_runtime", "cudaLaunchKernel", "2/2", 12, 3, R"(, "args": {"correlation": 7})")
        + event("kernel", "gemm", "0/7", 30, duration, R"(, "args": {"correlation": 7, "device": 0, "stream": 7})");
}

/// Memory that is taken and not given back.
std::string memoryEvent(int time, int bytes, int deviceType = 0, int device = 0)
{
    return formatted(R"({{"ph": "i", "name": "[memory]", "pid": 2, "tid": 2, "ts": {}, "args": {{"Bytes": {}, )"
                     R"("Addr": {}, "Device Type": {}, "Device Id": {}}}}},)",
                     time, bytes, time, deviceType, device);
}

/// The position of the first event of a name.
trace::EventIndex eventNamed(const OpenedTrace &trace, std::string_view name)
{
    const auto found = std::ranges::find_if(trace.trace.events,
                                            [&](const trace::Event &each) { return trace.trace.nameOf(each) == name; });
    return trace::EventIndex(found - trace.trace.events.begin());
}

const Error *readingFailure(const Session &session)
{
    const auto *failed = std::get_if<Running::Failed>(&session.running().state());
    return failed ? &failed->error : nullptr;
}

} // namespace

class TestTraces : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_session = std::make_unique<Session>(sample::model(model));
        m_session->start();
    }

    void aTraceHasTheFiguresOfAProfile()
    {
        QVERIFY(open(traceOf(3)));
        QVERIFY(session().running().trace());
        const Figures &figures = *session().analysing().figures();
        QCOMPARE(figures.of(node("mm"), Measure::Measured).number().value_or(0), 60e-6);
        QCOMPARE(figures.of(node("relu"), Measure::Measured).number().value_or(0), 20e-6);
        QCOMPARE(session().running().profile()->timing->whole.median, 100e-6);
        NodeModel table;
        table.setFigures(session().analysing().figures());
        table.setNodeData(session().annotating().data());
        QCOMPARE(cell(table, node("mm"), NodeModel::ShareColumn), "70.6 %"); // the total of 85 µs includes the loss
        QCOMPARE(cell(table, node("mm"), "Calls"), "3");
        QCOMPARE(cell(table, node("mm"), "Spread"), "0 s");
    }

    void kernelsGiveTheirNodeItsTimeAndTheHostAColumn()
    {
        QVERIFY(open(traceOf(1, withKernels())));
        QCOMPARE(session().analysing().figures()->of(node("mm"), Measure::Measured).number().value_or(0), 50e-6);
        NodeModel table;
        table.setFigures(session().analysing().figures());
        table.setNodeData(session().annotating().data());
        QCOMPARE(cell(table, node("mm"), "Host time"), "60.0 µs");
        QCOMPARE(cell(table, node("mm"), "Device time"), "50.0 µs");
        QCOMPARE(cell(table, node("mm"), "Launches"), "1");
        QCOMPARE(cell(table, node("relu"), "Launches"), "");
        const std::unique_ptr<QWidget> inspector(makeInspector(session(), nullptr));
        session().navigation().select(node("mm"));
        QStringList texts;
        for (const QWidget *each : inspector->findChildren<QWidget *>())
            if (const auto *label = dynamic_cast<const ElidedLabel *>(each))
                texts << label->text();
        QVERIFY(texts.contains("Host time") && texts.contains("60.0 µs"));
    }

    void theLinkedShareIsTheFirstFigure()
    {
        const std::unique_ptr<QWidget> timeline(makeTimelineView(session(), nullptr));
        timeline->show();
        QVERIFY(open(traceOf(3)));
        QVERIFY(says(*timeline, "80.0 % of 300 µs in 3 iterations is linked to nodes"));
        const std::unique_ptr<QWidget> run(makeRunView(session(), nullptr));
        QVERIFY(says(*run, "80.0 % of 300 µs in 3 iterations is linked to nodes."));
        QVERIFY(says(*run, "run.json: torch.profiler, 3 iterations"));
    }

    void theMemoryOfATraceIsMeasuredBesideThePredictedOne()
    {
        QVERIFY(open(traceOf(1, memoryEvent(10, 4'000'000) + memoryEvent(75, 1'000'000))));
        views::Timeline timeline(session());
        timeline.fill();
        const Figures &figures = *session().analysing().figures();
        QCOMPARE(timeline.measuredAt(*figures.stepOf(node("mm"))).value_or(0), 4e6);
        QCOMPARE(timeline.measuredAt(*figures.stepOf(node("relu"))).value_or(0), 5e6);
        const std::unique_ptr<QWidget> run(makeRunView(session(), nullptr));
        QVERIFY(says(*run, "Memory on cpu"));
        QCOMPARE(session().running().trace()->memory.front().peakBytes(), 5'000'000);
    }

    void theMemoryOfEachDeviceIsALine()
    {
        QVERIFY(open(traceOf(1, memoryEvent(10, 4'000'000) + memoryEvent(75, 9'000'000, 1))));
        views::Timeline timeline(session());
        timeline.fill();
        const Figures &figures = *session().analysing().figures();
        const QString small = numberText(Quantity::Unit::Byte, 4e6), large = numberText(Quantity::Unit::Byte, 9e6);
        QCOMPARE(timeline.measuredText(*figures.stepOf(node("mm"))), small + " measured on cpu");
        QCOMPARE(timeline.measuredText(*figures.stepOf(node("relu"))),
                 large + " measured on cuda:0, " + small + " measured on cpu");
        QCOMPARE(timeline.measuredText(0), "");
    }

    void theLinesOfManyDevicesDiffer()
    {
        std::string memory;
        for (int device = 0; device < 20; ++device)
            memory += memoryEvent(10 + device, 1'000'000 * (20 - device), 1, device);
        QVERIFY(open(traceOf(1, memory)));
        views::Timeline timeline(session());
        timeline.resize(400, 220);
        timeline.fill();
        const auto legend = timeline.legend();
        QCOMPARE(legend.size(), 20U);
        QCOMPARE(legend[0].text, "measured on cuda:0");
        QCOMPARE(legend[19].text, "cuda:19");
        for (std::size_t i = 0; i < legend.size(); ++i) {
            QVERIFY2(QRectF(timeline.rect()).contains(legend[i].place), qPrintable(legend[i].text));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(legend[i].pen != legend[j].pen && !legend[i].place.intersects(legend[j].place));
        }
        QVERIFY(!timeline.grab().isNull());
    }

    void aSecondTraceIsComparedNodeByNode()
    {
        QVERIFY(open(traceOf(5)));
        QVERIFY(compare(traceOf(5, {}, 30)));
        const auto change = session().running().traceChange();
        QVERIFY(change);
        QCOMPARE(change->before, "run.json");
        QCOMPARE(change->after, "second.json");
        NodeModel table;
        table.setFigures(session().analysing().figures());
        table.setNodeData(session().annotating().data());
        QCOMPARE(cell(table, node("mm"), "Change"), "-30.0 µs");
        QCOMPARE(cell(table, node("mm"), "Second trace"), "30.0 µs");
        QCOMPARE(cell(table, node("mm"), "Verdict"), "faster");
        QCOMPARE(cell(table, node("relu"), "Verdict"), "within the noise");
        const std::unique_ptr<QWidget> run(makeRunView(session(), nullptr));
        QVERIFY(says(*run, "second.json"));
        QVERIFY(says(*run, "1 of 2 nodes are within the noise."));
    }

    void aComparisonEndsWithItsTrace()
    {
        QVERIFY(open(traceOf(5)));
        QVERIFY(compare(traceOf(5)));
        QVERIFY(session().running().traceChange());
        QVERIFY(open(traceOf(4)));
        QVERIFY(!session().running().traceChange());
        QVERIFY(!session().annotating().column("trace.change"));
        QVERIFY(compare(traceOf(5)));
        const std::unique_ptr<QWidget> run(makeRunView(session(), nullptr));
        QVERIFY(says(*run, "Both traces are compared below."));
        session().running().endTraceComparison();
        QVERIFY(!says(*run, "Both traces are compared below."));
        QVERIFY(!session().annotating().column("trace.change"));
        QVERIFY(session().running().trace());
    }

    void aSecondTraceThatCannotBeReadChangesNothing()
    {
        QVERIFY(open(traceOf(5)));
        QVERIFY(compare(traceOf(5)));
        const auto before = session().running().traceChange();
        QVERIFY(!compare("prose"));
        QVERIFY(readingFailure(session())->text().contains("second.json"));
        QCOMPARE(session().running().traceChange(), before);
    }

    void aReadingThatFailsLeavesEverythingAndSaysWhy_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no trace") << QByteArray("prose");
        QTest::newRow("another document") << QByteArray(R"({"schema": "cutaway.profile/1"})");
        QTest::newRow("no file") << QByteArray();
    }

    void aReadingThatFailsLeavesEverythingAndSaysWhy()
    {
        QFETCH(QByteArray, content);
        QVERIFY(open(traceOf(2)));
        const auto before = session().running().profile();
        QFile::remove(path());
        if (!content.isEmpty())
            write(content.toStdString());
        session().running().openTrace(path());
        QVERIFY(sample::waitForRunning(session()));
        QVERIFY(readingFailure(session()));
        QVERIFY(readingFailure(session())->text().contains("run.json"));
        QCOMPARE(session().running().profile(), before);
        QVERIFY(session().running().trace());
    }

    void aTraceOfAnotherModelIsShownAndSaysSo()
    {
        std::string other = traceOf(1);
        for (std::size_t at; (at = other.find("aten::mm")) != std::string::npos;)
            other.replace(at, 8, "aten::conv2d");
        QVERIFY(open(other));
        QVERIFY(session().running().trace());
        QVERIFY(!session().running().trace()->remarks().isEmpty());
        QVERIFY(session().running().profile()->notes.contains(session().running().trace()->remarks().front()));
    }

    void aReadingCanBeStopped()
    {
        write(traceOf(20'000));
        session().running().openTrace(path());
        QVERIFY(session().running().isBusy());
        session().running().stop();
        QVERIFY(sample::waitForRunning(session()));
        QVERIFY(std::holds_alternative<Running::Stopped>(session().running().state()));
        QVERIFY(!session().running().profile());
    }

    void timesAreClearedLikeThoseOfAProfile()
    {
        QVERIFY(open(traceOf(2)));
        const auto lanes = shownLanes();
        QVERIFY(lanes->trace());
        QVERIFY(session().annotating().data());
        session().running().forget();
        QVERIFY(sample::waitForFigures(session()));
        lanes->fill();
        QVERIFY(!lanes->trace());
        QVERIFY(!session().annotating().data());
        QVERIFY(!lanes->grab().isNull());
    }

    void aTraceOfOtherSizesIsNotShown()
    {
        m_session = std::make_unique<Session>(sample::model(sample::open));
        m_session->start();
        QVERIFY(open(traceOf(2)));
        QVERIFY(session().running().trace());
        QVERIFY(session().annotating().data());
        QVERIFY(session().document().give({{"s0=8"}, {}}));
        QVERIFY(sample::waitForFigures(session()));
        QVERIFY(!session().running().trace());
        QVERIFY(!session().annotating().data());
        QVERIFY(session().document().give({}));
        QVERIFY(sample::waitForFigures(session()));
        QVERIFY(session().running().trace());
        QVERIFY(session().annotating().data());
    }

    void aSavedTraceOpensAsAProfile()
    {
        QVERIFY(open(traceOf(3)));
        session().running().save(m_folder->filePath("saved.json"));
        Session other(sample::model(model));
        other.start();
        other.running().open(m_folder->filePath("saved.json"));
        QVERIFY(sample::waitForFigures(other));
        QVERIFY(!other.running().trace());
        QCOMPARE(other.analysing().figures()->of(sample::node(other, "mm"), Measure::Measured).number().value_or(0),
                 60e-6);
    }

    void aClickSelectsTheNodeAlsoThroughWhatIsInIt()
    {
        QVERIFY(open(traceOf(2)));
        const auto lanes = shownLanes();
        const auto inner = eventNamed(*lanes->trace(), "aten::inner");
        QTest::mouseClick(lanes.get(), Qt::LeftButton, {}, lanes->placeOf(inner)->center().toPoint());
        QCOMPARE(lanes->chosen(), inner);
        QVERIFY(session().navigation().selection() == Selection(node("mm")));
        QTest::keyClick(lanes.get(), Qt::Key_Right); // along the row: that of the next iteration
        QVERIFY(lanes->chosen() != inner);
    }

    /// Each level of calls has a short event, which is drawn as a pixel.
    void rowsThatAreScrolledDoNotReachOverTheIterations()
    {
        std::string calls;
        for (int level = 0; level < 20; ++level)
            calls += ::event("cpu_op", "aten::call", "2/3", level, 200 - 2 * level)
                + ::event("cpu_op", "aten::short", "2/3", 199.5 - level, 0.01);
        QVERIFY(open(traceOf(1, calls)));
        const auto lanes = shownLanes();
        auto *bar = lanes->findChild<QScrollBar *>();
        QVERIFY(bar->maximum() > 100);
        const auto iterations = [&] { return lanes->grab(QRect(0, 0, lanes->width(), bar->y())).toImage(); };
        const QImage before = iterations();
        for (int value = 0; value <= bar->maximum(); value += 5) {
            bar->setValue(value);
            QCOMPARE(iterations(), before);
        }
    }

    void whatIsNoNodesIsChosenWithoutASelection()
    {
        QVERIFY(open(traceOf(2)));
        const auto lanes = shownLanes();
        const auto loss = eventNamed(*lanes->trace(), "aten::loss");
        QTest::mouseClick(lanes.get(), Qt::LeftButton, {}, lanes->placeOf(loss)->center().toPoint());
        QCOMPARE(lanes->chosen(), loss);
        QVERIFY(session().navigation().selection() == Selection());
    }

    void aSelectionElsewhereComesIntoSight()
    {
        QVERIFY(open(traceOf(50)));
        const auto lanes = shownLanes();
        const auto last = lanes->trace()->timeline.eventsOf(node("relu")).back();
        turnWheel(*lanes, lanes->placeOf(last)->center(), {0, 3600});
        QVERIFY(lanes->range().first > 5e-3);
        session().navigation().select(node("mm"));
        const auto [from, to] = lanes->range();
        QVERIFY(from < 70e-6 && to > 5e-6); // the first one
    }

    void newFiguresOfTheSameTraceMoveNothing()
    {
        QVERIFY(open(traceOf(50)));
        const auto lanes = shownLanes();
        session().navigation().select(node("mm"));
        turnWheel(*lanes, lanes->placeOf(lanes->trace()->timeline.eventsOf(node("relu")).back())->center(), {0, 3600});
        const auto before = lanes->range();
        lanes->fill();
        QVERIFY(lanes->range() == before);
        session().document().show({sample::model(model)}); // as a step between passes
        QVERIFY(!session().analysing().figures());
        lanes->fill();
        QVERIFY(sample::waitForFigures(session()));
        lanes->fill();
        QVERIFY(lanes->trace());
        QVERIFY(lanes->range() == before);
    }

    void aSelectedNodeHasAFrameInEachLane()
    {
        QVERIFY(open(traceOf(1, withKernels(10)))); // the kernel runs while the operator does
        const auto lanes = shownLanes();
        const QRect place = lanes->placeOf(eventNamed(*lanes->trace(), "gemm"))->toAlignedRect().adjusted(-2, -2, 2, 2);
        const QImage before = lanes->grab(place).toImage();
        session().navigation().select(node("mm"));
        QVERIFY(lanes->grab(place).toImage() != before);
    }

    void aTraceThatTakesNoTimeIsDrawn()
    {
        QVERIFY(open(R"({"schemaVersion": 1, "traceEvents": [)" + ::event("cpu_op", "aten::mm", "2/2", 5, 0)
                     + R"({"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "ts": 0}]})"));
        const auto lanes = shownLanes();
        const QRectF place = *lanes->placeOf(0);
        const QPoint at(int(place.left()), int(place.center().y()));
        QVERIFY(lanes->rect().contains(at));
        const QImage image = lanes->grab().toImage();
        QVERIFY(image.pixelColor(at) != image.pixelColor(at.x(), image.height() - 5)); // there the ruler's line alone
    }

    void theColorsCanChangeWhileFiguresAreComputed()
    {
        QVERIFY(open(traceOf(1)));
        const auto lanes = shownLanes();
        session().document().show({sample::model(model)});
        QVERIFY(!session().analysing().figures());
        QEvent change(QEvent::PaletteChange);
        QCoreApplication::sendEvent(lanes.get(), &change);
        QVERIFY(!lanes->grab().isNull());
    }

    void anEventOfANodeThatPassesRemovedSaysSo()
    {
        QVERIFY(open(traceOf(1)));
        auto without = std::make_shared<ir::Model>(session().document().file());
        ir::Graph &graph = without->functions.front().graph;
        graph.setOutputs(ir::Graph::body, {ir::Operand(graph.at(node("mm")).outputs.front())});
        graph.remove(node("relu"));
        session().document().show({without});
        QVERIFY(sample::waitForFigures(session()));
        const auto lanes = shownLanes();
        const QPoint at = lanes->placeOf(eventNamed(*lanes->trace(), "aten::relu"))->center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, lanes->mapToGlobal(at));
        QCoreApplication::sendEvent(lanes.get(), &help);
        QVERIFY2(QToolTip::text().contains("a removed node"), qPrintable(QToolTip::text()));
    }

    void factsOfAnEventAreInItsToolTip()
    {
        QVERIFY(open(traceOf(1, withKernels())));
        const auto lanes = shownLanes();
        const auto tip = [&](const char *name) {
            const QPoint at = lanes->placeOf(eventNamed(*lanes->trace(), name))->center().toPoint();
            QHelpEvent help(QEvent::ToolTip, at, lanes->mapToGlobal(at));
            QCoreApplication::sendEvent(lanes.get(), &help);
            return QToolTip::text();
        };
        QVERIFY2(tip("aten::relu").contains("of relu (by order"), qPrintable(tip("aten::relu")));
        QVERIFY(tip("aten::relu").contains("20.0 µs"));
        QVERIFY(tip("aten::relu").contains("after the start of ProfilerStep#0"));
        QVERIFY2(tip("gemm").contains("launched by aten::inner"), qPrintable(tip("gemm")));
        QVERIFY2(tip("aten::loss").contains("no node"), qPrintable(tip("aten::loss")));
        QVERIFY(tip("aten::mm").contains("1 launch on devices, 50.0 µs"));
        QVERIFY(!lanes->grab().isNull()); // with the flow of what is under the pointer
    }

    void searchFindsEventsByTheirNamesAndTheirNodes()
    {
        QVERIFY(open(traceOf(3)));
        const auto lanes = shownLanes();
        const auto found = [&](const QString &text) {
            QSignalSpy changed(lanes.get(), &TraceLanes::hitsChanged);
            lanes->search(text);
            return (!changed.isEmpty() || changed.wait()) && lanes->hits() ? lanes->hits()->all.size()
                                                                           : ~std::size_t{0};
        };
        QCOMPARE(found("INNER"), 3u);
        lanes->goToHit(1);
        const auto first = lanes->chosen();
        QCOMPARE(first, lanes->hits()->all.front());
        lanes->goToHit(-1); // round
        QCOMPARE(lanes->chosen(), lanes->hits()->all.back());
        lanes->goToHit(1);
        QCOMPARE(lanes->chosen(), first);
        QVERIFY(!lanes->grab().isNull());
        QCOMPARE(found("relu"), 3u);
        QCOMPARE(found("nothing such"), 0u);
        lanes->goToHit(1);
        lanes->search("relu");
        lanes->search("inn");
        QCOMPARE(found("inner"), 3u); // searches that were overtaken report nothing
        lanes->search("relu");
        lanes->search("");
        QVERIFY(!lanes->hits());
        QTest::qWait(50);
        QVERIFY(!lanes->hits());
    }

    void theSearchLineTellsHowManyThereAre()
    {
        const std::unique_ptr<QWidget> timeline(makeTimelineView(session(), nullptr));
        timeline->show();
        auto *line = timeline->findChild<QLineEdit *>();
        QVERIFY(!line->isVisible()); // there is nothing to search in
        QVERIFY(open(traceOf(3)));
        QVERIFY(line->isVisible());
        QTest::keyClicks(line, "loss");
        QTRY_VERIFY(says(*timeline, "3 events"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(says(*timeline, "1 of 3 events"));
    }

    void aDoubleClickShowsAnEventOrAnIteration()
    {
        QVERIFY(open(traceOf(3)));
        const auto lanes = shownLanes();
        const auto second = lanes->trace()->timeline.eventsOf(node("mm"))[1];
        const QPoint above(lanes->placeOf(second)->center().toPoint().x(), 34);
        QTest::mouseDClick(lanes.get(), Qt::LeftButton, {}, above);
        const auto [from, to] = lanes->range();
        QVERIFY(qAbs(from - 108e-6) < 1e-6 && qAbs(to - 212e-6) < 1e-6);
        QTest::mouseDClick(lanes.get(), Qt::LeftButton, {}, lanes->placeOf(second)->center().toPoint());
        QVERIFY(lanes->range().first < 60e-6); // as much before and behind as it is long
    }

    void manyEventsAreDrawnWithoutDelay()
    {
        QVERIFY(open(traceOf(20'000)));
        const auto lanes = shownLanes();
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 10; ++i) {
            turnWheel(*lanes, lanes->rect().center(), {0, 120});
            QVERIFY(!lanes->grab().isNull());
        }
        qInfo("a picture of %zu events takes %.1f ms", lanes->trace()->trace.events.size(),
              double(clock.elapsed()) / 10);
        QVERIFY(clock.elapsed() < 10 * 500); // far more than it takes, for a busy machine
    }

private:
    Session &session() { return *m_session; }
    ir::NodeId node(const char *name) const { return sample::node(*m_session, name); }
    QString path() const { return m_folder->filePath("run.json"); }

    void write(const std::string &content, const QString &name = QStringLiteral("run.json")) const
    {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(content)) < 0)
            qFatal("cannot write");
    }

    bool open(const std::string &content)
    {
        write(content);
        m_session->running().openTrace(path());
        return sample::waitForRunning(*m_session) && !readingFailure(*m_session);
    }

    bool compare(const std::string &content)
    {
        write(content, QStringLiteral("second.json"));
        m_session->running().compareTrace(m_folder->filePath("second.json"));
        return sample::waitForRunning(*m_session) && !readingFailure(*m_session);
    }

    std::unique_ptr<TraceLanes> shownLanes()
    {
        auto lanes = std::make_unique<TraceLanes>(*m_session);
        lanes->resize(900, 240);
        lanes->fill();
        lanes->show();
        return lanes;
    }

    static QString cell(const NodeModel &table, ir::NodeId node, int column)
    {
        return table.indexOf(node).siblingAtColumn(column).data().toString();
    }

    static QString cell(const NodeModel &table, ir::NodeId node, const QString &title)
    {
        for (int column = 0; column < table.columnCount(); ++column)
            if (table.headerData(column, Qt::Horizontal).toString() == title)
                return cell(table, node, column);
        return "there is no such column";
    }

    static bool says(const QWidget &view, const QString &text)
    {
        const auto labels = view.findChildren<QLabel *>();
        return std::ranges::any_of(
            labels, [&](const QLabel *label) { return label->isVisibleTo(&view) && label->text().contains(text); });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Session> m_session;
};

VIEW_TEST(tst_traces, TestTraces)
#include "tst_traces.moc"
