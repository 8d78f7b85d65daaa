// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/writing/picture_dialog.h"
#include "app/desktop/writing/writing.h"

class QPrinter;

namespace cutaway::views {
class Canvas;
class Session;
} // namespace cutaway::views

namespace cutaway::desktop {

class Docking;
class Pages;

/// Exports, copies and prints what the page in front shows: pictures of the graph, the report, differences, tables.
class Exports : public QObject {
    Q_OBJECT

public:
    Exports(QWidget &window, const Pages &pages, const Docking &docks, Writing &writing, Status &status);

    bool isBusy() const { return m_writing.isBusy(); }

    // The following functions ask for a file. exportPicture() does nothing without a graph, the others need a model.

    void exportPicture();
    void exportReport();
    void exportPage();
    void exportDifferences();
    void exportTraceComparison();
    /// Writes a picture for each step of the passes. Precondition: passes have run.
    void exportSteps();

    /// Writes the picture of the visible graph and, unless `reportPath` is "", the report. The outcome is shown in the
    /// status bar, or an error in a message box.
    void writePicture(const QString &path, const PictureChoice &choice, const QString &reportPath = {});
    /// Writes the report as html, md, csv or json, as the suffix says. The outcome is shown as by writePicture().
    void writeReport(const QString &path);
    /// Writes the interactive page with the states of passes that have run. The outcome is shown as by writePicture().
    void writePage(const QString &path);
    /// Writes the differences from the compared model in the form that the suffix names: html, md, json, diff or txt.
    /// The outcome is shown as by writePicture(). Precondition: the differences are computed.
    void writeDifferences(const QString &path);

    /// Writes how two traces differ in the form that the suffix names: html, md, csv or json. The outcome is shown as
    /// by writePicture(). Precondition: two traces are compared.
    void writeTraceComparison(const QString &path);

    void copyPicture();
    /// Copies the table that has the keyboard focus, or else a visible one.
    void copyTable();
    void print();
    /// Paints the visible part of the graph on one page, in light colours.
    void printOn(QPrinter &printer) const;

private:
    views::Session &session() const;
    views::Canvas *canvas() const;

    QWidget &m_window;
    const Pages &m_pages;
    const Docking &m_docks;
    Writing &m_writing;
    Status &m_status;
    PictureChoice m_choice; ///< what the user has chosen last
};

} // namespace cutaway::desktop
