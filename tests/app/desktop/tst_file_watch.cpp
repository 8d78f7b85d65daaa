// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a file while it is open.

#include "app/desktop/watching/file_watch.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace cutaway::desktop;

class TestFileWatch : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("model.onnx");
        write("first");
        m_watch = std::make_unique<FileWatch>();
        m_seen.clear();
        connect(m_watch.get(), &FileWatch::seen, this, [this](const QString &path, FileWatch::State state) {
            QCOMPARE(path, m_path);
            m_seen.append(state);
        });
        m_watch->watch(m_path);
    }

    void aFileThatIsWrittenHasChanged()
    {
        write("another");
        QTRY_COMPARE(m_seen, QList{FileWatch::State::Changed});
    }

    /// As editors and exporters do it: the new file takes the name of the old one.
    void aFileThatIsReplacedIsWatchedOn()
    {
        replaceBy("another");
        QTRY_COMPARE(m_seen, QList{FileWatch::State::Changed});
        replaceBy("a third one");
        QTRY_COMPARE(m_seen.size(), 2);
        write("the last one of all");
        QTRY_COMPARE(m_seen.size(), 3);
    }

    void aFileThatIsAwayAndComesBackIsTheSame()
    {
        const QString aside = m_folder->filePath("aside");
        QVERIFY(QFile::rename(m_path, aside));
        QTRY_COMPARE(m_seen, QList{FileWatch::State::Gone});
        QVERIFY(QFile::rename(aside, m_path));
        QTRY_COMPARE(m_seen, (QList{FileWatch::State::Gone, FileWatch::State::Same}));
    }

    void manyWritesAreToldOnce()
    {
        for (int i = 1; i <= 5; ++i) {
            write(QByteArray(100 * i, 'x'));
            QTest::qWait(20);
        }
        QTRY_COMPARE(m_seen.size(), 1);
    }

    void otherFilesOfTheFolderAreNotTold()
    {
        QFile other(m_folder->filePath("other"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.close();
        write("another"); // the next signal is about this content
        QTRY_COMPARE(m_seen.size(), 1);
    }

    void aFileThatIsForgottenIsNotTold()
    {
        m_watch->forget(m_path);
        const QString kept = m_folder->filePath("kept");
        QVERIFY(QFile::copy(m_path, kept));
        m_path = kept;
        m_watch->watch(kept);
        QFile before(m_folder->filePath("model.onnx"));
        QVERIFY(before.open(QIODevice::WriteOnly));
        before.write("another");
        before.close();
        write("another");
        QTRY_COMPARE(m_seen, QList{FileWatch::State::Changed});
    }

private:
    void write(const QByteArray &content) { writeTo(m_path, content); }

    static void writeTo(const QString &path, const QByteArray &content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    void replaceBy(const QByteArray &content)
    {
        const QString other = m_folder->filePath("other");
        writeTo(other, content);
        QVERIFY(QFile::remove(m_path));
        QVERIFY(QFile::rename(other, m_path));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<FileWatch> m_watch;
    QList<FileWatch::State> m_seen;
};

QTEST_MAIN(TestFileWatch)
#include "tst_file_watch.moc"
