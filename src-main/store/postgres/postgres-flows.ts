import type { DeployedFlowStore, DeployedVersionRow } from '#main/store/server-store.ts';
import type { PostgresConnection } from './connection.ts';

const columns = 'v.name, v.version, v.hash, v.flow, v.title, v.deployed_at';
const activeRows = 'pravah.deployed_flows AS f JOIN pravah.deployed_versions AS v ON v.name = f.name AND v.version = f.version';

/** The library returns `bigint` as text. */
type Stored = Omit<DeployedVersionRow, 'deployed_at'> & { readonly deployed_at: string };

/** Deployed flows in PostgreSQL. */
export function postgresFlows(connection: PostgresConnection): DeployedFlowStore {
  const { query } = connection;
  const select = async (rest: string, values: readonly unknown[]) =>
    (await query<Stored>(`SELECT ${columns} FROM ${rest}`, values)).map((row) => ({ ...row, deployed_at: Number(row.deployed_at) }));
  const all = 'pravah.deployed_versions AS v WHERE v.name = $1';
  return {
    deploy: (name, { hash, flow, title, packed }, now) =>
      connection.transaction(async (run) => {
        // One deployment of a name at a time: versions have no gaps.
        await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`pravah flow ${name}`]);
        const find = () => run<Stored>(`SELECT ${columns} FROM ${all} AND v.hash = $2`, [name, hash]);
        const [known] = await find();
        if (!known) {
          await run('INSERT INTO pravah.bundles (hash, packed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [hash, Buffer.from(packed)]);
          await run(
            `INSERT INTO pravah.deployed_versions (name, version, hash, flow, title, deployed_at)
             SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5 FROM pravah.deployed_versions WHERE name = $1`,
            [name, hash, flow, title, now],
          );
        }
        const [row] = known ? [known] : await find();
        if (!row) throw new Error(`No version of ${name} was inserted.`);
        await run(
          `INSERT INTO pravah.deployed_flows (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version`,
          [name, row.version],
        );
        return { row: { ...row, deployed_at: Number(row.deployed_at) }, created: !known };
      }),
    list: (limit, after) => select(`${activeRows} WHERE f.name > $1 ORDER BY f.name LIMIT $2`, [after ?? '', limit]),
    active: async (name) => (await select(`${activeRows} WHERE f.name = $1`, [name]))[0] ?? null,
    version: async (name, version) => (await select(`${all} AND v.version = $2`, [name, version]))[0] ?? null,
    versions: (name) => select(`${all} ORDER BY v.version DESC`, [name]),
    packed: async (hash) =>
      (await query<{ packed: Uint8Array }>('SELECT packed FROM pravah.bundles WHERE hash = $1', [hash]))[0]?.packed ?? null,
    activate: async (name, version, expected) =>
      (
        await query(
          `UPDATE pravah.deployed_flows SET version = $2
           WHERE name = $1 AND version = coalesce($3, version)
             AND EXISTS (SELECT 1 FROM pravah.deployed_versions WHERE name = $1 AND version = $2) RETURNING name`,
          [name, version, expected ?? null],
        )
      ).length > 0,
    remove: async (name, expected) =>
      (
        await query('DELETE FROM pravah.deployed_flows WHERE name = $1 AND version = coalesce($2, version) RETURNING name', [
          name,
          expected,
        ])
      ).length > 0,
  };
}
