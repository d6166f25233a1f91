/** Conversations of the workspace: their heads and holders, their entries, and up to where runs have read them. */
export const conversationTables = `
  CREATE TABLE kept_conversations (
    conversation TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    branch_of TEXT,
    branch_at INTEGER,
    branch_run TEXT,
    head INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    held_run TEXT,
    held_node TEXT,
    held_since REAL,
    dropped_at REAL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX kept_conversations_by_key ON kept_conversations (key) WHERE branch_of IS NULL;
  CREATE TABLE conversation_entries (
    conversation TEXT NOT NULL REFERENCES kept_conversations (conversation) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    entry_id TEXT NOT NULL,
    exchange TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    app_key TEXT,
    run_id TEXT NOT NULL,
    node TEXT NOT NULL,
    seq INTEGER NOT NULL,
    replaces_to INTEGER,
    tokens INTEGER NOT NULL,
    created_at REAL NOT NULL,
    completed_at REAL,
    PRIMARY KEY (conversation, position),
    UNIQUE (conversation, entry_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX summaries_by_position ON conversation_entries (conversation, position) WHERE kind = 'summary';
  CREATE INDEX conversation_entries_by_key ON conversation_entries (conversation, app_key) WHERE app_key IS NOT NULL;
  CREATE TABLE conversation_reads (
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    base INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
`;

/** Runs that wait for a conversation, in the order in which they came. A run that is no longer driven keeps its place and delays no other run. */
export const conversationQueue = `
  CREATE TABLE conversation_queue (
    place INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES kept_conversations (conversation) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    node TEXT NOT NULL,
    since REAL NOT NULL,
    UNIQUE (conversation, run)
  ) STRICT;
`;
