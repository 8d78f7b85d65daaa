// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The models of a document: which one is shown, and what the user fixes of its inputs.

#include "core/analysis/module_sums.h"
#include "tests/views/sample.h"
#include "tests/views/view_test.h"

using namespace cutaway;
using namespace cutaway::views;

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void anotherFunctionIsTheFilesWithNothingGiven()
    {
        Document document(sample::model(sample::twoFunctions));
        QVERIFY(document.give({{}, {"x=2:float32"}}));
        document.show({std::make_shared<const ir::Model>(document.file())});
        document.setFunction(ir::FunctionId{1});
        QVERIFY(document.isFileShown());
        QVERIFY(document.given() == GivenTexts{});
        QVERIFY(document.givenValues().bindings.empty());
    }

    void whatIsGivenHoldsForTheFileOnly()
    {
        Document document(sample::model(sample::open));
        QVERIFY(document.give({{}, {"x=8x4:float32"}}));
        QVERIFY(document.withGiven() == document.models().given);
        const auto passed = std::make_shared<const ir::Model>(*document.models().given);
        document.show({passed});
        QVERIFY(document.withGiven() == passed);
        QVERIFY(document.models().file != document.models().given);
    }

    void badTextsChangeNothing()
    {
        Document document(sample::model(sample::open));
        QVERIFY(document.give({{"s0=8"}, {}}));
        const SharedModel before = document.models().given;
        QSignalSpy spy(&document, &Document::givenChanged);
        QVERIFY(!document.give({{"s0=1000"}, {}})); // beyond its range
        QVERIFY(!document.give({{}, {"nothing=3"}}));
        QVERIFY(document.give({{"s0=8"}, {}})); // as it is
        QCOMPARE(spy.count(), 0);
        QVERIFY(document.models().given == before);
        QCOMPARE(document.given().bindings, std::vector<std::string>{"s0=8"});
    }

    void partsDropTheEarlierModelBeforeViewsAreTold()
    {
        Document document(sample::model(sample::twoFunctions));
        QStringList order;
        connect(&document, &Document::replaced, this, [&] { order << "replaced"; });
        connect(&document, &Document::functionChanged, this, [&] { order << "function"; });
        connect(&document, &Document::stateChanged, this, [&] { order << "state"; });
        document.show({document.models().file}); // as it is
        document.show({document.models().given});
        document.setFunction(ir::FunctionId{1});
        QCOMPARE(order, (QStringList{"replaced", "state", "replaced", "function"}));
    }

    void sumsOfModulesAreOfTheStateThatIsShown()
    {
        Document document(sample::model());
        const auto before = document.moduleSums().at(ir::ScopeId{}).nodes;
        auto less = std::make_shared<ir::Model>(document.file());
        ir::Graph &graph = less->functions.front().graph;
        graph.setOutputs(ir::Graph::body, {});
        graph.remove(graph.at(ir::Graph::body).nodes.back());
        document.show({less});
        QVERIFY(document.moduleSums().at(ir::ScopeId{}).nodes < before);
    }
};

VIEW_TEST(tst_document, TestDocument)
#include "tst_document.moc"
