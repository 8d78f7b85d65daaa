// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source.h"

#include "core/ir/model_format.h"
#include "core/print/pages/source_page.h"
#include "views/appearance/theme.h"
#include "views/parts/latest_work.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/source_folders.h"
#include "views/source/code_edit.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {
namespace {

using Kind = print::PageName::Kind;

constexpr qsizetype maxCodeLength = 4'000'000; ///< characters; an editor with more text is slow
constexpr int caretPauseMs = 150;            ///< how long the caret has to rest; a held arrow key only passes the lines
constexpr std::size_t maxSearchedPages = 64; ///< at most so many texts are searched for the selected node
constexpr std::size_t maxNamedNodes = 6;

QString pageTitle(const ir::Model &model, const print::PageName &name)
{
    switch (name.kind) {
    case Kind::Graph:
        return QObject::tr("Graph");
    case Kind::Record:
        return ir::isOnnx(model) ? QObject::tr("ONNX's text form") : QObject::tr("The file's record");
    case Kind::Code:
        return shown(name.file);
    case Kind::Kernels:
        return QObject::tr("Inductor's code");
    case Kind::Python:
        break;
    }
    return shown(name.file).section('/', -3);
}

/// The text that was asked for, and the names of all texts.
struct Loaded {
    std::vector<print::PageName> names;
    std::size_t chosen = 0;
    Result<print::SourcePage> page = cancelled();
};

struct PageRequest {
    SharedModel model;
    ir::FunctionId function;
    std::optional<print::PageName> name; ///< the text to load; nothing for the most useful one
    std::optional<ir::NodeId> node;      ///< the node to show; another text of the kind is loaded if only that has it
    std::vector<std::filesystem::path> folders;
};

bool hasLineOf(const Result<print::SourcePage> &page, ir::NodeId node)
{
    return page && std::ranges::contains(page->lines, node, &print::NodeLine::node);
}

Loaded load(const PageRequest &request, const std::stop_token &stop)
{
    Loaded loaded{print::pagesOf(*request.model, request.function)};
    const auto read = [&](std::size_t i) {
        loaded.chosen = i;
        loaded.page = print::sourcePage(*request.model, request.function, loaded.names[i], request.folders);
    };
    const auto wanted = request.name ? std::ranges::find(loaded.names, *request.name) : loaded.names.end();
    const auto code = std::ranges::find(loaded.names, Kind::Code, &print::PageName::kind);
    const auto kernels = std::ranges::find(loaded.names, Kind::Kernels, &print::PageName::kind);
    const auto graph = std::ranges::find(loaded.names, Kind::Graph, &print::PageName::kind);
    const auto own = code != loaded.names.end() ? code : kernels;
    const auto first = wanted != loaded.names.end() ? wanted : own != loaded.names.end() ? own : graph;
    read(std::size_t(first - loaded.names.begin()));
    const Kind kind = first->kind;
    if (!request.node || hasLineOf(loaded.page, *request.node) || (kind != Kind::Code && kind != Kind::Python))
        return loaded;
    const std::size_t count = std::min(loaded.names.size(), maxSearchedPages);
    Loaded other = loaded;
    for (std::size_t i = 0; i < count && !stop.stop_requested(); ++i)
        if (loaded.names[i].kind == kind && i != loaded.chosen) {
            other.chosen = i;
            other.page = print::sourcePage(*request.model, request.function, loaded.names[i], request.folders);
            if (hasLineOf(other.page, *request.node))
                return other;
        }
    return loaded;
}

class SourceView : public QWidget {
public:
    SourceView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_document(session.document()),
          m_navigation(session.navigation()),
          m_folders(session.sourceFolders()),
          m_pages(new QComboBox(this)),
          m_note(new QLabel(this)),
          m_code(new CodeEdit(this)),
          m_content(new WhenSeen(this, [this] { load(true); }))
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTools());
        column->addWidget(m_code, 1);
        m_code->setAccessibleName(tr("Source"));
        setFocusProxy(m_code);
        m_pause.setSingleShot(true);
        m_pause.setInterval(caretPauseMs);
        connect(&m_pause, &QTimer::timeout, this, [this] { goToLine(m_code->caretLine(), false); });
        connect(m_code, &CodeEdit::caretMoved, &m_pause, qOverload<>(&QTimer::start));
        connect(m_code, &CodeEdit::lineActivated, this, [this](int line) { goToLine(line, true); });
        connect(m_pages, &QComboBox::activated, this, [this] { load(false); });
        connect(&m_document, &Document::functionChanged, m_content, &WhenSeen::refresh);
        connect(&m_document, &Document::stateChanged, m_content, &WhenSeen::refresh);
        connect(&m_folders, &SourceFolders::changed, m_content, &WhenSeen::refresh);
        connect(&m_navigation, &Navigation::selectionChanged, this, [this] { follow(); });
    }

private:
    QLayout *makeTools()
    {
        m_pages->setAccessibleName(tr("Text"));
        m_pages->setToolTip(tr("Displayed text"));
        m_pages->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_pages->setMinimumContentsLength(36);
        m_note->setTextFormat(Qt::PlainText);
        m_note->setForegroundRole(QPalette::PlaceholderText);
        m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        auto *folders = new QToolButton(this);
        folders->setText(tr("Folders ▾"));
        folders->setToolTip(tr("Where to look for the Python files named in the model"));
        folders->setPopupMode(QToolButton::InstantPopup);
        auto *menu = new QMenu(tr("Folders"), folders);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillFolders(*menu); });
        folders->setMenu(menu);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(m_pages);
        row->addWidget(m_note, 1);
        row->addWidget(folders);
        return row;
    }

    void fillFolders(QMenu &menu)
    {
        menu.clear();
        menu.addAction(tr("Add a folder…"), this, [this] {
            const QString path = QFileDialog::getExistingDirectory(this, tr("Folder with Python files"));
            if (!path.isEmpty() && !m_folders.paths().contains(path))
                m_folders.setPaths(m_folders.paths() + QStringList{path});
        });
        for (const QString &path : m_folders.paths())
            menu.addAction(tr("Remove %1").arg(path), this, [this, path] {
                QStringList left = m_folders.paths();
                left.removeAll(path);
                m_folders.setPaths(left);
            });
    }

    /// Loads the chosen text or, with `asSelected`, another one of its kind if only that has the selected node.
    void load(bool asSelected)
    {
        PageRequest request{m_document.models().shown.model, m_document.functionId(), {}, {}, {}};
        if (const int i = m_pages->currentIndex(); i >= 0 && std::size_t(i) < m_names.size())
            request.name = m_names[std::size_t(i)];
        if (asSelected)
            request.node = m_navigation.selectedNode();
        for (const QString &path : m_folders.paths())
            request.folders.emplace_back(path.toStdString());
        m_work.request([this, request](const std::stop_token &stop) -> LatestWork::Finish {
            auto loaded = std::make_shared<Loaded>(views::load(request, stop));
            if (stop.stop_requested())
                return {};
            return [this, loaded, model = request.model] { show(*model, *loaded); };
        });
    }

    void show(const ir::Model &model, const Loaded &loaded)
    {
        if (m_names != loaded.names) {
            m_names = loaded.names;
            m_pages->clear();
            for (const print::PageName &name : m_names) {
                m_pages->addItem(pageTitle(model, name));
                m_pages->setItemData(m_pages->count() - 1, shown(name.file), Qt::ToolTipRole);
            }
        }
        m_pages->setCurrentIndex(int(loaded.chosen));
        m_lines.clear();
        m_pageNote = loaded.page ? shown(loaded.page->note) : sentence(shown(loaded.page.error().text()));
        if (!loaded.page && m_names[loaded.chosen].kind == Kind::Python)
            m_pageNote += tr(" “Folders” adds one.");
        QString text = loaded.page ? shown(loaded.page->text, true) : QString();
        if (text.size() > maxCodeLength) {
            const qsizetype lineEnd = text.lastIndexOf('\n', maxCodeLength);
            text.truncate(lineEnd > 0 ? lineEnd : maxCodeLength);
            m_pageNote = tr("Text truncated.");
        }
        m_code->setCode(text, loaded.page ? QString::fromUtf8(loaded.page->syntax) : QString());
        if (loaded.page)
            for (const print::NodeLine &each : loaded.page->lines)
                if (int(each.line) <= m_code->blockCount())
                    m_lines.push_back(each);
        m_loaded = true;
        follow();
    }

    /// Marks the lines of the selected node.
    void follow()
    {
        if (!isVisible() || !m_loaded)
            return;
        const auto node = m_navigation.selectedNode();
        std::vector<int> lines;
        for (const print::NodeLine &each : m_lines)
            if (node && each.node == *node)
                lines.push_back(int(each.line));
        m_code->mark(lines);
        if (node && lines.empty() && mayBeElsewhere(*node)) {
            m_searched = node;
            load(true);
        }
        tell(node);
    }

    /// Whether other texts of the chosen text's kind are to be searched for a node: only if the kind is code or Python,
    /// and not twice in a row for the same node.
    bool mayBeElsewhere(ir::NodeId node) const
    {
        const int i = m_pages->currentIndex();
        return m_searched != node && i >= 0 && std::size_t(i) < m_names.size()
            && (m_names[std::size_t(i)].kind == Kind::Code || m_names[std::size_t(i)].kind == Kind::Python);
    }

    std::vector<ir::NodeId> nodesOf(int line) const
    {
        std::vector<ir::NodeId> nodes;
        for (const auto &each : std::ranges::equal_range(m_lines, std::uint32_t(line), {}, &print::NodeLine::line))
            nodes.push_back(each.node);
        return nodes;
    }

    /// Selects the node of a line: of several the first, or with `goesOn` the one after the selected one.
    void goToLine(int line, bool goesOn)
    {
        const std::vector<ir::NodeId> nodes = nodesOf(line);
        if (nodes.empty())
            return tell({});
        const auto selected = m_navigation.selectedNode();
        const auto at = selected ? std::ranges::find(nodes, *selected) : nodes.end();
        if (at == nodes.end())
            m_navigation.reveal(nodes.front());
        else if (goesOn && nodes.size() > 1)
            m_navigation.reveal(std::next(at) == nodes.end() ? nodes.front() : *std::next(at));
        tell(m_navigation.selectedNode());
    }

    /// Shows the nodes of the caret's line if it has several and one of them is selected, else the note on the text.
    void tell(std::optional<ir::NodeId> selected)
    {
        const std::vector<ir::NodeId> nodes = nodesOf(m_code->caretLine());
        QString text = m_pageNote;
        if (selected && nodes.size() > 1 && std::ranges::contains(nodes, *selected)) {
            QStringList names;
            const ir::Graph &graph = m_document.function().graph;
            for (std::size_t i = 0; i < std::min(nodes.size(), maxNamedNodes); ++i)
                names << shown(ir::NodeRef(graph, nodes[i]).name());
            names.removeAll(QString());
            text = tr("Line %1: %2 (Enter: next)")
                       .arg(m_code->caretLine())
                       .arg(counted(static_cast<long long>(nodes.size()), "node", "nodes"));
            if (!names.isEmpty())
                text += ": " + names.join(", ") + (nodes.size() > maxNamedNodes ? " …" : "");
        }
        m_note->setText(text);
        m_note->setToolTip(toolTipText(text));
    }

    const Document &m_document;
    Navigation &m_navigation;
    SourceFolders &m_folders;
    QComboBox *m_pages;
    QLabel *m_note;
    CodeEdit *m_code;
    WhenSeen *m_content;
    std::vector<print::PageName> m_names; ///< by index of m_pages
    std::vector<print::NodeLine> m_lines; ///< the nodes of the text that is shown, by line
    QString m_pageNote;
    std::optional<ir::NodeId> m_searched; ///< the last node that other texts were searched for
    bool m_loaded = false;
    QTimer m_pause;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace

QWidget *makeSourceView(Session &session, QWidget *parent) { return new SourceView(session, parent); }

} // namespace cutaway::views
