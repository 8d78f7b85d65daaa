-- SPDX-FileCopyrightText: The Cutaway authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a survey writes; docs/survey.md explains it. Adding a table or a view keeps the version of the schema: it is made in a
-- database that an earlier program made. Another meaning is a new version, into which core/survey/database/schema.cpp brings
-- the older ones.
CREATE TABLE IF NOT EXISTS survey (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS models (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,       -- of the file
  modified INTEGER NOT NULL,    -- nanoseconds since 1970
  program TEXT NOT NULL,        -- the version of Cutaway; '': one that kept less, so that the model is looked at again
  state TEXT NOT NULL,          -- read, unreadable, crashed, timed out, out of memory
  message TEXT NOT NULL,        -- why it was not read
  graph TEXT NOT NULL,          -- SHA-256 of the text of the main graph, with its names and source lines
  format TEXT NOT NULL, format_version TEXT NOT NULL,
  producer TEXT NOT NULL, producer_version TEXT NOT NULL,
  inputs TEXT NOT NULL, outputs TEXT NOT NULL,
  nodes INTEGER NOT NULL,
  parameters INTEGER NOT NULL,  -- elements
  weight_bytes INTEGER NOT NULL,
  seconds REAL NOT NULL,        -- to read and analyse it
  memory INTEGER NOT NULL       -- bytes, the most that the worker had had by then
);
CREATE TABLE IF NOT EXISTS opsets (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  domain TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (model, domain)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS functions (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL, nodes INTEGER NOT NULL, PRIMARY KEY (model, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS operators ( -- of the main graph
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  dialect TEXT NOT NULL, name TEXT NOT NULL, overload TEXT NOT NULL,
  count INTEGER NOT NULL,
  flops INTEGER,                -- of all of them; NULL: not known
  PRIMARY KEY (model, dialect, name, overload)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS modules (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  position INTEGER NOT NULL, path TEXT NOT NULL, class TEXT NOT NULL,
  parameters INTEGER NOT NULL,  -- those of its children included
  PRIMARY KEY (model, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS symbols (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  name TEXT NOT NULL, min INTEGER, max INTEGER, PRIMARY KEY (model, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS diagnostics (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  severity TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL,
  count INTEGER NOT NULL,       -- the message is that of the first
  PRIMARY KEY (model, severity, code)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS costs (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  request TEXT NOT NULL,        -- the sizes and the device that were given; '': none
  flops INTEGER, flops_formula TEXT NOT NULL, flops_at_least INTEGER,
  other_flops INTEGER, other_flops_formula TEXT NOT NULL, other_flops_at_least INTEGER,
  peak_bytes INTEGER, peak_bytes_formula TEXT NOT NULL, peak_bytes_at_least INTEGER,
  flops_unknown INTEGER NOT NULL,   -- nodes
  shapes_unknown INTEGER NOT NULL,  -- results
  seconds REAL,                 -- at least, on the device
  PRIMARY KEY (model, request)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checks (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  name TEXT NOT NULL,           -- convert:onnx
  passed INTEGER,               -- 0, 1; NULL: there is no answer
  message TEXT NOT NULL,        -- why not
  PRIMARY KEY (model, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failed_requests (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  request TEXT NOT NULL,        -- with which it was not read; with others it may be
  state TEXT NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY (model, request)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS models_by_graph ON models (graph);
CREATE INDEX IF NOT EXISTS operators_by_name ON operators (name, dialect);
CREATE VIEW IF NOT EXISTS operator_use AS
  SELECT dialect, name, count(DISTINCT model) AS models, sum(count) AS nodes, sum(flops) AS flops
  FROM operators GROUP BY dialect, name ORDER BY models DESC, nodes DESC;
CREATE VIEW IF NOT EXISTS failures AS
  SELECT state, message, count(*) AS models, min(path) AS example
  FROM models WHERE state <> 'read' GROUP BY state, message ORDER BY models DESC;
CREATE VIEW IF NOT EXISTS failed_checks AS
  SELECT checks.name, path, passed, checks.message FROM checks JOIN models ON models.id = model
  WHERE passed IS NOT 1 ORDER BY checks.name, path;
CREATE VIEW IF NOT EXISTS largest AS
  SELECT path, bytes, parameters, nodes FROM models ORDER BY bytes DESC;
CREATE VIEW IF NOT EXISTS costliest AS
  SELECT path, request, flops, peak_bytes, costs.seconds FROM costs JOIN models ON models.id = model ORDER BY flops DESC;
CREATE VIEW IF NOT EXISTS same_graph AS
  SELECT graph, count(*) AS models, group_concat(path, char(10)) AS paths
  FROM models WHERE graph <> '' GROUP BY graph HAVING models > 1 ORDER BY models DESC;

-- What came later; it is made in the databases of older programs, too.
CREATE TABLE IF NOT EXISTS remote (   -- models that lie at a URL
  model INTEGER PRIMARY KEY REFERENCES models ON DELETE CASCADE,
  bytes_read INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS function_operators (   -- of the functions that the main one calls, and other main ones
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  function INTEGER NOT NULL,    -- its position in functions
  dialect TEXT NOT NULL, name TEXT NOT NULL, overload TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (model, function, dialect, name, overload)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS profiles (
  model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
  request TEXT NOT NULL,        -- as in costs
  machine TEXT NOT NULL,        -- its host name
  backend TEXT NOT NULL,        -- as it was asked for: torch, torch@cuda:0
  processor TEXT NOT NULL,      -- what it ran on
  state TEXT NOT NULL,          -- measured, refused, absent, timed out, crashed, lost
  message TEXT NOT NULL,        -- why it was not measured
  seconds REAL, p5 REAL, p95 REAL,  -- of a run: the median, and what 5 and 95 of 100 runs stay below
  runs INTEGER NOT NULL,
  peak_bytes INTEGER,           -- of the backend's process
  predicted REAL,               -- seconds that it takes at least, on the device of the request
  PRIMARY KEY (model, request, machine, backend)) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS profile_matrix AS
  SELECT path, machine, backend, request, profiles.state, profiles.message, profiles.seconds, predicted,
    profiles.seconds / predicted AS times_predicted
  FROM profiles JOIN models ON models.id = model ORDER BY path, machine, backend, request;
