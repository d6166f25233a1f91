import type {
  DeployedFlowStore,
  DeployedVersionRow,
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
    flows: memoryFlows(),
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
    takeOver: async () => undefined,
    askToPause: async () => undefined,
    toPause: async () => [],
    async remove(runId) {
      rows.delete(runId);
    },
    deployed: async (limit, before, folder = 'flow:') =>
      [...rows.values()]
        .filter((row) => (folder.endsWith('@') || folder === 'flow:' ? row.folder.startsWith(folder) : row.folder === folder))
        .filter(({ run_id }) => before === null || run_id < before)
        .sort((one, other) => (one.run_id < other.run_id ? 1 : -1))
        .slice(0, limit),
  };
}

function memoryFlows(): DeployedFlowStore {
  const bundles = new Map<string, Uint8Array>();
  const versions = new Map<string, DeployedVersionRow[]>();
  const active = new Map<string, number>();
  const find = (name: string, version: number | undefined) => versions.get(name)?.find((row) => row.version === version) ?? null;
  return {
    async deploy(name, { packed, ...deployment }, now) {
      const rows = versions.get(name) ?? [];
      const known = rows.find(({ hash }) => hash === deployment.hash);
      const row = known ?? { name, version: rows.length + 1, ...deployment, deployed_at: now };
      if (!known) versions.set(name, [...rows, row]);
      bundles.set(row.hash, packed);
      active.set(name, row.version);
      return { row, created: !known };
    },
    list: async (limit, after) =>
      [...active.keys()]
        .filter((name) => after === null || name > after)
        .sort()
        .slice(0, limit)
        .flatMap((name) => find(name, active.get(name)) ?? []),
    active: async (name) => find(name, active.get(name)),
    version: async (name, version) => find(name, version),
    versions: async (name) => [...(versions.get(name) ?? [])].reverse(),
    packed: async (hash) => bundles.get(hash) ?? null,
    async activate(name, version, expected = active.get(name)) {
      const known = active.has(name) && active.get(name) === expected && find(name, version) !== null;
      if (known) active.set(name, version);
      return known;
    },
    remove: async (name, expected = active.get(name)) => active.get(name) === expected && active.delete(name),
  };
}
