import { mkdir, readdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRun } from '#main/journal/testing.ts';
import { closeJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { Workspace, WorkspaceEvent } from '#shared/contract/workspace.ts';

const flow = `pravah: 1
name: Greeting
input: A
output: B
schemas: { A: { type: object }, B: { type: object } }
nodes:
  - { kind: agent, from: A, to: B, agent: { model: "script://models/hello.json" } }
`;

async function studio() {
  const { folder, home } = await temporaryPlaces(onTestFinished);
  await mkdir(join(folder, 'models'));
  await writeFile(join(folder, 'hello.flow.yaml'), flow);
  await writeFile(join(folder, 'models/hello.json'), '{"turns":[]}');
  await writeFile(join(folder, 'pravah.json'), '{"commands":["git"]}');
  const other = await realpath(join(home, '..'));
  await mkdir(join(other, 'target'));
  return { ...startStudio(onTestFinished, folder), folder, target: join(other, 'target') };
}

test('a folder opens and lists its runs in spite of files that are made to be slow to read', async () => {
  const { client, folder } = await studio();
  const merges = Array.from({ length: 20_000 }, (_, index) => `m${index}: &m${index}\n  <<: *m${index - 1}\n  k${index}: 1\n`).join('');
  await writeFile(join(folder, 'merges.flow.yaml'), `name: Merges\n${merges}`);
  await writeFile(join(folder, 'quotes.flow.yaml'), '"'.repeat(3_999_999));
  await writeFile(join(folder, 'quotes.flow.json'), '"'.repeat(3_999_999));
  const { flows } = await client.workspace.open({ folder });
  expect(flows.map(({ name }) => name)).toEqual(['Greeting', 'Merges', 'quotes', 'quotes']);
  const validated = await Promise.all([merges, '"'.repeat(1_000_000)].map((text) => client.flows.validate({ path: 'a.flow.yaml', text })));
  expect(validated).toMatchObject([{ valid: false }, { valid: false }]);
  expect(await client.runs.list({})).toEqual([]);
});

test('a folder is described, trusted and watched', async () => {
  const { client, folder } = await studio();
  expect(await client.workspace.current()).toMatchObject({
    folder,
    trusted: false,
    flows: [{ path: 'hello.flow.yaml', name: 'Greeting', has_draft: false }],
    git: null,
    example: false,
    journal_notice: null,
  });
  const news = await client.workspace.watch();
  expect(await client.workspace.setTrust({ trusted: true })).toMatchObject({ trusted: true });
  expect((await news.next()).value).toMatchObject({ type: 'changed', flows: [], workspace: { trusted: true } });
  const content = await client.flows.create({ name: 'Second flow' });
  const created = await changeOf(news, content.path);
  expect(created.flows.map(({ path }) => path)).toEqual(['hello.flow.yaml', content.path]);
  await writeFile(join(folder, 'hello.flow.yaml'), flow.replace('Greeting', 'Farewell'));
  expect((await changeOf(news, 'hello.flow.yaml')).flows[0]?.name).toBe('Farewell');
});

test('opening a folder and looking at its runs makes nothing in it', async () => {
  const { client, folder } = await studio();
  const files = await readdir(folder);
  expect(await client.workspace.current()).toMatchObject({ journal_notice: null });
  const listed = await client.runs.list({});
  expect(listed).toEqual([]);
  expect(await readdir(folder)).toEqual(files);
  // What another program runs there meanwhile is seen all the same.
  const journals = await openWorkspaceJournals(folder);
  onTestFinished(() => closeJournals(journals));
  const other = createRun(journals.main, {});
  expect(await client.runs.list({})).toMatchObject([{ run_id: other }]);
});

test('the first run makes the folder’s journal', async () => {
  const { client, folder } = await studio();
  await client.runs.list({});
  const { run_id: runId } = await client.runs.start({ flow_path: 'hello.flow.yaml', text: flow, input: {} });
  expect(await readdir(join(folder, '.pravah'))).toContain('runs.db');
  expect(await client.runs.list({})).toMatchObject([{ run_id: runId }]);
});

test.skipIf(process.platform !== 'linux')(
  'opens a folder on a file system without folder creation and stores its runs in the profile',
  async () => {
    const { client } = await studio();
    const { folder } = await client.workspace.open({ folder: '/proc/self/fd' });
    expect(folder).toBe(`/proc/${process.pid}/fd`);
    const text = flow.replace(/kind: agent.*/, 'kind: work, from: A, to: B, run: "(a) => a" }');
    const { run_id: runId } = await client.runs.start({ flow_path: 'hello.flow.yaml', text, input: {} });
    expect(await client.runs.list({})).toMatchObject([{ run_id: runId }]);
    expect(await client.workspace.current()).toMatchObject({ journal_notice: expect.stringContaining('Runs are stored in') });
  },
);

/** Reads events until one reports that a flow changed. */
async function changeOf(news: AsyncIterator<WorkspaceEvent>, path: string): Promise<Workspace> {
  for (let item = await news.next(); !item.done; item = await news.next()) {
    if (item.value.type === 'changed' && item.value.flows.includes(path)) return item.value.workspace;
  }
  throw new Error('the news ended');
}

test('another folder takes the place of the open one, and a missing one does not', async () => {
  const { client, folder, target } = await studio();
  await expect(client.workspace.open({ folder: join(target, 'nothing') })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  await expect(client.workspace.open({ folder: join(folder, 'pravah.json') })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  expect((await client.workspace.current())?.folder).toBe(folder);
  expect(await client.workspace.open({ folder: target })).toMatchObject({ folder: target, flows: [] });
  expect((await client.workspace.recent()).map((entry) => entry.folder)).toEqual([target, folder]);
  await expect(client.flows.read({ path: 'hello.flow.yaml' })).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  expect((await client.workspace.open({ folder })).flows).toHaveLength(1);
});

test('reports a folder that cannot be opened at the start, and another can be opened', async () => {
  const { folder } = await temporaryPlaces(onTestFinished);
  const { client } = startStudio(onTestFinished, join(folder, 'nothing'));
  await expect(client.workspace.current()).rejects.toMatchObject({ data: { variant: 'NotFound' } });
  expect(await client.workspace.open({ folder })).toMatchObject({ folder });
});

test('a flow is copied into another folder with what it needs, once', async () => {
  const { client, target } = await studio();
  const plan = await client.workspace.copyFlowPlan({ path: 'hello.flow.yaml', folder: target });
  expect(plan.files).toEqual(['hello.flow.yaml', 'models/hello.json', 'pravah.json'].map((path) => ({ path, exists: false })));
  await client.workspace.setTrust({ trusted: true });
  const opened = await client.workspace.copyFlowInto({ path: 'hello.flow.yaml', folder: target });
  expect(opened).toMatchObject({ folder: target, trusted: false, flows: [{ path: 'hello.flow.yaml' }] });
  expect(await readFile(join(target, 'models/hello.json'), 'utf8')).toBe('{"turns":[]}');
});

test('a copy replaces nothing and leaves the folders by no link', async () => {
  const { client, folder, target } = await studio();
  await mkdir(join(target, 'models'));
  await writeFile(join(target, 'models/hello.json'), 'mine');
  const copy = { path: 'hello.flow.yaml', folder: target };
  await expect(client.workspace.copyFlowInto(copy)).rejects.toMatchObject({ data: { variant: 'Conflict' } });
  expect(await readFile(join(target, 'models/hello.json'), 'utf8')).toBe('mine');
  await expect(readFile(join(target, 'hello.flow.yaml'))).rejects.toThrow('ENOENT');

  const outside = join(target, '..', 'outside');
  const linked = join(target, '..', 'linked');
  await mkdir(outside);
  await mkdir(linked);
  await symlink(outside, join(linked, 'models'));
  await expect(client.workspace.copyFlowInto({ ...copy, folder: linked })).rejects.toMatchObject({ data: { variant: 'Conflict' } });
  await expect(readFile(join(outside, 'hello.json'))).rejects.toThrow('ENOENT');
  expect(await readlink(join(linked, 'models'))).toBe(outside);

  await writeFile(join(outside, 'secret.json'), 'secret');
  await symlink(join(outside, 'secret.json'), join(folder, 'models', 'linked.json'));
  await writeFile(join(folder, 'hello.flow.yaml'), flow.replace('hello.json', 'linked.json'));
  const empty = join(target, '..', 'empty');
  await mkdir(empty);
  await expect(client.workspace.copyFlowInto({ ...copy, folder: empty })).rejects.toMatchObject({ data: { variant: 'Conflict' } });
  await expect(readFile(join(empty, 'hello.flow.yaml'))).rejects.toThrow('ENOENT');
});

test('lists folders for a host without a dialog and stores preferences', async () => {
  const { client, folder, target } = await studio();
  expect(await client.workspace.listFolders({ folder })).toMatchObject({ folder, folders: ['models'] });
  expect(await client.workspace.listFolders({ folder: target })).toMatchObject({ folders: [] });
  expect(await client.workspace.chooseFolder()).toEqual({ folder: null });
  expect(await client.app.settings()).toEqual({ color_scheme: 'auto', panning: 'design', panels: null });
  await client.app.setSettings({ panning: 'map' });
  expect(await client.app.settings()).toEqual({ color_scheme: 'auto', panning: 'map', panels: null });
  expect((await client.tools.list()).map(({ name, asks }) => [name, asks])).toContainEqual(['run_command', true]);
});

test('an example is opened from the user’s own copy, which is theirs from then on', async () => {
  const { client } = await studio();
  const opened = await client.workspace.openExample({ name: 'ticket-triage' });
  expect(opened).toMatchObject({ name: 'ticket-triage', trusted: true, example: true });
  expect(opened.flows.map(({ path }) => path)).toEqual(['ticket-triage.flow.yaml']);
  await writeFile(join(opened.folder, 'ticket-triage.flow.yaml'), flow);
  await client.workspace.openExample({ name: 'release-notes' });
  const again = await client.workspace.openExample({ name: 'ticket-triage' });
  expect(again.flows[0]?.name).toBe('Greeting');
});
