// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/saved_session.h"

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"

#include <cmath>

namespace cutaway::desktop {
namespace {

constexpr std::string_view sessionSchema = "cutaway.session/1";
constexpr std::size_t maxSessionBytes = std::size_t{256} << 20; ///< more than a profile of a million nodes

using ir::Json;
using ir::JsonReader;

void writeTexts(JsonWriter &json, std::string_view name, const std::vector<std::string> &texts)
{
    json.key(name);
    json.beginArray();
    for (const std::string &text : texts)
        json.value(text);
    json.endArray();
}

void writeView(JsonWriter &json, const SavedSession &session)
{
    json.key("open");
    json.beginArray();
    for (const SavedSubject &box : session.open)
        write(json, box);
    json.endArray();
    if (!session.hidden.empty())
        writeTexts(json, "hidden", session.hidden);
    if (session.selected) {
        json.key("selected");
        write(json, *session.selected);
    }
    if (!session.colouring.empty())
        json.member("colour_by", session.colouring);
    if (!session.view)
        return;
    json.key("view");
    json.beginObject();
    json.member("x", session.view->x);
    json.member("y", session.view->y);
    json.member("zoom", session.view->zoom);
    json.endObject();
}

void writePasses(JsonWriter &json, const SavedSession &session)
{
    if (!session.pipeline.empty()) {
        json.key("pipeline");
        json.raw(session.pipeline);
    }
    if (session.step)
        json.member("step", *session.step);
}

void writeSessionTimes(JsonWriter &json, const SavedSession::Times &times)
{
    json.key("times");
    json.beginObject();
    json.member("how", times.how);
    writeTexts(json, "given", times.given);
    json.key("profile");
    json.raw(times.profile);
    json.endObject();
}

void writeValues(JsonWriter &json, const SavedSession::Values &values)
{
    json.key("values");
    json.beginObject();
    json.member("how", values.how);
    writeTexts(json, "given", values.given);
    json.key("run");
    json.raw(values.run);
    if (!values.errors.empty())
        json.member("errors", values.errors);
    json.endObject();
}

void writeBookmarks(JsonWriter &json, const std::vector<SavedSession::Mark> &bookmarks)
{
    json.key("bookmarks");
    json.beginArray();
    for (const SavedSession::Mark &each : bookmarks) {
        json.beginObject();
        json.member("function", each.function);
        json.key("on");
        write(json, each.subject);
        json.member("note", each.note);
        json.endObject();
    }
    json.endArray();
}

/// Writes a session without its schema and without the sessions beside it.
void writeOwn(JsonWriter &json, const SavedSession &session)
{
    json.member("file", session.file);
    if (!session.row.empty())
        writeTexts(json, "row", session.row);
    json.member("function", session.function);
    writeView(json, session);
    writeTexts(json, "bindings", session.bindings);
    writeTexts(json, "inputs", session.inputs);
    json.member("device", session.device);
    writePasses(json, session);
    if (!session.data.empty())
        json.member("node_data", session.data);
    if (!session.compared.empty())
        json.member("compared_with", session.compared);
    if (!session.trace.empty())
        json.member("trace", session.trace);
    if (!session.against.empty())
        json.member("against", session.against);
    writeBookmarks(json, session.bookmarks);
    if (session.times)
        writeSessionTimes(json, *session.times);
    if (session.values)
        writeValues(json, *session.values);
}

void writeBeside(JsonWriter &json, const SavedSession &session)
{
    json.key("beside");
    json.beginArray();
    for (const SavedSession &each : session.beside) {
        json.beginObject();
        writeOwn(json, each);
        json.endObject();
    }
    json.endArray();
    json.member("in_step", session.inStep);
}

std::vector<std::string> readTexts(JsonReader &reader, const Json &json, const char *key)
{
    std::vector<std::string> texts;
    reader.items(json, key, [&](const Json &text) { texts.push_back(reader.text(text)); });
    return texts;
}

double readCoordinate(JsonReader &reader, const Json &json, const char *key)
{
    double number = 0;
    reader.member(json, key, [&](const Json &found) {
        if (!found.is_number())
            return reader.fail(found, "a number");
        number = found.get<double>();
    });
    return number;
}

SavedSession::View readView(JsonReader &reader, const Json &json)
{
    const SavedSession::View view{readCoordinate(reader, json, "x"), readCoordinate(reader, json, "y"),
                                  readCoordinate(reader, json, "zoom")};
    if (!(view.zoom > 0))
        reader.failWith("the zoom is not above 0");
    return view;
}

SavedSession readOwn(JsonReader &reader, const Json &json)
{
    SavedSession session;
    session.file = reader.text(json, "file");
    session.row = readTexts(reader, json, "row");
    session.function = reader.text(json, "function");
    reader.items(json, "open", [&](const Json &box) { session.open.push_back(readSubject(reader, box)); });
    session.hidden = readTexts(reader, json, "hidden");
    reader.member(json, "selected", [&](const Json &subject) { session.selected = readSubject(reader, subject); });
    reader.member(json, "colour_by", [&](const Json &measure) { session.colouring = reader.text(measure); });
    reader.member(json, "node_data", [&](const Json &file) { session.data = reader.text(file); });
    reader.member(json, "compared_with", [&](const Json &file) { session.compared = reader.text(file); });
    reader.member(json, "trace", [&](const Json &file) { session.trace = reader.text(file); });
    reader.member(json, "against", [&](const Json &file) { session.against = reader.text(file); });
    reader.member(json, "view", [&](const Json &view) { session.view = readView(reader, view); });
    session.bindings = readTexts(reader, json, "bindings");
    session.inputs = readTexts(reader, json, "inputs");
    session.device = reader.text(json, "device");
    reader.member(json, "pipeline", [&](const Json &pipeline) { session.pipeline = pipeline.dump(); });
    if (json.is_object() && json.contains("step"))
        session.step = reader.natural(json, "step");
    reader.member(json, "times", [&](const Json &times) {
        session.times = {{}, reader.text(times, "how"), readTexts(reader, times, "given")};
        reader.member(times, "profile", [&](const Json &profile) { session.times->profile = profile.dump(); });
    });
    reader.member(json, "values", [&](const Json &values) {
        session.values = {{}, {}, reader.text(values, "how"), readTexts(reader, values, "given")};
        reader.member(values, "run", [&](const Json &run) { session.values->run = run.dump(); });
        reader.member(values, "errors", [&](const Json &errors) { session.values->errors = reader.text(errors); });
    });
    reader.items(json, "bookmarks", [&](const Json &mark) {
        SavedSession::Mark read{reader.text(mark, "function"), {}, reader.text(mark, "note")};
        reader.member(mark, "on", [&](const Json &subject) { read.subject = readSubject(reader, subject); });
        session.bookmarks.push_back(std::move(read));
    });
    return session;
}

SavedSession readDocument(JsonReader &reader, const Json &json)
{
    SavedSession session = readOwn(reader, json);
    reader.items(json, "beside", [&](const Json &each) { session.beside.push_back(readOwn(reader, each)); });
    reader.member(json, "in_step", [&](const Json &inStep) {
        if (!inStep.is_boolean())
            return reader.fail(inStep, "true or false");
        session.inStep = inStep.get<bool>();
    });
    return session;
}

} // namespace

SavedSession sessionOfFile(std::string file, std::vector<std::string> row)
{
    SavedSession session;
    session.file = std::move(file);
    session.row = std::move(row);
    return session;
}

std::string printSession(const SavedSession &session)
{
    JsonWriter json;
    json.beginObject();
    json.member("schema", sessionSchema);
    writeOwn(json, session);
    if (!session.beside.empty())
        writeBeside(json, session);
    json.endObject();
    return json.take() + "\n";
}

Result<SavedSession> parseSession(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return unreadable("the session is not JSON");
    JsonReader reader;
    const std::string schema = reader.text(json, "schema");
    if (!reader.failed() && schema != sessionSchema)
        return unreadable(formatted("the session is of the schema '{}', not '{}'", sanitized(schema), sessionSchema));
    SavedSession session = readDocument(reader, json);
    if (reader.failed())
        return std::unexpected(*reader.error());
    return session;
}

Result<SavedSession> readSession(const std::filesystem::path &path)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto bytes = file.bytes();
    if (bytes.size() > maxSessionBytes)
        return unreadable(formatted("the session has {} bytes, more than {}", bytes.size(), maxSessionBytes));
    auto session = parseSession({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    CUTAWAY_RETURN_IF_ERROR(file.checkUnchanged());
    return session;
}

} // namespace cutaway::desktop
