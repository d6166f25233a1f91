import { inTransaction, type SqlDatabase } from '#main/journal/database.ts';
import type { DeployedFlowStore, DeployedVersionRow } from '#main/store/server-store.ts';

const columns = 'v.name, v.version, v.hash, v.flow, v.title, v.deployed_at';
const activeRows = 'deployed_flows AS f JOIN deployed_versions AS v ON v.name = f.name AND v.version = f.version';

/** Deployed flows in a SQLite file. */
export function sqliteFlows(database: SqlDatabase): DeployedFlowStore {
  const byHash = database.prepare(`SELECT ${columns} FROM deployed_versions AS v WHERE name = ? AND hash = ?`);
  const byVersion = database.prepare(`SELECT ${columns} FROM deployed_versions AS v WHERE name = ? AND version = ?`);
  const insertBundle = database.prepare('INSERT INTO bundles (hash, packed) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const insert = database.prepare(
    `INSERT INTO deployed_versions (name, version, hash, flow, title, deployed_at)
     VALUES (@name, (SELECT coalesce(max(version), 0) + 1 FROM deployed_versions WHERE name = @name), @hash, @flow, @title, @deployed_at)`,
  );
  const setActive = database.prepare(
    'INSERT INTO deployed_flows (name, version) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version',
  );
  const list = database.prepare(`SELECT ${columns} FROM ${activeRows} WHERE f.name > ? ORDER BY f.name LIMIT ?`);
  const active = database.prepare(`SELECT ${columns} FROM ${activeRows} WHERE f.name = ?`);
  const versions = database.prepare(`SELECT ${columns} FROM deployed_versions AS v WHERE name = ? ORDER BY version DESC`);
  const packed = database.prepare('SELECT packed FROM bundles WHERE hash = ?');
  const activate = database.prepare(
    `UPDATE deployed_flows SET version = @version
     WHERE name = @name AND version = coalesce(@expected, version) AND EXISTS (SELECT 1 FROM deployed_versions WHERE name = @name AND version = @version)`,
  );
  const remove = database.prepare('DELETE FROM deployed_flows WHERE name = ? AND version = coalesce(?, version)');
  return {
    deploy: async (name, { packed: bytes, ...deployment }, now) =>
      inTransaction(database, () => {
        const known = byHash.get(name, deployment.hash) as DeployedVersionRow | undefined;
        if (!known) {
          insertBundle.run(deployment.hash, bytes);
          insert.run({ name, ...deployment, deployed_at: now });
        }
        const row = known ?? (byHash.get(name, deployment.hash) as DeployedVersionRow);
        setActive.run(name, row.version);
        return { row, created: !known };
      }),
    list: async (limit, after) => list.all(after ?? '', limit) as DeployedVersionRow[],
    active: async (name) => (active.get(name) as DeployedVersionRow | undefined) ?? null,
    version: async (name, version) => (byVersion.get(name, version) as DeployedVersionRow | undefined) ?? null,
    versions: async (name) => versions.all(name) as DeployedVersionRow[],
    packed: async (hash) => (packed.get(hash) as { packed: Uint8Array } | undefined)?.packed ?? null,
    activate: async (name, version, expected) => activate.run({ name, version, expected: expected ?? null }).changes > 0,
    remove: async (name, expected) => remove.run(name, expected ?? null).changes > 0,
  };
}
