import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#main/journal/database.ts';
import { memoryStore } from '#main/store/memory/memory-store.ts';
import { connectPostgres } from '#main/store/postgres/connection.ts';
import { postgresMigrations, postgresStore } from '#main/store/postgres/postgres-store.ts';
import { sqliteMigrations, sqliteStore } from '#main/store/sqlite/sqlite-store.ts';
import { PostgresServer, withoutPostgres } from '#main/testing/postgres-server.ts';
import type { ServerStore, TokenRow } from './server-store.ts';

const noPostgres = withoutPostgres('stores in PostgreSQL');
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (!noPostgres) postgres = await PostgresServer.start();
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
});

const database = () => (postgres as PostgresServer).database();

const stores: readonly [string, () => Promise<ServerStore>][] = [
  ['memory', async () => memoryStore()],
  ['SQLite', async () => sqliteStore(':memory:')],
  ...(noPostgres ? [] : [['PostgreSQL', async () => postgresStore(await database())] as [string, () => Promise<ServerStore>]]),
];

describe.each(stores)('the store in %s', (_name, open) => {
  const token = (id: string): TokenRow => ({
    id,
    name: `token ${id}`,
    secret_hash: 'ab',
    scopes: ['read', 'run'],
    created_at: 5,
    expires_at: null,
  });

  it('lists tokens newest first, page by page, and forgets a revoked one', async () => {
    const { tokens } = await open();
    for (const id of ['b', 'a', 'c']) await tokens.create(token(id));
    expect((await tokens.list(2, null)).map(({ id }) => id)).toEqual(['c', 'a']);
    expect((await tokens.list(2, 'a')).map(({ id }) => id)).toEqual(['b']);
    expect(await tokens.find('a')).toEqual(token('a'));
    expect(await tokens.revoke('a')).toBe(true);
    expect(await tokens.revoke('a')).toBe(false);
    expect(await tokens.find('a')).toBeNull();
  });

  it('knows a request again with what it was about to do and what came of it, for one caller and route', async () => {
    const { requests } = await open();
    const key = { token_id: 't', route: 'POST /v1/runs', key: 'k' };
    expect(await requests.begin(key, 'hash', 10)).toBeNull();
    expect(await requests.begin(key, 'other', 11)).toEqual({ body_hash: 'hash', intent: null, answer: null, in_progress: false });
    await requests.note(key, { run_id: 'r' });
    await requests.finish(key, { status: 201, headers: { location: '/' }, body: '{}' });
    expect(await requests.begin(key, 'hash', 12)).toEqual({
      body_hash: 'hash',
      intent: { run_id: 'r' },
      answer: { status: 201, headers: { location: '/' }, body: '{}' },
      in_progress: false,
    });
    expect(await requests.begin({ ...key, token_id: 'u' }, 'hash', 12)).toBeNull();
    await requests.forgetBefore(11);
    expect(await requests.begin(key, 'hash', 13)).toBeNull();
    await requests.forget(key);
    expect(await requests.begin(key, 'hash', 14)).toBeNull();
  });

  it('leaves each server its runs while it is there', async () => {
    const { runs } = await open();
    await runs.set({ run_id: 'r', server: 'x', folder: 'flow:f@1', metadata: {}, driven: true });
    await runs.takeOver('x', 60);
    await runs.takeOver('y', 60);
    expect((await runs.driven('x')).map(({ run_id }) => run_id)).toEqual(['r']);
    expect(await runs.driven('y')).toEqual([]);
  });

  it('tells which runs are to be driven on', async () => {
    const { runs } = await open();
    const row = { run_id: 'r', server: 'x', folder: '/f', metadata: { order: 1, a: 'x\u0000' }, driven: true };
    await runs.set(row);
    await runs.set({ ...row, run_id: 's', driven: false });
    expect(await runs.driven('x')).toEqual([row]);
    expect(await runs.driven('y')).toEqual([]);
    await runs.setDriven('r', false);
    expect(await runs.driven('x')).toEqual([]);
    expect(await runs.get('r')).toEqual({ ...row, driven: false });
    await runs.remove('r');
    expect(await runs.get('r')).toBeNull();
  });

  it('has the versions of deployed flows, one of them active, and their bundles once', async () => {
    const { flows } = await open();
    const packed = new Uint8Array([1, 0, 255]);
    const deployment = (hash: string) => ({ hash, flow: 'a.flow.yaml', title: 'A', packed });
    const row = (name: string, version: number, hash: string) => ({ name, version, hash, flow: 'a.flow.yaml', title: 'A', deployed_at: 5 });
    expect(await flows.active('a')).toBeNull();
    expect(await flows.deploy('a', deployment('x'), 5)).toEqual({ row: row('a', 1, 'x'), created: true });
    expect(await flows.deploy('a', deployment('y'), 5)).toEqual({ row: row('a', 2, 'y'), created: true });
    expect(await flows.deploy('a', deployment('x'), 9)).toEqual({ row: row('a', 1, 'x'), created: false });
    await flows.deploy('B_', deployment('x'), 5);
    expect(await flows.list(5, null)).toEqual([row('B_', 1, 'x'), row('a', 1, 'x')]);
    expect(await flows.list(5, 'B_')).toEqual([row('a', 1, 'x')]);
    expect(await flows.activate('a', 2)).toBe(true);
    expect(await flows.activate('a', 3)).toBe(false);
    expect(await flows.activate('c', 1)).toBe(false);
    expect(await flows.activate('a', 1, 1)).toBe(false);
    expect(await flows.remove('a', 1)).toBe(false);
    expect(await flows.activate('a', 1, 2)).toBe(true);
    expect(await flows.activate('a', 2, 1)).toBe(true);
    expect(await flows.active('a')).toEqual(row('a', 2, 'y'));
    expect(await flows.versions('a')).toEqual([row('a', 2, 'y'), row('a', 1, 'x')]);
    expect(Buffer.from((await flows.packed('x')) ?? '').equals(packed)).toBe(true);
    expect(await flows.packed('z')).toBeNull();
    expect(await flows.remove('a')).toBe(true);
    expect(await flows.remove('a')).toBe(false);
    expect(await flows.active('a')).toBeNull();
    expect(await flows.version('a', 2)).toEqual(row('a', 2, 'y'));
    expect(await flows.deploy('a', deployment('z'), 5)).toEqual({ row: row('a', 3, 'z'), created: true });
  });

  it('numbers the versions of flows that are deployed at once without gaps', async () => {
    const { flows } = await open();
    const hashes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const packed = new Uint8Array([1]);
    const deployed = await Promise.all(hashes.map((hash) => flows.deploy('a', { hash, flow: 'a', title: 'A', packed }, 1)));
    expect(deployed.map(({ row }) => row.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await flows.versions('a')).map(({ hash }) => hash).sort()).toEqual(hashes);
  });

  it('lists runs of deployed flows newest first, of all, of a name or of a version', async () => {
    const { runs } = await open();
    const folders = ['/f', 'flow:a@1', 'flow:a@2', 'flow:ab@1', 'flow:a_@1'];
    for (const [index, folder] of folders.entries())
      await runs.set({ run_id: `r${index}`, server: 'x', folder, metadata: {}, driven: false });
    const ids = async (...request: Parameters<typeof runs.deployed>) => (await runs.deployed(...request)).map(({ run_id }) => run_id);
    expect(await ids(9, null)).toEqual(['r4', 'r3', 'r2', 'r1']);
    expect(await ids(2, 'r4')).toEqual(['r3', 'r2']);
    expect(await ids(9, null, 'flow:a@')).toEqual(['r2', 'r1']);
    expect(await ids(9, null, 'flow:a@1')).toEqual(['r1']);
    expect(await ids(9, 'r4', 'flow:a_@')).toEqual([]);
    expect(await ids(9, null, 'flow:a_@')).toEqual(['r4']);
  });
});

describe('migrations', () => {
  it('bring a SQLite store up to date once, and can be left to the administrator', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pravah-store-'));
    const path = join(folder, 'server.db');
    const lacking = sqliteMigrations(path, false);
    expect(lacking).toBeGreaterThan(0);
    expect(() => sqliteStore(path, { migrate: false })).toThrow('not up to date. Run: pravah migrate.');
    expect(sqliteMigrations(path, true)).toBe(lacking);
    expect(sqliteMigrations(path, true)).toBe(0);
    await sqliteStore(path, { migrate: false }).close();
    rmSync(folder, { recursive: true });
  });

  it.skipIf(noPostgres)('bring a PostgreSQL store up to date once, however many processes start at once', async () => {
    const url = await database();
    const lacking = await postgresMigrations(url, false);
    await expect(postgresStore(url, { migrate: false })).rejects.toThrow('not up to date. Run: pravah migrate.');
    const applied = await Promise.all(Array.from({ length: 6 }, () => postgresMigrations(url, true)));
    expect(applied.sort()).toEqual([0, 0, 0, 0, 0, lacking]);
    await (await postgresStore(url, { migrate: false })).close();
  });

  it.skipIf(noPostgres)('refuse a database that a newer version has written', async () => {
    const url = await database();
    await postgresMigrations(url, true);
    const connection = await connectPostgres(url);
    await connection.query('INSERT INTO pravah.migrations (version) VALUES (999)');
    await connection.close();
    await expect(postgresStore(url)).rejects.toMatchObject({ variant: 'SnapLoadError', message: expect.stringContaining('newer version') });
  });

  it.skipIf(noPostgres)('make the same tables in both databases', async () => {
    const url = await database();
    await postgresMigrations(url, true);
    const migrated = await connectPostgres(url);
    const rows = await migrated.query<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'pravah' AND table_name NOT IN ('migrations', 'servers', 'runs') AND table_name NOT LIKE 'run\\_%'`,
    );
    await migrated.close();
    const folder = mkdtempSync(join(tmpdir(), 'pravah-store-'));
    const path = join(folder, 'server.db');
    sqliteMigrations(path, true);
    const file = openDatabase(path);
    const columns = file
      .prepare("SELECT m.name || '.' || c.name AS place FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'")
      .all() as { place: string }[];
    file.close();
    rmSync(folder, { recursive: true });
    // Claims and wishes are for processes that share a database, and so are its tables of servers and of runs, which otherwise are in journals.
    const shared = ['requests.owner', 'requests.claimed_until', 'served_runs.pause'];
    const places = (found: readonly { place: string }[]) =>
      found
        .map(({ place }) => place)
        .filter((place) => !shared.includes(place))
        .sort();
    expect(places(rows)).toEqual(places(columns));
  });
});

describe.skipIf(noPostgres)('a PostgreSQL store', () => {
  it('gives the runs of deployed flows of a server that is gone to one other server', async () => {
    const { runs, close } = await postgresStore(await database());
    const row = { server: 'gone', metadata: {}, driven: true };
    await runs.takeOver('gone', 0);
    for (const n of [1, 2, 3]) await runs.set({ ...row, run_id: `run-${n}`, folder: 'flow:f@1' });
    await runs.set({ ...row, run_id: 'rests', folder: 'flow:f@1', driven: false });
    await runs.set({ ...row, run_id: 'local', folder: '/there' });
    await Promise.all(['a', 'b', 'c'].map((server) => runs.takeOver(server, 60)));
    const taken = await Promise.all(['a', 'b', 'c'].map((server) => runs.driven(server)));
    expect(
      taken
        .flat()
        .map(({ run_id }) => run_id)
        .sort(),
    ).toEqual(['run-1', 'run-2', 'run-3']);
    expect((await runs.driven('gone')).map(({ run_id }) => run_id)).toEqual(['local']);
    await close();
  });

  const key = { token_id: 't', route: 'POST /v1/runs', key: 'k' };

  it('leaves a request to the process that performs it, until that has died', async () => {
    const url = await database();
    const [one, other] = [await postgresStore(url), await postgresStore(url)];
    expect(await one.requests.begin(key, 'hash', 1)).toBeNull();
    await one.requests.note(key, { run_id: 'r' });
    expect(await other.requests.begin(key, 'hash', 1)).toMatchObject({ in_progress: true, answer: null });
    const connection = await connectPostgres(url);
    await connection.query("UPDATE pravah.requests SET claimed_until = now() - interval '1 second'");
    await one.requests.renew(key);
    expect(await other.requests.begin(key, 'hash', 1)).toMatchObject({ in_progress: true });
    await connection.query("UPDATE pravah.requests SET claimed_until = now() - interval '1 second'");
    expect(await other.requests.begin(key, 'hash', 1)).toMatchObject({ in_progress: false, intent: { run_id: 'r' } });
    expect(await one.requests.begin(key, 'hash', 1)).toMatchObject({ in_progress: true });
    await Promise.all([one.close(), other.close(), connection.close()]);
  });

  it('says that the database does not answer while it is stopped, and works again afterwards', async () => {
    await using server = await PostgresServer.start();
    const store = await postgresStore(await server.database());
    await store.check();
    await server.stop();
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(store.tokens.find('a')).rejects.toMatchObject({
        variant: 'SnapStoreError',
        message: expect.stringContaining("can't be reached"),
      });
    await server.restart();
    expect(await store.tokens.find('a')).toBeNull();
    await store.close();
  });

  it('says what is wrong with an address', async () => {
    const url = await database();
    await expect(postgresStore(`${url}_missing`)).rejects.toThrow('does not exist. Create it, or change DATABASE_URL.');
    await expect(postgresStore('postgres://127.0.0.1:1/x')).rejects.toThrow("The PostgreSQL database can't be reached");
  });
});
