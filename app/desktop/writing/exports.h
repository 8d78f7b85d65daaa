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

    // The following functions ask for a file. Without a graph, nothing happens.

    void exportPicture();
    void exportReport();
    void exportPage();
    void exportDifferences();
    void exportTraceComparison();
    /// A picture for each step of the passes. Precondition: they have run.
    void exportSteps();

    /// Writes the picture of the graph that is in sight and, unless `reportPath` is "", the report, and later tells in
    /// the status bar or a message how it went.
    void writePicture(const QString &path, const PictureChoice &choice, const QString &reportPath = {});
    /// Writes the report as writePicture() writes a picture, in the form that the suffix names: html, md, csv or json.
    void writeReport(const QString &path);
    /// Writes the interactive page, with the states of the passes that have run, as writePicture() writes a picture.
    void writePage(const QString &path);
    /// Writes the differences from the compared model as writePicture() writes a picture: html, md, json, diff or txt.
    /// Precondition: there are computed differences.
    void writeDifferences(const QString &path);

    /// Writes how two traces differ as writePicture() writes a picture: html, md, csv or json.
    /// Precondition: two traces are compared.
    void writeTraceComparison(const QString &path);

    void copyPicture();
    /// Copies the table that is in sight or has the keyboard.
    void copyTable();
    void print();
    /// Paints the part of the graph that is in sight on one page, in light colours.
    void printOn(QPrinter &printer) const;

private:
    views::Session &session() const;
    views::Canvas *canvas() const;

    QWidget &m_window;
    const Pages &m_pages;
    const Docking &m_docks;
    Writing &m_writing;
    Status &m_status;
    PictureChoice m_choice; ///< as made last
};

} // namespace cutaway::desktop
