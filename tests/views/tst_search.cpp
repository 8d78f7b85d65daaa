// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Matches of a search by operator, name and module.

#include "tests/views/sample.h"
#include "tests/views/view_test.h"

using namespace cutaway;
using namespace cutaway::views;

class TestSearch : public QObject {
    Q_OBJECT

private slots:
    void finds_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("nodes");
        QTest::newRow("by operator") << "mean.dim" << QStringList{"mean"};
        QTest::newRow("by dialect") << "prim::" << QStringList{"both"};
        QTest::newRow("in a branch") << "mul" << QStringList{"twice"};
        QTest::newRow("case is ignored") << "RELU" << QStringList{"act"};
        QTest::newRow("by module path") << "stem." << QStringList{"conv", "act"};
        QTest::newRow("every word") << "aten stem.act" << QStringList{"act"};
        QTest::newRow("nothing") << "softmax" << QStringList{};
        QTest::newRow("empty text") << "" << QStringList{};
        QTest::newRow("blank text") << "  " << QStringList{};
    }

    void finds()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, nodes);
        const auto model = sample::model();
        const ir::Function &function = model->at(ir::FunctionId{});
        QStringList found;
        for (const Selection &hit : sample::search(function, text))
            if (const auto *node = std::get_if<ir::NodeId>(&hit))
                found << QString::fromStdString(std::string(model->context->text(function.graph.at(*node).name)));
        QCOMPARE(found, nodes);
    }

    void findsModulesInputsAndWeights()
    {
        const auto model = sample::model();
        const auto hits = sample::search(model->at(ir::FunctionId{}), "w");
        QVERIFY(std::ranges::any_of(hits, [](const Selection &s) { return std::holds_alternative<ir::ValueId>(s); }));
        const auto flags = sample::search(model->at(ir::FunctionId{}), "flag");
        QVERIFY(std::holds_alternative<layout::InputSubject>(flags.at(0)));
        const auto modules = sample::search(model->at(ir::FunctionId{}), "torch.nn.Linear");
        QVERIFY(std::holds_alternative<layout::ScopeSubject>(modules.at(0)));
    }

    void findsAllOfMany()
    {
        constexpr int many = 12000;
        std::string nodes;
        for (int i = 0; i < many; ++i)
            nodes += "  %n" + std::to_string(i) + " = aten::relu(self=%x)\n";
        const auto model =
            sample::model(("model \"m\"\ngraph @forward(%x: float32[2]) {\n" + nodes + "  return %n0\n}\n").c_str());
        QCOMPARE(sample::search(model->at(ir::FunctionId{}), "relu").size(), std::size_t(many));
    }

    void findsByExactName()
    {
        Session session(sample::model());
        QVERIFY(named(session.document().function(), "act") == Selection(sample::node(session, "act")));
        QVERIFY(named(session.document().function(), "stem") == Selection(sample::module(session, "stem")));
        QVERIFY(!named(session.document().function(), "ac"));
    }
};

VIEW_TEST(tst_search, TestSearch)
#include "tst_search.moc"
