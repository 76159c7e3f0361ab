-- Schema version 1. Frozen once released: later versions are further steps in migrations.py.
-- Every table carries `garden` as the first part of its key, so that no two gardens can meet.
-- Times are epoch milliseconds, UTC; lists are JSON arrays; flags are 0 or 1.

CREATE TABLE projects (
    garden  TEXT NOT NULL,
    id      TEXT NOT NULL,
    name    TEXT NOT NULL,
    root    TEXT,
    remote  TEXT,
    aliases TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (garden, id)
) STRICT;
CREATE UNIQUE INDEX projects_root ON projects (garden, root) WHERE root IS NOT NULL;

CREATE TABLE windows (
    garden           TEXT NOT NULL,
    id               TEXT NOT NULL, -- <source>:<native id>
    source           TEXT NOT NULL,
    native_id        TEXT NOT NULL,
    cwd              TEXT,
    project          TEXT,
    title            TEXT,
    parent           TEXT,
    kind             TEXT NOT NULL DEFAULT 'main' CHECK (kind IN ('main', 'subagent', 'own')),
    locator          TEXT,
    first_event_at   INTEGER,
    last_event_at    INTEGER, -- activity: own text and replays do not count
    first_speech_at  INTEGER,
    last_speech_at   INTEGER,
    last_seq         INTEGER NOT NULL DEFAULT 0,
    last_speech_seq  INTEGER NOT NULL DEFAULT 0,
    baseline         INTEGER, -- set for a window that was old at adoption
    dreamed_seq      INTEGER NOT NULL DEFAULT 0, -- the watermark
    rev              INTEGER NOT NULL DEFAULT 0,
    skip             INTEGER NOT NULL DEFAULT 0 CHECK (skip IN (0, 1)),
    archived         INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    PRIMARY KEY (garden, id),
    CHECK (dreamed_seq <= last_seq),
    CHECK (last_speech_seq <= last_seq)
) STRICT;
CREATE INDEX windows_activity ON windows (garden, last_event_at);
CREATE INDEX windows_native ON windows (garden, native_id);
-- What a sweep looks through: its cost follows the windows with news, not all windows.
CREATE INDEX windows_news ON windows (garden, last_event_at)
    WHERE last_speech_seq > dreamed_seq AND kind = 'main';

CREATE TABLE events (
    garden      TEXT NOT NULL,
    window      TEXT NOT NULL,
    seq         INTEGER NOT NULL,
    native_id   TEXT,
    at          INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    role        TEXT NOT NULL
                -- compared one by one: for a list of more than two SQLite builds a table for each row
                CHECK (role = 'human' OR role = 'script' OR role = 'assistant' OR role = 'tool'
                    OR role = 'system' OR role = 'own' OR role = 'replay'),
    text        TEXT NOT NULL,
    pasted      TEXT NOT NULL DEFAULT '[]',
    tool        TEXT,
    replaces    INTEGER, -- seq of the event that this one corrects
    PRIMARY KEY (garden, window, seq),
    FOREIGN KEY (garden, window) REFERENCES windows (garden, id),
    CHECK (at <= received_at)
) STRICT;
CREATE INDEX events_native ON events (garden, native_id) WHERE native_id IS NOT NULL;
CREATE INDEX events_replaces ON events (garden, window, replaces) WHERE replaces IS NOT NULL;
CREATE INDEX events_speech ON events (garden, window, seq, at)
    WHERE (role = 'human' OR role = 'script' OR role = 'assistant');
CREATE TRIGGER events_immutable BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events never change: an edit is a new event');
END;

CREATE TABLE cursors (
    garden      TEXT NOT NULL,
    source      TEXT NOT NULL,
    path        TEXT NOT NULL,
    identity    TEXT NOT NULL,
    offset      INTEGER NOT NULL,
    size        INTEGER NOT NULL,
    mtime_ns    INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    lines       INTEGER NOT NULL,
    unreadable  INTEGER NOT NULL,
    window      TEXT, -- null: not ours
    PRIMARY KEY (garden, source, path)
) STRICT;

CREATE TABLE memories (
    garden        TEXT NOT NULL,
    id            TEXT NOT NULL,
    layer         TEXT NOT NULL
                  CHECK (layer IN ('soul', 'user', 'project', 'fact', 'lesson', 'topic', 'rules')),
    title         TEXT,
    content       TEXT NOT NULL,
    keywords      TEXT NOT NULL DEFAULT '[]',
    keywords_auto INTEGER NOT NULL DEFAULT 0 CHECK (keywords_auto IN (0, 1)),
    importance    INTEGER NOT NULL DEFAULT 1 CHECK (importance BETWEEN 1 AND 4),
    status        TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'stale', 'archived')),
    status_at     INTEGER NOT NULL,
    scope         TEXT NOT NULL DEFAULT 'unset', -- global, unset, or project ids joined by commas
    bucket        TEXT,
    threads       TEXT NOT NULL DEFAULT '[]',
    origin        TEXT NOT NULL,
    subcategory   TEXT,
    goal          TEXT,
    corrected     INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1)),
    card          TEXT,
    source_window TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL, -- the content changed
    as_of         INTEGER NOT NULL, -- time of the newest evidence
    occurred_at   INTEGER,
    superseded_by TEXT,
    revision      INTEGER NOT NULL DEFAULT 1 CHECK (revision >= 1),
    PRIMARY KEY (garden, id),
    FOREIGN KEY (garden, superseded_by) REFERENCES memories (garden, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX memories_layer ON memories (garden, status, layer, created_at, id);
CREATE INDEX memories_project ON memories (garden, scope, status)
    WHERE scope NOT IN ('global', 'unset');
-- What the first-turn block looks through, the weightiest first.
CREATE INDEX memories_weight ON memories (garden, layer, importance DESC, as_of DESC, id)
    WHERE status = 'active';
CREATE INDEX memories_source ON memories (garden, source_window) WHERE source_window IS NOT NULL;
CREATE INDEX memories_successor ON memories (garden, superseded_by) WHERE superseded_by IS NOT NULL;

-- The index over memories: how much of a score each of their terms is worth. Whatever writes a memory or a quote puts
-- the memory into the queue, and the same transaction takes it out again; term and memory go by number.
CREATE TABLE index_state (
    garden   TEXT NOT NULL PRIMARY KEY,
    version  TEXT NOT NULL, -- the rules by which texts became terms
    building INTEGER NOT NULL CHECK (building IN (0, 1)),
    memories INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE index_memories (
    number     INTEGER PRIMARY KEY,
    garden     TEXT NOT NULL,
    memory     TEXT NOT NULL,
    revision   INTEGER NOT NULL, -- of the memory when it was read
    layer      TEXT NOT NULL,
    status     TEXT NOT NULL,
    scope      TEXT NOT NULL,
    importance INTEGER NOT NULL,
    as_of      INTEGER NOT NULL,
    said       INTEGER NOT NULL, -- terms by which the content is compared with others
    frame      INTEGER NOT NULL,
    UNIQUE (garden, memory)
) STRICT;

-- Apart from them, as only a writer asks for it and rows that are looked up by the hundred should be short.
CREATE TABLE index_contents (
    memory INTEGER PRIMARY KEY,
    terms  TEXT NOT NULL -- their numbers
) STRICT;

CREATE TABLE index_terms (
    number     INTEGER PRIMARY KEY,
    garden     TEXT NOT NULL,
    term       TEXT NOT NULL,
    memories   INTEGER NOT NULL, -- how many have it
    most_cues  INTEGER NOT NULL, -- no impact is greater; forgetting a memory lowers none
    most_whole INTEGER NOT NULL,
    UNIQUE (garden, term)
) STRICT;

-- In all of a memory, and in its cues alone: what a message is compared with has few of the postings.
CREATE TABLE index_postings (
    term    INTEGER NOT NULL,
    retired INTEGER NOT NULL CHECK (retired IN (0, 1)), -- the memory is not active
    memory  INTEGER NOT NULL,
    impact  INTEGER NOT NULL,
    PRIMARY KEY (term, retired, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE index_cues (
    term    INTEGER NOT NULL,
    retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
    memory  INTEGER NOT NULL,
    impact  INTEGER NOT NULL,
    PRIMARY KEY (term, retired, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE index_queue (
    garden TEXT NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (garden, memory)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER memories_written AFTER INSERT ON memories BEGIN
    INSERT INTO index_queue (garden, memory) VALUES (NEW.garden, NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER memories_rewritten AFTER UPDATE ON memories BEGIN
    INSERT INTO index_queue (garden, memory) VALUES (NEW.garden, NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO index_queue (garden, memory) VALUES (OLD.garden, OLD.id) ON CONFLICT DO NOTHING;
END;

CREATE TABLE memory_use (
    garden         TEXT NOT NULL,
    memory         TEXT NOT NULL,
    hits           INTEGER NOT NULL DEFAULT 0,
    last_access_at INTEGER,
    PRIMARY KEY (garden, memory),
    FOREIGN KEY (garden, memory) REFERENCES memories (garden, id)
) STRICT;

CREATE TABLE evidence (
    garden         TEXT NOT NULL,
    memory         TEXT NOT NULL,
    window         TEXT NOT NULL,
    event          INTEGER NOT NULL, -- its seq; quotes outlive their events
    span_start     INTEGER NOT NULL,
    span_end       INTEGER NOT NULL CHECK (span_end > span_start),
    role           TEXT NOT NULL,
    quote          TEXT NOT NULL,
    at             INTEGER NOT NULL,
    hash           TEXT NOT NULL,
    inherited_from TEXT,
    PRIMARY KEY (garden, memory, window, event, span_start, span_end),
    FOREIGN KEY (garden, memory) REFERENCES memories (garden, id)
) STRICT;

CREATE TRIGGER evidence_written AFTER INSERT ON evidence BEGIN
    INSERT INTO index_queue (garden, memory) VALUES (NEW.garden, NEW.memory) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER evidence_removed AFTER DELETE ON evidence BEGIN
    INSERT INTO index_queue (garden, memory) VALUES (OLD.garden, OLD.memory) ON CONFLICT DO NOTHING;
END;

CREATE TABLE memory_versions (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    garden    TEXT NOT NULL,
    memory    TEXT NOT NULL,
    revision  INTEGER NOT NULL,
    before    TEXT, -- the memory as JSON; null for its first version
    after     TEXT NOT NULL,
    operation TEXT NOT NULL,
    reason    TEXT,
    dream     TEXT,
    round     TEXT,
    actor     TEXT NOT NULL,
    at        INTEGER NOT NULL,
    UNIQUE (garden, memory, revision),
    FOREIGN KEY (garden, memory) REFERENCES memories (garden, id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX memory_versions_dream ON memory_versions (garden, dream) WHERE dream IS NOT NULL;
CREATE INDEX memory_versions_at ON memory_versions (garden, at);
CREATE TRIGGER memory_versions_immutable BEFORE UPDATE ON memory_versions BEGIN
    SELECT RAISE(ABORT, 'versions are append-only');
END;
-- History lives as long as its memory: only a purge, which removes the memory first, may go on.
CREATE TRIGGER memory_versions_kept BEFORE DELETE ON memory_versions
WHEN EXISTS (SELECT 1 FROM memories WHERE garden = OLD.garden AND id = OLD.memory) BEGIN
    SELECT RAISE(ABORT, 'versions are append-only');
END;

CREATE TABLE dreams (
    garden          TEXT NOT NULL,
    id              TEXT NOT NULL,
    window          TEXT NOT NULL,
    state           TEXT NOT NULL,
    manual          INTEGER NOT NULL DEFAULT 0 CHECK (manual IN (0, 1)),
    overrode        TEXT NOT NULL DEFAULT '[]',
    plan            TEXT,
    fence           INTEGER NOT NULL DEFAULT 0,
    owner           TEXT,
    lease_until     INTEGER,
    heartbeat_at    INTEGER,
    attempts        INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    failures        INTEGER NOT NULL DEFAULT 0,
    deaths          INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    reason          TEXT,
    error           TEXT,
    seal            INTEGER,
    from_seq        INTEGER NOT NULL DEFAULT 0,
    through_seq     INTEGER,
    created_at      INTEGER NOT NULL,
    started_at      INTEGER,
    finished_at     INTEGER,
    undone_at       INTEGER,
    PRIMARY KEY (garden, id),
    FOREIGN KEY (garden, window) REFERENCES windows (garden, id),
    CHECK (state IN
        ('pending', 'running', 'failed', 'quarantined', 'applied', 'empty', 'cancelled')),
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state = 'running') = (owner IS NOT NULL)),
    CHECK (state <> 'running' OR fence > 0),
    CHECK (state NOT IN ('pending', 'failed') OR next_attempt_at IS NOT NULL),
    CHECK (state <> 'quarantined' OR reason IS NOT NULL),
    CHECK ((state IN ('applied', 'empty', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK (through_seq IS NULL OR through_seq >= from_seq)
) STRICT;
CREATE UNIQUE INDEX dreams_open ON dreams (garden, window)
    WHERE state IN ('pending', 'running', 'failed', 'quarantined');
CREATE INDEX dreams_window ON dreams (garden, window, created_at, id);
CREATE INDEX dreams_created ON dreams (garden, created_at, id);
CREATE INDEX dreams_state ON dreams (garden, state, finished_at);

CREATE TABLE dream_rounds (
    garden      TEXT NOT NULL,
    dream       TEXT NOT NULL,
    name        TEXT NOT NULL CHECK (name IN ('atomic', 'topic', 'project')),
    position    INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'planned'
                CHECK (state IN ('planned', 'asked', 'answered', 'staged', 'skipped')),
    asks        INTEGER NOT NULL DEFAULT 0,
    prompt_hash TEXT,
    answer      TEXT,
    problems    TEXT NOT NULL DEFAULT '[]',
    operations  TEXT NOT NULL DEFAULT '[]',
    questions   TEXT NOT NULL DEFAULT '[]',
    summary     TEXT,
    review      INTEGER NOT NULL DEFAULT 0, -- operations that wait for a person
    model_calls INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (garden, dream, name),
    FOREIGN KEY (garden, dream) REFERENCES dreams (garden, id)
) STRICT;
CREATE INDEX dream_rounds_review ON dream_rounds (garden, dream) WHERE review > 0;

CREATE TABLE receipts (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    garden          TEXT NOT NULL,
    purpose         TEXT NOT NULL DEFAULT 'dream',
    dream           TEXT, -- null, as the round: asked for another purpose
    round           TEXT,
    ask             INTEGER NOT NULL,
    at              INTEGER NOT NULL,
    outcome         TEXT NOT NULL,
    prompt_chars    INTEGER NOT NULL,
    answer_chars    INTEGER NOT NULL,
    tokens_in       INTEGER,
    tokens_out      INTEGER,
    tokens_reported INTEGER NOT NULL CHECK (tokens_reported IN (0, 1)),
    duration_ms     INTEGER NOT NULL,
    phase           TEXT NOT NULL CHECK (phase IN ('peak', 'off_peak')),
    cost            TEXT, -- null: unknown
    currency        TEXT,
    model           TEXT,
    detail          TEXT,
    peak_cost       TEXT, -- what the same would have cost at peak
    counted         INTEGER NOT NULL DEFAULT 1 CHECK (counted IN (0, 1)), -- towards the budget
    FOREIGN KEY (garden, dream) REFERENCES dreams (garden, id),
    CHECK ((purpose = 'dream') = (dream IS NOT NULL)),
    CHECK ((dream IS NULL) = (round IS NULL))
) STRICT;
CREATE INDEX receipts_dream ON receipts (garden, dream);
CREATE INDEX receipts_at ON receipts (garden, at);

-- What recall knows of a window. Hooks fire before ingest, so the window may not be known yet. Each instant only
-- rises, so marks may come late, twice, and in any order.
CREATE TABLE window_recall (
    garden      TEXT NOT NULL,
    window      TEXT NOT NULL,
    anchor      TEXT, -- project
    anchored_at INTEGER,
    block_at    INTEGER,
    prompted_at INTEGER,
    released_at INTEGER, -- the last compaction: what was seen up to then may be shown again
    restored_at INTEGER, -- when what it took away was given back
    PRIMARY KEY (garden, window)
) STRICT;

CREATE TABLE window_projects (
    garden  TEXT NOT NULL,
    window  TEXT NOT NULL,
    project TEXT NOT NULL, -- whose panorama was asked for
    at      INTEGER NOT NULL,
    PRIMARY KEY (garden, window, project)
) STRICT;

CREATE TABLE window_memories (
    garden TEXT NOT NULL,
    window TEXT NOT NULL,
    memory TEXT NOT NULL,
    how    TEXT NOT NULL CHECK (how IN ('injected', 'searched', 'accessed', 'written')),
    at     INTEGER NOT NULL,
    PRIMARY KEY (garden, window, memory, how),
    FOREIGN KEY (garden, memory) REFERENCES memories (garden, id)
) STRICT;
CREATE INDEX window_memories_memory ON window_memories (garden, memory);

-- What each selection for a window gave, and why it left out the rest: counts, ids and words of ours, no content.
CREATE TABLE recalls (
    id     INTEGER PRIMARY KEY,
    garden TEXT NOT NULL,
    window TEXT NOT NULL, -- it may not have been read yet
    at     INTEGER NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX recalls_window ON recalls (garden, window, at);

CREATE TABLE idempotency (
    garden TEXT NOT NULL,
    key    TEXT NOT NULL,
    digest TEXT NOT NULL,
    result TEXT NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (garden, key)
) STRICT;
CREATE INDEX idempotency_at ON idempotency (garden, at);

CREATE TABLE garden_state (
    garden TEXT NOT NULL,
    key    TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (garden, key)
) STRICT;

-- The seven layers, with the columns that the ancestor's tables had, and the garden.
CREATE VIEW layer_rows AS
SELECT
    m.layer, m.id, m.title, m.content, m.importance, m.keywords, m.status,
    m.source_window AS source_session,
    coalesce(u.hits, 0) AS hit_count,
    m.created_at, m.updated_at,
    u.last_access_at AS last_accessed_at,
    CASE m.scope
        WHEN 'global' THEN 'global'
        WHEN 'unset' THEN NULL
        ELSE (
            SELECT group_concat(name, ',') FROM (
                SELECT p.name FROM projects AS p
                WHERE p.garden = m.garden AND instr(',' || m.scope || ',', ',' || p.id || ',') > 0
                ORDER BY p.name
            )
        )
    END AS project,
    m.subcategory, m.goal, m.corrected, m.garden
FROM memories AS m
LEFT JOIN memory_use AS u ON u.garden = m.garden AND u.memory = m.id;

CREATE VIEW soul AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, garden
FROM layer_rows WHERE layer = 'soul';

CREATE VIEW user AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, garden
FROM layer_rows WHERE layer = 'user';

CREATE VIEW project AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, coalesce(project, '') AS project, subcategory, garden
FROM layer_rows WHERE layer = 'project';

CREATE VIEW fact AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, project, garden
FROM layer_rows WHERE layer = 'fact';

CREATE VIEW lesson AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, corrected, project, garden
FROM layer_rows WHERE layer = 'lesson';

CREATE VIEW topic AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, goal, project, garden
FROM layer_rows WHERE layer = 'topic';

CREATE VIEW rules AS
SELECT id, title, content, importance, keywords, status, source_session, hit_count, created_at,
    updated_at, last_accessed_at, project, garden
FROM layer_rows WHERE layer = 'rules';
