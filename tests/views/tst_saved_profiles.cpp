// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles that are saved, opened on their model again, and compared with each other.

#include "tests/views/fake_backend.h"
#include "tests/views/view_test.h"
#include "views/run/run.h"

#include <QFile>
#include <QLabel>
#include <QTemporaryDir>

using namespace cutaway;
using namespace cutaway::views;
using sample::FakeAnswers;

namespace {

/// The sample at s0 = 8, profiled: wide takes 1 s, last as long as is said.
struct SavedTimes {
    FakeAnswers answers;
    Session session{sample::model(sample::open)};

    explicit SavedTimes(double last = 2)
    {
        if (!session.document().give({{"s0=8"}, {}}) || !again(last))
            qFatal("no profile");
    }

    bool again(double last)
    {
        answers.nodes = {sample::timed("wide", 0, 1), sample::timed("last", 1, last)};
        return sample::profile(session, answers);
    }
};

std::optional<double> timeOf(const Session &session, const char *name)
{
    return session.analysing().figures()->of(sample::node(session, name), Measure::Measured).number();
}

const Error *failureOf(const Session &session)
{
    const auto *failed = std::get_if<Running::Failed>(&session.running().state());
    return failed ? &failed->error : nullptr;
}

} // namespace

class TestSavedProfiles : public QObject {
    Q_OBJECT

private slots:
    void aSavedProfileOpensOnItsModelWithItsSizes()
    {
        SavedTimes profiled;
        profiled.session.running().save(path());
        Session session(sample::model(sample::open));
        session.start();
        session.running().open(path());
        QVERIFY2(!failureOf(session), failureOf(session) ? failureOf(session)->text().c_str() : "");
        QVERIFY(sample::waitForFigures(session));
        QCOMPARE(session.analysing().typeText(
                     session.document().function().graph.at(sample::node(session, "wide")).outputs.front()),
                 "float32 [8, 3]");
        QCOMPARE(timeOf(session, "last"), 2.0);
        QVERIFY(!timeOf(session, "deep"));
        QCOMPARE(session.running().profile()->timing->whole.median, 0.5);
        QVERIFY(session.running().profile()->notes.front().contains("profile.json"));
    }

    void aProfileOfAnEarlierSessionIsThereAgain()
    {
        SavedTimes profiled;
        const auto profile = profiled.session.running().profile();
        Session session(sample::model(sample::open));
        QVERIFY(session.running().restore(profile->json, "by hand", profile->origin.given).has_value());
        QVERIFY(!session.running().timing()); // it is of other sizes than those that are shown
        QVERIFY(session.document().give({{"s0=8"}, {}}));
        session.start();
        QVERIFY(sample::waitForFigures(session));
        QVERIFY(session.running().timing());
        QCOMPARE(timeOf(session, "last"), 2.0);
        QCOMPARE(session.running().profile()->origin.how, "by hand");
        QCOMPARE(session.running().profile()->json, profile->json);
        Session other(sample::model());
        QVERIFY(!other.running().restore(profile->json, "by hand", {}));
        QVERIFY(!other.running().restore("[]", "by hand", {}));
        QVERIFY(!other.running().profile());
    }

    void whatCannotBeOpenedIsToldAndChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("part");
        QTest::newRow("damaged") << QByteArray("{\"schema\": \"cutaway.profile/1\"") << "JSON";
        QTest::newRow("something else") << QByteArray("{\"schema\": \"cutaway.run/1\"}") << "cutaway.run/1";
        QTest::newRow("no file") << QByteArray() << "";
    }

    void whatCannotBeOpenedIsToldAndChangesNothing()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, part);
        SavedTimes profiled;
        const auto before = profiled.session.running().profile();
        if (!content.isEmpty())
            write(content);
        profiled.session.running().open(path());
        QVERIFY(failureOf(profiled.session));
        const QString text = QString::fromStdString(failureOf(profiled.session)->text());
        QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(profiled.session.running().profile(), before);
        QVERIFY(profiled.session.document().given().bindings == std::vector<std::string>{"s0=8"});
    }

    void aProfileOfAnotherModelIsRefused()
    {
        SavedTimes profiled;
        profiled.session.running().save(path());
        Session other(sample::model());
        other.running().open(path());
        QVERIFY(failureOf(other));
        QVERIFY(!other.running().profile());
        other.running().compareWith(path());
        QVERIFY(!other.running().comparison().baseline());
    }

    void laterProfilesAreComparedWithOneThatIsKept()
    {
        SavedTimes profiled(2);
        Running &running = profiled.session.running();
        running.comparison().keep();
        QVERIFY(running.comparison().baseline() && !running.comparison().change());
        QVERIFY(profiled.again(6));
        QVERIFY(running.comparison().change());
        const auto changed =
            std::ranges::find_if(running.comparison().change()->comparison.nodes, [](const run::NodesChange &each) {
                return each.time.verdict() == run::Verdict::Slower;
            });
        QVERIFY(changed != running.comparison().change()->comparison.nodes.end());
        QCOMPARE(changed->time.ratio(), 3.0);
        const std::unique_ptr<QWidget> view(makeRunView(profiled.session, nullptr));
        QVERIFY(says(*view, "an earlier profile"));
        running.comparison().end();
        QVERIFY(!running.comparison().change());
        QVERIFY(!says(*view, "an earlier profile"));
    }

    void aSavedProfileCanBeComparedWith()
    {
        SavedTimes before(2);
        before.session.running().save(path());
        SavedTimes after(1);
        after.session.running().compareWith(path());
        QVERIFY(after.session.running().comparison().change());
        QCOMPARE(after.session.running().comparison().baseline()->name, "profile.json");
        const auto &nodes = after.session.running().comparison().change()->comparison.nodes;
        QCOMPARE(nodes.size(), 2u); // each with itself
        QCOMPARE(nodes[0].time.ratio(), 1.0);
        QCOMPARE(nodes[1].time.ratio(), 0.5);
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

private:
    QString path() const { return m_folder->filePath("profile.json"); }

    void write(const QByteArray &content) const
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
    }

    static bool says(const QWidget &view, const QString &text)
    {
        const auto labels = view.findChildren<QLabel *>();
        return std::ranges::any_of(
            labels, [&](const QLabel *label) { return label->isVisibleTo(&view) && label->text().contains(text); });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

VIEW_TEST(tst_saved_profiles, TestSavedProfiles)
#include "tst_saved_profiles.moc"
