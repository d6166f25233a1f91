import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectTo, type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';
import type { FlowContent } from '#shared/contract/flows.ts';

// Each studio starts threads of its own, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const path = 'a.flow.yaml';
const flow = (one: string, two: string) => `pravah: 1
name: A
input: A
output: C
schemas: { A: {}, B: {}, C: {} }
nodes:
  - kind: work
    title: ${one}
    from: A
    to: B
  - kind: work
    title: ${two}
    from: B
    to: C
`;

/** A window: what it shows, and the way to edit that. */
class Window {
  readonly client: StudioClient['client'];
  readonly id: string;
  content!: FlowContent;

  constructor({ client }: StudioClient, id: string) {
    this.client = client;
    this.id = id;
  }

  async open(): Promise<this> {
    this.content = await this.client.flows.read({ path });
    return this;
  }

  get text(): string {
    return this.content.draft?.text ?? this.content.text;
  }

  /** Edits what this window shows, which may be old. */
  async edit(text: string) {
    const { revision } = this.content;
    const answer = await this.client.flows.edit({ path, window: this.id, revision, text, layout: null });
    if (answer.status !== 'accepted') this.content = answer.content;
    else await this.open();
    return answer.status;
  }

  save() {
    const { text, content } = this;
    return this.client.flows.save({ path, window: this.id, text, base_hash: content.draft?.base_hash ?? content.hash, layout: null });
  }
}

async function folderWithFlow() {
  const { folder } = await temporaryPlaces(onTestFinished);
  await writeFile(join(folder, path), flow('One', 'Two'));
  return folder;
}

async function twoWindows() {
  const folder = await folderWithFlow();
  const studio = startStudio(onTestFinished, folder);
  const other = connectTo(onTestFinished, studio.services);
  return { folder, first: await new Window(studio, 'first').open(), second: await new Window(other, 'second').open() };
}

/** Two studios on one folder: each has its services, its windows and its drafts. */
async function twoStudios() {
  const folder = await folderWithFlow();
  const [one, other] = [startStudio(onTestFinished, folder), startStudio(onTestFinished, folder)];
  return { folder, first: await new Window(one, 'window').open(), second: await new Window(other, 'window').open() };
}

const draftsIn = (folder: string) => readdir(join(folder, '.pravah/drafts')).catch(() => []);

test('an edit reaches the other windows, and not the one that made it', async () => {
  const { first, second } = await twoWindows();
  const heard = await second.client.flows.watch({ window: 'second' });
  const own = await first.client.flows.watch({ window: 'first' });
  expect(await first.edit(flow('Mine', 'Two'))).toBe('accepted');
  expect((await heard.next()).value).toMatchObject({ path, draft: { text: flow('Mine', 'Two') }, revision: { number: 2 } });
  await second.open();
  expect(await second.edit(flow('Mine', 'Theirs'))).toBe('accepted');
  expect((await own.next()).value).toMatchObject({ draft: { text: flow('Mine', 'Theirs') } });
});

test('merges an edit of an older version if it touches other lines', async () => {
  const { first, second } = await twoWindows();
  expect(await first.edit(flow('Mine', 'Two'))).toBe('accepted');
  expect(await second.edit(flow('One', 'Theirs'))).toBe('merged');
  expect(second.text).toBe(flow('Mine', 'Theirs'));
  expect((await first.open()).text).toBe(flow('Mine', 'Theirs'));
});

test('refuses and stores an edit that cannot be merged; discarding it moves it to the trash', async () => {
  const { folder, first, second } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  const heard = await first.client.flows.watch({ window: 'first' });
  expect(await second.edit(flow('Theirs', 'Two'))).toBe('refused');
  expect(second.text).toBe(flow('Mine', 'Two'));
  const [other] = second.content.others;
  expect(other).toMatchObject({ text: flow('Theirs', 'Two'), refused: true });
  // Every window can decide.
  expect((await heard.next()).value).toMatchObject({ others: [{ text: flow('Theirs', 'Two') }] });
  if (!other) throw new Error('no other draft');
  const outdated = await first.client.flows.dropOther({ path, window: 'first', id: other.id, hash: 'of another version' });
  expect(outdated.others).toHaveLength(1);
  expect((await first.client.flows.dropOther({ path, window: 'first', ...other })).others).toEqual([]);
  expect(await draftsIn(folder)).toHaveLength(1);
  expect(await readdir(join(folder, '.pravah/trash'))).toHaveLength(1);
});

test('an edit that has lost its base, as after a restart, replaces nothing', async () => {
  const { first, second } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  const stranger = { path, window: 'second', text: flow('Theirs', 'Two'), layout: null };
  expect(await second.client.flows.edit({ ...stranger, revision: { document: 'of another process', number: 2 } })).toMatchObject({
    status: 'refused',
  });
  expect(await second.client.flows.edit({ ...stranger, revision: null })).toMatchObject({ status: 'refused' });
  expect((await first.open()).text).toBe(flow('Mine', 'Two'));
});

test('saving makes all windows clean, and leaves edits made meanwhile unsaved', async () => {
  const { folder, first, second } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  await second.open();
  await second.edit(flow('Mine', 'Theirs'));
  // The first window has not heard of it yet.
  expect(await first.save()).toMatchObject({ status: 'saved', content: { text: flow('Mine', 'Two') } });
  expect(await readFile(join(folder, path), 'utf8')).toBe(flow('Mine', 'Two'));
  await first.open();
  expect(first.content.draft).toMatchObject({ text: flow('Mine', 'Theirs'), base_hash: first.content.hash });
  expect(await first.save()).toMatchObject({ status: 'saved', content: { draft: null } });
  expect((await second.open()).content.draft).toBeNull();
  expect(await draftsIn(folder)).toEqual([]);
});

test('saving edits that could not be saved as a draft removes older drafts', async () => {
  const { folder, first } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  const { revision, draft } = first.content;
  const unkept = { path, window: 'first', text: flow('Mine', 'Unkept'), layout: null, base_hash: draft?.base_hash ?? '', revision };
  expect(await first.client.flows.save(unkept)).toMatchObject({ status: 'saved', content: { draft: null } });
  expect(await readFile(join(folder, path), 'utf8')).toBe(flow('Mine', 'Unkept'));
  expect(await draftsIn(folder)).toEqual([]);
});

test('an edit that is taken back leaves no draft, and so does giving up for the file', async () => {
  const { folder, first } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  expect(await draftsIn(folder)).toHaveLength(1);
  await first.edit(flow('One', 'Two'));
  expect(first.content.draft).toBeNull();
  expect(await draftsIn(folder)).toEqual([]);
  await first.edit(flow('Mine', 'Two'));
  expect(await first.client.flows.takeFile({ path, window: 'first' })).toMatchObject({ draft: null, text: flow('One', 'Two') });
  expect(await draftsIn(folder)).toEqual([]);
});

test('a file that changes on disk replaces the text of windows without edits, and no edits', async () => {
  const { folder, first, second } = await twoWindows();
  await writeFile(join(folder, path), flow('From git', 'Two'));
  expect(await first.edit(flow('One', 'Mine'))).toBe('merged');
  expect(first.text).toBe(flow('From git', 'Mine'));
  await first.client.flows.takeFile({ path, window: 'first' });
  await first.open();
  await writeFile(join(folder, path), flow('From git once more', 'Two'));
  // Of the same lines: the edit counts, and the file waits for a decision.
  expect(await first.edit(flow('Mine', 'Two'))).toBe('merged');
  expect(first.content).toMatchObject({ text: flow('From git once more', 'Two'), draft: { text: flow('Mine', 'Two') }, others: [] });
  expect(await first.save()).toMatchObject({ status: 'conflict', text: flow('From git once more', 'Two') });
  await first.edit(flow('From git', 'Mine'));
  await writeFile(join(folder, path), flow('From git again', 'Two'));
  await second.open();
  expect(second.text).toBe(flow('From git', 'Mine'));
  expect(second.content.hash).not.toBe(second.content.draft?.base_hash);
  expect(await second.save()).toMatchObject({ status: 'conflict', text: flow('From git again', 'Two') });
});

test('edits outlive their file, and a clean-up of the folder', async () => {
  const { folder, first } = await twoWindows();
  await first.edit(flow('Mine', 'Two'));
  await rm(join(folder, path));
  await rm(join(folder, '.pravah/drafts'), { recursive: true });
  expect(await first.edit(flow('Mine', 'More'))).toBe('accepted');
  expect(first.content).toMatchObject({ hash: '', draft: { text: flow('Mine', 'More') } });
  expect(await draftsIn(folder)).toHaveLength(1);
  expect(await first.client.flows.save({ path, window: 'first', text: first.text, base_hash: '', layout: null })).toMatchObject({
    status: 'saved',
  });
  expect(await readFile(join(folder, path), 'utf8')).toBe(flow('Mine', 'More'));
});

test('a second studio on the folder shows the unsaved edits of the first, and edits on', async () => {
  const { folder, first, second } = await twoStudios();
  await first.edit(flow('Mine', 'Two'));
  expect((await second.open()).text).toBe(flow('Mine', 'Two'));
  expect(await second.edit(flow('Mine', 'Theirs'))).toBe('accepted');
  expect((await first.open()).text).toBe(flow('Mine', 'Theirs'));
  expect(first.content.others).toEqual([]);
  expect(await draftsIn(folder)).toHaveLength(1);
  expect(await first.save()).toMatchObject({ status: 'saved' });
  expect((await second.open()).content).toMatchObject({ draft: null, text: flow('Mine', 'Theirs'), others: [] });
});

test('a studio is notified of what another one edits', async () => {
  const { first, second } = await twoStudios();
  const heard = await second.client.flows.watch({ window: 'window' });
  await first.edit(flow('Mine', 'Two'));
  expect((await heard.next()).value).toMatchObject({ draft: { text: flow('Mine', 'Two') } });
});

test('preserves conflicting edits of one version by two studios', async () => {
  const { folder, first, second } = await twoStudios();
  await first.edit(flow('Mine', 'Two'));
  expect(await second.edit(flow('Theirs', 'Two'))).toBe('refused');
  expect(second.text).toBe(flow('Mine', 'Two'));
  expect(second.content.others).toMatchObject([{ text: flow('Theirs', 'Two') }]);
  expect((await first.open()).content.others).toMatchObject([{ text: flow('Theirs', 'Two') }]);
  expect(await draftsIn(folder)).toHaveLength(2);
});

test('preserves independent drafts of two programs when either is saved', async () => {
  const folder = await folderWithFlow();
  const one = await new Window(startStudio(onTestFinished, folder), 'one').open();
  await one.edit(flow('Mine', 'Two'));
  // As written at the same moment by a program that had not seen it.
  const [name = ''] = await draftsIn(folder);
  const draft = JSON.parse(await readFile(join(folder, '.pravah/drafts', name), 'utf8'));
  const theirs = { ...draft, text: flow('Theirs', 'Two'), saved_at: draft.saved_at + 1 };
  await writeFile(join(folder, '.pravah/drafts', name.replace(/\.\w+\.json$/, '.stranger.json')), JSON.stringify(theirs));
  await one.edit(flow('Mine', 'More'));
  expect(one.text).toBe(flow('Mine', 'More'));
  expect(one.content.others).toMatchObject([{ text: flow('Theirs', 'Two'), refused: false }]);
  expect(await one.save()).toMatchObject({ status: 'saved' });
  // Their edits are unsaved still, and based on the file before: they do not take the place of what was saved.
  expect((await one.open()).content).toMatchObject({ draft: null, text: flow('Mine', 'More'), others: [{ base_hash: draft.base_hash }] });
});

test('another folder’s flows are those of another document', async () => {
  const { folder, first } = await twoWindows();
  const { document } = first.content.revision ?? {};
  await mkdir(join(folder, 'other'));
  await first.client.workspace.open({ folder: join(folder, 'other') });
  await first.client.workspace.open({ folder });
  expect((await first.open()).content.revision?.document).not.toBe(document);
});
