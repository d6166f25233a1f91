import type {
  RequestKey,
  RequestStore,
  ServedRunRow,
  ServedRunStore,
  ServerStore,
  StoredRequest,
  TokenRow,
  TokenStore,
} from '#main/store/server-store.ts';

/** A store that is gone with the process. */
export function memoryStore(): ServerStore {
  return {
    tokens: memoryTokens(),
    requests: memoryRequests(),
    runs: memoryRuns(),
    check: async () => undefined,
    close: async () => undefined,
  };
}

function memoryTokens(): TokenStore {
  const rows = new Map<string, TokenRow>();
  return {
    async create(row) {
      rows.set(row.id, row);
    },
    find: async (id) => rows.get(id) ?? null,
    async list(limit, before) {
      const newest = [...rows.values()].reverse();
      const from = before === null ? 0 : newest.findIndex(({ id }) => id === before) + 1;
      return newest.slice(from, from + limit);
    },
    revoke: async (id) => rows.delete(id),
  };
}

function memoryRequests(): RequestStore {
  const rows = new Map<string, { row: StoredRequest; created_at: number }>();
  const textOf = ({ token_id, route, key }: RequestKey) => JSON.stringify([token_id, route, key]);
  const change = (key: RequestKey, changes: Partial<StoredRequest>) => {
    const entry = rows.get(textOf(key));
    if (entry) entry.row = { ...entry.row, ...changes };
  };
  return {
    async begin(key, bodyHash, now) {
      const known = rows.get(textOf(key));
      if (known) return known.row;
      rows.set(textOf(key), { row: { body_hash: bodyHash, intent: null, answer: null, in_progress: false }, created_at: now });
      return null;
    },
    renew: async () => undefined,
    note: async (key, intent) => change(key, { intent }),
    finish: async (key, answer) => change(key, { answer }),
    async forget(key) {
      rows.delete(textOf(key));
    },
    async forgetBefore(time) {
      for (const [key, entry] of rows) if (entry.created_at < time) rows.delete(key);
    },
  };
}

function memoryRuns(): ServedRunStore {
  const rows = new Map<string, ServedRunRow>();
  return {
    async set(row) {
      rows.set(row.run_id, row);
    },
    get: async (runId) => rows.get(runId) ?? null,
    async setDriven(runId, driven) {
      const row = rows.get(runId);
      if (row) rows.set(runId, { ...row, driven });
    },
    driven: async (server) => [...rows.values()].filter((row) => row.driven && row.server === server),
    async remove(runId) {
      rows.delete(runId);
    },
  };
}
