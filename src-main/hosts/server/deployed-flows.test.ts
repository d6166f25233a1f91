import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, askFlow, type Caller, TestServer, testDatabases } from '#main/hosts/server/testing/test-server.ts';
import { packBundle } from '#main/workspace/bundle/bundle.ts';
import { makeBundle } from '#main/workspace/bundle/make-bundle.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { JsonObject } from '#shared/json.ts';

const twoFlow = addFlow.replace('n + 1', 'n + 2');
const nestedFlow = `pravah: 1
name: nested
input: A
output: C
schemas:
  A: { type: object, properties: { n: { type: number } }, required: [n] }
  B: { type: object, properties: { n: { type: number } }, required: [n] }
  C: { type: object, properties: { n: { type: number } }, required: [n] }
nodes:
  - { kind: flow, flow: ./parts/add.flow.yaml }
  - { kind: work, from: B, to: C, run_file: ./parts/double.js }
`;
const noteFlow = `pravah: 1
name: note
input: Note
output: Seen
schemas:
  Note: { type: object, properties: { text: { type: string } }, required: [text] }
  Seen: true
nodes:
  - kind: work
    from: Note
    to: Seen
    tools: [{ use: write_file, approve: never }, list_files]
    run: "async ({ text }, ctx) => { const before = await ctx.tools.list_files({}); await ctx.tools.write_file({ path: text, content: text }); return before; }"
`;
const moduleFlow = `pravah: 1
name: module
input: A
output: B
schemas: { A: true, B: true }
nodes:
  - { kind: work, from: A, to: B, module: ./code.ts }
`;

describe.each(testDatabases('deployed flows'))('deployed flows, with a store in %s,', (database) => {
  let server: TestServer;
  let caller: Caller;
  let source: string;
  beforeAll(async () => {
    server = await TestServer.start({ 'add.flow.yaml': addFlow }, { database });
    caller = await server.caller('read', 'run', 'manage');
    source = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-source-')));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(source, { recursive: true, force: true });
  });

  /** Bundles a flow of a folder with these files. */
  const bundled = async (flow: string, files: Record<string, string>, trusted = false) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), text);
    }
    return packBundle(await makeBundle(join(source, flow), { folder: source, trusted, settings: await loadSettings(source) }));
  };
  const deploy = async (name: string, bundle: Uint8Array, query = '') => caller.call('POST', `/v1/flows?name=${name}${query}`, { bundle });

  it('are run by their name, by version, and from the version that is active', async () => {
    const one = await deploy('sum', await bundled('sum.flow.yaml', { 'sum.flow.yaml': addFlow }));
    expect(one).toMatchObject({ status: 201, body: { name: 'sum', version: 1, flow: { name: 'sum@1', title: 'add', unconfirmed: [] } } });
    const two = await deploy('sum', await bundled('sum.flow.yaml', { 'sum.flow.yaml': twoFlow }));
    expect(two.body).toMatchObject({ version: 2 });
    expect(two.body.hash).not.toBe(one.body.hash);
    const run = async (flow: string) => (await caller.post('/v1/runs?wait=60', { flow, input: { n: 1 } })).body;
    expect(await run('sum')).toMatchObject({ flow: 'sum@2', status: 'success', output: { n: 3 } });
    expect(await run('sum@1')).toMatchObject({ flow: 'sum@1', output: { n: 2 } });
    expect(await caller.post('/v1/flows/sum/activate', { version: 1 })).toMatchObject({ status: 200, body: { version: 1, active: true } });
    expect(await run('sum')).toMatchObject({ flow: 'sum@1', output: { n: 2 } });
    expect((await caller.get('/v1/flows/sum/versions')).body.data).toMatchObject([
      { version: 2, active: false },
      { version: 1, active: true },
    ]);
    // The same again is no new version.
    const again = await deploy('sum', await bundled('sum.flow.yaml', { 'sum.flow.yaml': twoFlow }));
    expect(again).toMatchObject({ status: 200, body: { version: 2, hash: two.body.hash } });
    expect((await caller.get('/v1/flows/sum')).body).toMatchObject({ name: 'sum', version: 2, input_schema: { required: ['n'] } });
    expect((await caller.get('/v1/flows')).body.data).toEqual([
      { name: 'add.flow.yaml', title: 'add', version: null },
      { name: 'sum', title: 'add', version: 2 },
    ]);
    expect((await caller.post('/v1/flows/sum/activate', { version: 9 })).status).toBe(404);
    expect((await caller.post('/v1/flows/none/activate', { version: 1 })).status).toBe(404);
  });

  it('are changed only as the caller knows them, with If-Match', async () => {
    await deploy('sum', await bundled('sum.flow.yaml', { 'sum.flow.yaml': addFlow }));
    const first = (await caller.get('/v1/flows/sum')).headers.get('etag') ?? '';
    expect((await caller.get('/v1/flows/sum', { 'if-none-match': first })).status).toBe(304);
    await deploy('sum', await bundled('sum.flow.yaml', { 'sum.flow.yaml': twoFlow }));
    const activate = (tag: string, version = 1) => caller.post('/v1/flows/sum/activate', { version }, { 'if-match': tag });
    expect(await activate(first)).toMatchObject({
      status: 412,
      body: { title: 'Changed meanwhile', error: { code: 'PRECONDITION_FAILED' } },
    });
    expect(await caller.call('DELETE', '/v1/flows/sum', { headers: { 'if-match': first } })).toMatchObject({ status: 412 });
    expect((await caller.get('/v1/flows/sum', { 'if-none-match': first })).body).toMatchObject({ version: 2 });
    const second = (await caller.get('/v1/flows/sum')).headers.get('etag') ?? '';
    // Of requests at once that know the same version, one is performed.
    const statuses = (await Promise.all([activate(second), activate(second), activate(second)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412]);
    expect((await caller.post('/v1/flows/none/activate', { version: 1 }, { 'if-match': '*' })).status).toBe(412);
    expect(await activate('*', 2)).toMatchObject({ status: 200, body: { version: 2 } });
    const third = (await caller.get('/v1/flows/sum')).headers.get('etag') ?? '';
    expect((await caller.call('DELETE', '/v1/flows/sum', { headers: { 'if-match': `"other", ${third}` } })).status).toBe(204);
  });

  it('are stepped, forked, compared and listed like those of a folder, also after a restart', async () => {
    await deploy('ask', await bundled('ask.flow.yaml', { 'ask.flow.yaml': askFlow }));
    const { body: run } = await caller.post('/v1/runs', { flow: 'ask', input: { n: 1 }, paused: true, metadata: { order: 7 } });
    const path = `/v1/runs/${run.run_id}`;
    expect((await caller.post(`${path}/step`, { after_seq: 0 })).body).toMatchObject({
      seq: 1,
      states: [{ name: 'Checked', value: { n: 2 } }],
    });
    await server.restart();
    caller = await server.caller('read', 'run', 'manage');
    expect((await caller.post(`${path}/step`)).body).toMatchObject({ status: 'suspended', metadata: { order: 7 } });
    const [suspension] = (await caller.get(path)).body.suspensions as [JsonObject];
    const answered = await caller.post(`${path}/resume`, {
      tool_id: suspension.tool_id as string,
      tool_call_id: suspension.tool_call_id as string,
      payload: { ok: true },
      then_continue: false,
    });
    expect(answered.status).toBe(200);
    await caller.post(`${path}/continue`);
    await expect.poll(async () => (await caller.get(path)).body.status).toBe('success');
    const fork = await caller.post(`${path}/fork`, { seq: 1 });
    expect(fork).toMatchObject({ status: 201, body: { flow: 'ask@1', forked_from: { run_id: run.run_id } } });
    expect((await caller.get(`${path}/compare/${fork.body.run_id}`)).status).toBe(200);
    const listed = (await caller.get('/v1/runs?flow=ask')).body.data as JsonObject[];
    expect(listed.map(({ run_id }) => run_id)).toEqual([fork.body.run_id, run.run_id]);
    const all: unknown[] = [];
    for (let token: unknown = ''; token !== null; ) {
      const { body } = await caller.get(`/v1/runs?limit=2${token ? `&page_token=${token}` : ''}`);
      all.push(...(body.data as JsonObject[]).map(({ run_id }) => run_id));
      token = body.next_page_token;
    }
    expect(all).toEqual([...all].sort().reverse());
    expect(all).toHaveLength(5);
    expect((await caller.get('/v1/runs?flow=add.flow.yaml')).body.data).toEqual([]);
    expect((await caller.call('DELETE', `/v1/runs/${fork.body.run_id}`)).status).toBe(204);
    expect((await caller.get(`/v1/runs/${fork.body.run_id}`)).status).toBe(404);
  });

  it('bring their inner flows and code along', async () => {
    const files = { 'nested.flow.yaml': nestedFlow, 'parts/add.flow.yaml': addFlow, 'parts/double.js': '(b) => ({ n: b.n * 2 })' };
    expect((await deploy('nested', await bundled('nested.flow.yaml', files))).body).toMatchObject({ version: 1 });
    const { body } = await caller.post('/v1/runs?wait=60', { flow: 'nested', input: { n: 3 } });
    expect(body).toMatchObject({ status: 'success', output: { n: 8 } });
  });

  it('make the records that the same flow makes in a folder', async () => {
    const files = { 'nested.flow.yaml': nestedFlow, 'parts/add.flow.yaml': addFlow, 'parts/double.js': '(b) => ({ n: b.n * 2 })' };
    await deploy('same', await bundled('nested.flow.yaml', files));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(server.folder, path)), { recursive: true });
      writeFileSync(join(server.folder, path), text);
    }
    const recordsOf = async (flow: string) => {
      const { body: run } = await caller.post('/v1/runs?wait=60', { flow, input: { n: 3 } });
      const path = `/v1/runs/${run.run_id}`;
      const steps = (await caller.get(`${path}/steps`)).body.data as JsonObject[];
      const states = await Promise.all(steps.map(async ({ seq }) => (await caller.get(`${path}/steps/${seq}`)).body.states));
      return { output: run.output, seq: run.seq, states, steps: steps.map(({ started_at: _at, duration_ms: _ms, ...step }) => step) };
    };
    const records = await recordsOf('same');
    expect(records).toMatchObject({ output: { n: 8 }, seq: 2 });
    expect(records).toEqual(await recordsOf('nested.flow.yaml'));
  });

  it('work in folders of their own, each run in another', async () => {
    await deploy('note', await bundled('note.flow.yaml', { 'note.flow.yaml': noteFlow }));
    const seen: unknown[] = [];
    const ids: unknown[] = [];
    for (const text of ['one.txt', 'two.txt']) {
      const { body } = await caller.post('/v1/runs?wait=60', { flow: 'note', input: { text } });
      expect(body).toMatchObject({ status: 'success' });
      seen.push(JSON.stringify(body.output));
      ids.push(body.run_id);
    }
    expect(seen[1]).toBe(seen[0]);
    const folders = ids.map((id) => join(server.data, 'runs', String(id)));
    expect(folders.map((folder) => readdirSync(folder).filter((name) => name.endsWith('.txt')))).toEqual([['one.txt'], ['two.txt']]);
    await caller.call('DELETE', `/v1/runs/${ids[0]}`);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true]);
  });

  it('are checked before they are stored, and a trial stores nothing', async () => {
    const trial = await deploy('trial', await bundled('sum.flow.yaml', { 'sum.flow.yaml': addFlow }), '&dry_run=true');
    expect(trial).toMatchObject({ status: 200, body: { version: null, flow: { soundness: 'sound' } } });
    expect((await caller.get('/v1/flows/trial')).status).toBe(404);
    expect(await deploy('bad', new Uint8Array(Buffer.from('no zip')))).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('not a zip') },
    });
    expect((await deploy('a.b', new Uint8Array(Buffer.from('no zip')))).status).toBe(400);
    const wrong = addFlow.replace('n + 1', 'm + 1 +');
    const errors = packBundle({ flow: 'a.flow.yaml', files: new Map([['a.flow.yaml', new Uint8Array(Buffer.from(wrong))]]) });
    expect(await deploy('bad', errors)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('The flow has errors') } });
    const reader = await server.caller('read', 'run');
    expect((await reader.call('POST', '/v1/flows?name=sum', { bundle: errors })).status).toBe(403);
    expect((await caller.post('/v1/flows?name=sum', { flow: 1 })).status).toBe(415);
    expect((await caller.get('/v1/runs?flow=bad')).body.data).toEqual([]);
  });

  it('may run code of their own only on a server that trusts deployments', async () => {
    const code = 'import { more } from "./parts/more.ts";\nexport default (a: { n: number }) => ({ n: a.n + more });\n';
    const bundle = await bundled(
      'module.flow.yaml',
      { 'module.flow.yaml': moduleFlow, 'code.ts': code, 'parts/more.ts': 'export const more = 40;\n' },
      true,
    );
    expect(await deploy('module', bundle)).toMatchObject({ status: 403, body: { error: { code: 'DEPLOYMENT_UNTRUSTED' } } });
    await server.restart({ trustDeployments: true });
    caller = await server.caller('read', 'run', 'manage');
    expect(await deploy('module', bundle)).toMatchObject({
      status: 201,
      body: { flow: { capabilities: expect.arrayContaining([expect.objectContaining({ kind: 'code' })]) } },
    });
    expect((await caller.post('/v1/runs?wait=60', { flow: 'module', input: { n: 2 } })).body).toMatchObject({
      status: 'success',
      output: { n: 42 },
    });
    await server.restart();
    caller = await server.caller('read', 'run', 'manage');
    const after = await caller.post('/v1/runs?wait=60', { flow: 'module', input: { n: 2 } });
    expect(after.body.output ?? null).toBeNull();
  });

  it('that are removed keep their runs, and take no new ones', async () => {
    const bundle = await bundled('sum.flow.yaml', { 'sum.flow.yaml': addFlow });
    await deploy('gone', bundle);
    const { body: run } = await caller.post('/v1/runs?wait=60', { flow: 'gone', input: { n: 1 } });
    expect((await caller.call('DELETE', '/v1/flows/gone')).status).toBe(204);
    expect((await caller.call('DELETE', '/v1/flows/gone')).status).toBe(404);
    expect((await caller.post('/v1/runs', { flow: 'gone', input: { n: 1 } })).status).toBe(404);
    expect((await caller.get(`/v1/runs/${run.run_id}`)).body).toMatchObject({ flow: 'gone@1', status: 'success' });
    expect(await deploy('gone', bundle)).toMatchObject({ status: 200, body: { version: 1 } });
  });
});
