import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandFolder, killGroup } from '#main/hosts/cli/testing/command.ts';
import { Caller, countFlow, testDatabases } from '#main/hosts/server/testing/test-server.ts';
import { OtlpReceiver } from '#main/testing/otlp-receiver.ts';
import { PostgresServer, withoutPostgres } from '#main/testing/postgres-server.ts';
import { startInTime } from '#main/testing/start-in-time.ts';
import { packBundle } from '#main/workspace/bundle/bundle.ts';
import type { JsonObject } from '#shared/json.ts';

/** At how many points the server is killed with each database; with PostgreSQL, half of the times its disk is lost, too. */
const kills = process.env.PRAVAH_SOAK ? 200 : 20;
const killsOn = { SQLite: kills, PostgreSQL: kills / 2 } as const;

let space: CommandFolder;
let data: string;

beforeEach(() => {
  space = new CommandFolder();
  data = join(space.root, 'data');
  space.write('count.flow.yaml', countFlow);
});
afterEach(() => space.remove());

/** Starts the server as a user does, and returns its address. */
function serve(...more: string[]): Promise<{ url: string; child: ChildProcess; exit: Promise<number | null> }> {
  return startInTime('pravah serve', async (signal) => {
    const { child, answer } = space.start(
      'serve',
      '--folder',
      space.folder,
      '--data',
      data,
      '--port',
      '0',
      '--rate',
      '1000',
      '--json',
      '--quiet',
      ...more,
    );
    signal.addEventListener('abort', () => killGroup(child));
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const ready = new Promise<string>((done) => lines.once('line', done));
    const line = await Promise.race([ready, answer.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    return { url: (JSON.parse(line) as { url: string }).url, child, exit: answer.then(({ code }) => code) };
  });
}

async function newToken(): Promise<string> {
  return (await space.run('token', 'create', 'test', '--scope', 'run', '--scope', 'manage', '--data', data)).stdout.trim();
}

describe('pravah serve', () => {
  let postgres: PostgresServer | undefined;
  afterEach(async () => {
    vi.unstubAllEnvs();
    await postgres?.[Symbol.asyncDispose]();
    postgres = undefined;
  });

  const startPostgres = async () => {
    postgres = await PostgresServer.start();
    vi.stubEnv('DATABASE_URL', await postgres.database());
  };

  it('serves a folder to callers with a token until it is told to stop', async () => {
    const { url, child, exit } = await serve();
    const token = await newToken();
    const caller = new Caller(url, token);
    const started = await caller.post('/v1/runs?wait=60', { flow: 'count.flow.yaml', input: { n: 0, to: 3 } });
    expect(started).toMatchObject({ status: 201, body: { status: 'success', seq: 7 } });
    const listed = await space.run('runs', '--json');
    expect(listed.stdout).toContain(String(started.body.run_id));
    const second = await space.run('serve', '--folder', space.folder, '--data', data, '--port', '0');
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`Another server uses ${data} (process ${child.pid})`) });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    const tokens = await space.run('token', 'list', '--data', data, '--json');
    expect(JSON.parse(tokens.stdout)).toMatchObject({ name: 'test', scopes: ['read', 'run', 'manage'], expires_at: null });
    expect(tokens.stdout).not.toContain(token.split('_')[2]);
  });

  it('exports traces to the endpoint of the environment', async () => {
    await using receiver = await OtlpReceiver.start();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url);
    vi.stubEnv('OTEL_SERVICE_NAME', 'flows');
    const { url, child, exit } = await serve('--trace-content');
    const caller = new Caller(url, await newToken());
    expect(await caller.post('/v1/runs?wait=60', { flow: 'count.flow.yaml', input: { n: 0, to: 3 } })).toMatchObject({ status: 201 });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(receiver.named('invoke_workflow count').map((span) => receiver.path(span))).toEqual([
      ['POST /v1/runs', 'invoke_workflow count'],
    ]);
    expect([...receiver.services]).toEqual(['flows']);
  });

  it('refuses options of traces that it cannot follow', async () => {
    const started = () => space.run('serve', '--folder', space.folder, '--data', data, '--port', '0', '--trace-content');
    expect(await started()).toMatchObject({ code: 2, stderr: expect.stringContaining('needs OTEL_EXPORTER_OTLP_ENDPOINT') });
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4317');
    vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc');
    expect(await started()).toMatchObject({ code: 2, stderr: expect.stringContaining('Use http/json') });
  });

  it('refuses to send tokens unencrypted over a network', async () => {
    const answer = await space.run('serve', '--host', '0.0.0.0', '--folder', space.folder);
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('--public-url') });
  });

  it.skipIf(withoutPostgres('pravah migrate'))('starts on a database that pravah migrate has brought up to date', async () => {
    await startPostgres();
    expect(await space.run('migrate', '--check')).toMatchObject({ code: 1, stderr: expect.stringContaining('Run: pravah migrate.') });
    const outdated = await space.run('serve', '--folder', space.folder, '--data', data, '--port', '0', '--no-migrate');
    expect(outdated).toMatchObject({ code: 1, stderr: expect.stringContaining('not up to date') });
    expect(await space.run('migrate')).toMatchObject({ code: 0, stderr: expect.stringContaining('applied') });
    expect(await space.run('migrate', '--check')).toMatchObject({ code: 0 });
    const { url, child, exit } = await serve('--no-migrate');
    const caller = new Caller(url, await newToken());
    expect(await caller.post('/v1/runs?wait=60', { flow: 'count.flow.yaml', input: { n: 0, to: 3 } })).toMatchObject({ status: 201 });
    expect(existsSync(join(data, 'server.db'))).toBe(false);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it.each(testDatabases('a killed server'))(
    'loses nothing and starts nothing twice when it is killed at many points and its caller tries again, with a store in %s',
    async (database) => {
      const points = killsOn[database];
      if (database === 'PostgreSQL') await startPostgres();
      const token = await newToken();
      const seen = new Set<string>();
      for (let kill = 0; kill < points; kill += 1) {
        const key = { 'idempotency-key': `run-${kill}` };
        const body = { flow: kill % 2 === 0 ? 'count.flow.yaml' : 'count', input: { n: 0, to: 2000 } };
        const first = await serve();
        // Half of the runs are of a deployed flow, which the first server has got.
        const bundle = packBundle({
          flow: 'count.flow.yaml',
          files: new Map([['count.flow.yaml', new Uint8Array(Buffer.from(countFlow))]]),
        });
        if (kill === 0)
          expect(await new Caller(first.url, token).call('POST', '/v1/flows?name=count', { bundle })).toMatchObject({ status: 201 });
        const before = new Caller(first.url, token).post('/v1/runs', body, key).catch(() => null);
        // From before the request is read to after the run has ended.
        await wait((kill / points) * 1500);
        killGroup(first.child);
        const [answered] = await Promise.all([before, first.exit]);
        const second = await serve();
        const caller = new Caller(second.url, token);
        const again = await caller.post('/v1/runs', body, key);
        expect(again.status, JSON.stringify(again.body)).toBe(201);
        if (answered) expect(again.body.run_id).toBe(answered.body.run_id);
        const path = `/v1/runs/${again.body.run_id}`;
        await expect.poll(async () => (await caller.get(path)).body.status, { timeout: 60_000, interval: 100 }).toBe('success');
        expect((await caller.get(path)).body).toMatchObject({ seq: 4001, output: { n: 2000 } });
        seen.add(String(again.body.run_id));
        const listed = (await caller.get(`/v1/runs?limit=200&flow=${body.flow}`)).body.data as JsonObject[];
        expect(listed).toHaveLength(Math.floor(kill / 2) + 1);
        killGroup(second.child);
        await second.exit;
      }
      const runs = (await space.run('runs', '--json', '--limit', '1000')).stdout.trim().split('\n');
      expect(runs).toHaveLength(points / 2);
      expect(seen.size).toBe(points);
    },
    60_000 * kills,
  );

  it.skipIf(withoutPostgres('a killed server whose disk is lost'))(
    'leaves its runs to another server when it is killed at many points and its disk is lost',
    async () => {
      const points = kills / 2;
      await startPostgres();
      const token = await newToken();
      const bundle = packBundle({
        flow: 'count.flow.yaml',
        files: new Map([['count.flow.yaml', new Uint8Array(Buffer.from(countFlow))]]),
      });
      let recorded = 0;
      for (let kill = 0; kill < points; kill += 1) {
        data = join(space.root, `first-${kill}`);
        const first = await serve();
        const before = new Caller(first.url, token);
        if (kill === 0) expect(await before.call('POST', '/v1/flows?name=count', { bundle })).toMatchObject({ status: 201 });
        const started = await before.post('/v1/runs', { flow: 'count', input: { n: 0, to: 2000 } });
        const path = `/v1/runs/${started.body.run_id}`;
        await wait((kill / points) * 1500);
        killGroup(first.child);
        await first.exit;
        rmSync(data, { recursive: true, force: true });
        data = join(space.root, `second-${kill}`);
        const second = await serve();
        const caller = new Caller(second.url, token);
        const found = (await caller.get(path)).body;
        if (found.status !== 'success') {
          recorded += Number(found.seq) > 0 ? 1 : 0;
          // The first of them is taken over by itself, once its server has been silent for long enough.
          if (kill > 0) expect((await caller.post(`${path}/continue`, {})).status).toBe(202);
        }
        await expect.poll(async () => (await caller.get(path)).body.status, { timeout: 60_000, interval: 100 }).toBe('success');
        expect((await caller.get(path)).body).toMatchObject({ seq: 4001, output: { n: 2000 } });
        killGroup(second.child);
        await second.exit;
        rmSync(data, { recursive: true, force: true });
      }
      expect(recorded).toBeGreaterThan(0);
    },
    60_000 * kills,
  );
});
