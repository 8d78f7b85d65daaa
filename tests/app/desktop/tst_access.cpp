// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window for those who do not see it, or use no mouse: names of controls, and everything by keys.

#include "app/desktop/docks/docks.h"
#include "app/desktop/main_window.h"
#include "app/desktop/writing/picture_dialog.h"
#include "core/survey/database/database.h"
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

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>
#include <map>
#include <set>

using namespace cutaway;
using namespace cutaway::desktop;

namespace {

const QString model = QStringLiteral(CUTAWAY_SAMPLES "/small_vision.onnx");

bool isControl(const QAccessibleInterface &item)
{
    static const std::set<QAccessible::Role> controls{
        QAccessible::PushButton, QAccessible::ButtonMenu,   QAccessible::ButtonDropDown, QAccessible::CheckBox,
        QAccessible::ComboBox,   QAccessible::EditableText, QAccessible::RadioButton,    QAccessible::SpinBox,
        QAccessible::Slider,     QAccessible::PageTab,      QAccessible::MenuItem,       QAccessible::Table,
        QAccessible::Tree,       QAccessible::List};
    const bool isRowOfTabs = item.role() == QAccessible::PageTabList; // Qt names the row after the tab in front
    return !isRowOfTabs && (item.state().focusable || controls.contains(item.role()));
}

/// The names of a table's rows come from the file.
bool hasRows(const QAccessibleInterface &item)
{
    return item.role() == QAccessible::Table || item.role() == QAccessible::Tree || item.role() == QAccessible::List;
}

/// Adds the path of each control in sight without a name that can be spoken.
void collectUnnamed(QAccessibleInterface *item, const QString &around, QSet<QString> &unnamed)
{
    if (!item || !item->isValid() || item->state().invisible)
        return;
    static const QRegularExpression letters(QStringLiteral("[\\p{L}\\p{N}]"));
    const QString name = item->text(QAccessible::Name);
    const char *className = item->object() ? item->object()->metaObject()->className() : "";
    const QString path = around + QStringLiteral(" / %1 “%2”").arg(QString::fromLatin1(className), name);
    if (isControl(*item) && !name.contains(letters))
        unnamed.insert(path);
    for (int i = 0; !hasRows(*item) && i < item->childCount(); ++i)
        collectUnnamed(item->child(i), path, unnamed);
}

QSet<QString> unnamedIn(QWidget &widget)
{
    QSet<QString> unnamed;
    collectUnnamed(QAccessible::queryAccessibleInterface(&widget), {}, unnamed);
    return unnamed;
}

QString joined(const QSet<QString> &set) { return QStringList(set.begin(), set.end()).join('\n'); }

} // namespace

class TestAccess : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyControlHasAName()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        QSet<QString> unnamed = unnamedIn(window);
        openDrawn(window);
        unnamed |= inEveryDock(window);
        const ir::Graph &graph = window.session()->document().function().graph;
        for (std::uint32_t i = 0; i < graph.nodeCount(); i += 5) { // the inspector has a page for each kind of thing
            window.session()->navigation().reveal(ir::NodeId{i});
            unnamed |= unnamedIn(window);
        }
        window.session()->stepping().run();
        QTRY_VERIFY(window.session()->stepping().history());
        window.session()->stepping().goTo(1);
        unnamed |= inEveryDock(window);
        window.compareWith(model);
        QTRY_VERIFY(window.session()->comparing().difference());
        unnamed |= inEveryDock(window);
        QVERIFY2(unnamed.isEmpty(), qPrintable(joined(unnamed)));
    }

    void everyMenuHasATitle()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        inEveryDock(window);
        // Qt's, of narrow windows.
        const auto *rest = window.menuBar()->findChild<QToolButton *>("qt_menubar_ext_button");
        for (const QMenu *menu : window.findChildren<QMenu *>())
            QVERIFY2(!menu->title().isEmpty() || (rest && menu == rest->menu()), qPrintable(path(*menu)));
        for (const QMenu *menu : window.menuBar()->findChildren<QMenu *>())
            for (const QAction *action : menu->actions())
                QVERIFY2(action->isSeparator() || !action->text().isEmpty(), qPrintable(menu->title()));
    }

    void noTwoEntriesOfAMenuShareALetter()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        QStringList clashes;
        for (const QMenu *menu : window.menuBar()->findChildren<QMenu *>()) {
            std::map<QChar, QString> entries;
            for (const QAction *action : menu->actions()) {
                const QString text = QString(action->text()).replace("&&", "");
                const qsizetype mark = text.indexOf('&');
                if (mark < 0 || !action->isVisible())
                    continue;
                const auto [other, isNew] = entries.emplace(text[mark + 1].toLower(), action->text());
                if (!isNew)
                    clashes << menu->title() + ": " + action->text() + ", " + other->second;
            }
        }
        QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join("; ")));
    }

    void dialogsHaveNames()
    {
        MainWindow window(settings());
        window.show();
        openDrawn(window);
        action(window, "Export picture…")->trigger();
        auto *dialog = window.findChild<PictureDialog *>();
        QVERIFY(dialog);
        QSet<QString> unnamed = unnamedIn(*dialog);
        dialog->reject();
        action(window, "All actions…")->trigger();
        QWidget *palette = QApplication::activePopupWidget();
        QVERIFY(palette);
        unnamed |= unnamedIn(*palette);
        palette->close();
        QVERIFY2(unnamed.isEmpty(), qPrintable(joined(unnamed)));
    }

    void aSurveyHasNames()
    {
        const QString database = m_folder->filePath("zoo.db");
        QVERIFY(QFile::copy(model, m_folder->filePath("a.onnx")));
        {
            auto zoo = survey::Database::open(database.toStdString(), "1");
            survey::Record record;
            record.state = survey::State::Read;
            record.format = "onnx";
            QVERIFY(zoo->put(survey::versionOf(m_folder->filePath("a.onnx").toStdString()), {}, record));
        }
        MainWindow window(settings());
        window.show();
        QSignalSpy shown(&window.pages(), &Pages::surveyShown);
        window.open(database);
        QVERIFY(shown.wait());
        const QSet<QString> unnamed = unnamedIn(window);
        QVERIFY2(unnamed.isEmpty(), qPrintable(joined(unnamed)));
    }

    /// A button that Tab does not reach is in a menu, or has a key.
    void buttonsAreReachedByTab()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        openDrawn(window);
        for (const Dock &dock : docks()) {
            QVERIFY(window.showDock(QString::fromLatin1(dock.name)));
            QCoreApplication::processEvents();
            for (const auto *button : window.findChildren<QAbstractButton *>()) {
                // The Delete key clears the line, too.
                const bool isOfLine = qobject_cast<QLineEdit *>(button->parentWidget())
                    || qobject_cast<QTableView *>(button->parentWidget()); // all of which Ctrl+A selects
                const bool isInMenu =
                    qobject_cast<QToolBar *>(button->parentWidget()) || qobject_cast<QTabBar *>(button->parentWidget());
                if (!button->visibleRegion().isEmpty() && button->isEnabled() && !isOfLine && !isInMenu)
                    QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(path(*button)));
            }
        }
    }

    void whatHasTheKeyboardIsSeen()
    {
        QApplication::setCursorFlashTime(0);
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window);
        window.setAttribute(Qt::WA_KeyboardFocusChange); // as a press of Tab does
        QSet<QString> unseen;
        for (const Dock &dock : docks()) {
            QVERIFY(window.showDock(QString::fromLatin1(dock.name)));
            QTRY_VERIFY(!isBusy(window));
            QCoreApplication::processEvents(); // a page that was filled last is laid out
            for (QWidget *each : window.findChildren<QWidget *>()) {
                const bool isWhole = each->visibleRegion().boundingRect() == each->rect();
                if (!(each->focusPolicy() & Qt::TabFocus) || !each->isEnabled() || !isWhole)
                    continue;
                each->setFocus(Qt::TabFocusReason);
                if (each->hasFocus() && !isSeen(window, *each))
                    unseen.insert(path(*each));
            }
        }
        QVERIFY2(unseen.isEmpty(), qPrintable(joined(unseen)));
    }

    void tabLeadsToAllThatIsSeen()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window);
        for (const Dock &dock : docks()) {
            QVERIFY(window.showDock(QString::fromLatin1(dock.name)));
            QTRY_VERIFY(!isBusy(window));
            QSet<const QWidget *> reached;
            const QWidget *focused = QApplication::focusWidget();
            for (int i = 0; i < 100 && !reached.contains(focused); ++i) {
                reached.insert(focused);
                press(Qt::Key_Tab);
                focused = QApplication::focusWidget();
                QVERIFY(focused && focused->isVisible());
            }
            for (const QWidget *each : window.findChildren<QWidget *>())
                if ((each->focusPolicy() & Qt::TabFocus) && each->isEnabled() && !each->focusProxy()
                    && !each->visibleRegion().isEmpty())
                    QVERIFY2(reached.contains(each), qPrintable(path(*each)));
        }
    }

    /// From opening to the exported picture without a mouse, in two parts.
    void opensAndWalksByKeys()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));

        QSignalSpy opened(&window, &MainWindow::opened);
        atDialog([&](QFileDialog &dialog) {
            type(model);
            const QPointer open(&dialog);
            for (int i = 0; i < 3 && open && open->isVisible(); ++i) // one is for what completes the name
                press(Qt::Key_Return);
        });
        press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(opened.count() > 0 || opened.wait());
        QTRY_VERIFY(canvas(window).picture() && !isBusy(window));
        views::Session &session = *window.session();
        views::Navigation &navigation = session.navigation();

        // into a box
        press(Qt::Key_0, Qt::AltModifier);
        QTRY_VERIFY(canvas(window).hasFocus());
        press(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier); // closes all
        QTRY_VERIFY(!isBusy(window));
        for (int i = 0; i < 40 && !canOpen(window); ++i)
            press(Qt::Key_Down);
        QVERIFY(canOpen(window));
        const std::uint32_t box = *canvas(window).selectedBox();
        const layout::Subject opening = canvas(window).picture()->box(box).subject;
        press(Qt::Key_Return);
        QTRY_VERIFY(navigation.expansion().isOpen(opening) && !isBusy(window));
        press(Qt::Key_Down, Qt::ShiftModifier);
        const auto inside = canvas(window).selectedBox();
        QVERIFY(inside && canvas(window).picture()->box(*inside).parent == canvas(window).picture()->find(opening));
        press(Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(canvas(window).selectedBox() == canvas(window).picture()->find(opening));
    }

    void findsChangesAndExportsByKeys()
    {
        MainWindow window(settings());
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openDrawn(window);
        views::Session &session = *window.session();

        // the inspector has the keyboard
        press(Qt::Key_5, Qt::AltModifier);
        QTRY_VERIFY(dock(window, "inspector")->isAncestorOf(QApplication::focusWidget()));

        // find, and on to the second hit
        press(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(dock(window, "find")->isAncestorOf(QApplication::focusWidget()));
        type("op:conv*");
        press(Qt::Key_Return);
        QTRY_VERIFY(session.searching().hits().size() > 1);
        press(Qt::Key_F3);
        QVERIFY(session.navigation().selectedNode());
        press(Qt::Key_Escape);
        QVERIFY(canvas(window).hasFocus());

        // a bookmark, and its undoing
        const int edits = session.document().edits().index();
        press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(session.document().edits().index(), edits + 1);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(session.document().edits().index(), edits);

        // a pass is left out, which is undone, too; the passes run
        press(Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(dock(window, "passes")->isAncestorOf(QApplication::focusWidget()));
        for (int i = 0; i < 20 && QApplication::focusWidget()->accessibleName() != "Pipeline"; ++i)
            press(Qt::Key_Tab);
        press(Qt::Key_Down);
        press(Qt::Key_Space);
        QCOMPARE(session.document().edits().index(), edits + 1);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(session.document().edits().index(), edits);
        press(Qt::Key_F6);
        QTRY_VERIFY(session.stepping().history() && !isBusy(window));
        const std::size_t last = session.stepping().position();
        press(Qt::Key_Left, Qt::AltModifier);
        QVERIFY(session.stepping().position() < last); // over passes that changed nothing

        // the profile's page
        press(Qt::Key_3, Qt::AltModifier);
        QTRY_VERIFY(dock(window, "run")->isAncestorOf(QApplication::focusWidget()));

        // export
        press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(window.findChild<PictureDialog *>());
        auto *dialog = window.findChild<PictureDialog *>();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        const QString target = m_folder->filePath("keys.svg");
        for (int i = 0; i < 20 && !qobject_cast<QLineEdit *>(QApplication::focusWidget()); ++i)
            press(Qt::Key_Tab);
        press(Qt::Key_A, Qt::ControlModifier);
        type(target);
        press(Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(target));
    }

private:
    std::unique_ptr<QSettings> settings() const
    {
        return std::make_unique<QSettings>(m_folder->filePath("settings.ini"), QSettings::IniFormat);
    }

    static QString path(const QObject &object)
    {
        QString text;
        for (const QObject *at = &object; at; at = at->parent())
            text.prepend(
                QStringLiteral(" / %1 “%2”").arg(QString::fromLatin1(at->metaObject()->className()), at->objectName()));
        return text;
    }

    static views::Canvas &canvas(const MainWindow &window) { return *window.findChild<Pages *>()->current()->canvas(); }

    static bool isBusy(const MainWindow &window)
    {
        const views::Session &session = *window.session();
        return session.drawing().isBusy() || session.analysing().isBusy() || session.stepping().isRunning()
            || !session.analysing().figures();
    }

    static void openDrawn(MainWindow &window)
    {
        QSignalSpy opened(&window, &MainWindow::opened);
        window.open(model);
        QVERIFY(opened.wait());
        QTRY_VERIFY(canvas(window).picture() && !isBusy(window));
    }

    static QAction *action(const MainWindow &window, const QString &name)
    {
        for (QAction *each : window.findChildren<QAction *>())
            if (each->text().remove('&') == name)
                return each;
        return nullptr;
    }

    static QDockWidget *dock(const MainWindow &window, const QString &name)
    {
        return window.findChild<QDockWidget *>(name);
    }

    static QSet<QString> inEveryDock(MainWindow &window)
    {
        QSet<QString> unnamed;
        for (const Dock &each : docks()) {
            window.showDock(QString::fromLatin1(each.name));
            QTest::qWait(20); // views fill when they are seen
            unnamed |= unnamedIn(window);
        }
        return unnamed;
    }

    /// Keys go to the window that has the keyboard. Without a window manager none has it after a popup is closed.
    static QWindow *keyed()
    {
        (void)QTest::qWaitFor([] {
            if (QGuiApplication::focusWindow())
                return true;
            QWidget *last = QApplication::activeModalWidget();
            for (QWidget *each : QApplication::topLevelWidgets())
                if (!last && qobject_cast<MainWindow *>(each))
                    last = each;
            last->activateWindow();
            return QGuiApplication::focusWindow() != nullptr;
        });
        return QGuiApplication::focusWindow();
    }
    static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(keyed(), key, modifiers); }
    static void type(const QString &text)
    {
        for (const QChar letter : text)
            QTest::keyClick(keyed(), letter.toLatin1());
    }

    /// Acts as soon as a file dialog has the keyboard.
    void atDialog(std::function<void(QFileDialog &)> act)
    {
        auto *waiting = new QTimer(this);
        connect(waiting, &QTimer::timeout, this, [waiting, act = std::move(act)] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            if (!dialog || !dialog->isActiveWindow())
                return;
            waiting->deleteLater();
            waiting->stop();
            act(*dialog);
        });
        waiting->start(50);
    }

    static bool canOpen(const MainWindow &window)
    {
        const auto box = canvas(window).selectedBox();
        return box && canvas(window).picture()->box(*box).canOpen && !canvas(window).picture()->box(*box).open;
    }

    /// Whether a widget looks another way while it has the keyboard.
    static bool isSeen(QWidget &window, QWidget &focused)
    {
        constexpr int around = 3;
        const QRect place(focused.mapTo(&window, QPoint()) - QPoint(around, around),
                          focused.size() + QSize(2 * around, 2 * around));
        const QImage with = window.grab(place).toImage();
        focused.clearFocus();
        const QImage without = window.grab(place).toImage();
        focused.setFocus(Qt::TabFocusReason);
        return with != without;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestAccess)
#include "tst_access.moc"
