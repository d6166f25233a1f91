import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { draftIndex, readDrafts, removeDraft, trashDraft, writeDraft } from './flow-drafts.ts';
import { createFlow, readFlow, removeFlow, renameFlow, saveFlow, saveLayout } from './flow-files.ts';
import { loadFlow } from './open-flow.ts';
import { defaultSettings } from './settings.ts';

let folder: string;
let outside: string;
const cannotLock = skipUnless(process.getuid?.() !== 0, 'saving a flow to a read-only folder', 'root may write everywhere');

beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-flow-files-')));
  folder = join(root, 'workspace');
  outside = join(root, 'outside');
  mkdirSync(folder);
  mkdirSync(outside);
  process.env.PRAVAH_HOME = join(root, 'profile');
});

afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
  delete process.env.PRAVAH_HOME;
});

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const draftOf = (draft: string, change: Partial<Parameters<typeof writeDraft>[2]> = {}) => ({
  ...{ path, text: draft, layout: null, base_hash: 'h', saved_at: 1, continues: [], refused: false },
  ...change,
});
const textsOf = async () => (await readDrafts(folder, path)).map((draft) => draft.text);
const path = 'a.flow.yaml';
const text = 'pravah: 1 # one\nname: A\n';

describe('saving a flow', () => {
  it('changes no byte when nothing was edited, byte-order mark and mode included', async () => {
    const bytes = Buffer.from(`\uFEFF${text}`);
    write(path, bytes);
    chmodSync(join(folder, path), 0o640);
    const flow = await readFlow(folder, path);
    expect(flow.text).toBe(text);
    const inode = statSync(join(folder, path)).ino;
    expect(await saveFlow(folder, path, flow.text, flow.hash, null)).toEqual({ status: 'saved', hash: flow.hash });
    expect(readFileSync(join(folder, path))).toEqual(bytes);
    expect(statSync(join(folder, path)).ino).toBe(inode);
  });

  it('writes the new text, keeps the mode and leaves no temporary file', async () => {
    write(path, text);
    chmodSync(join(folder, path), 0o600);
    const flow = await readFlow(folder, path);
    const saved = await saveFlow(folder, path, `${text}input: A\n`, flow.hash, {
      pravah_layout: 1,
      nodes: { B: { x: 1, y: 2 }, A: { x: 0, y: 0 } },
    });
    expect(saved.status).toBe('saved');
    expect(read(path)).toBe(`${text}input: A\n`);
    expect(saved.hash).toBe((await readFlow(folder, path)).hash);
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
    expect(read('a.layout.json')).toBe(
      '{\n  "pravah_layout": 1,\n  "nodes": {\n    "A": { "x": 0, "y": 0 },\n    "B": { "x": 1, "y": 2 }\n  }\n}\n',
    );
    expect(readdirSync(folder).sort()).toEqual(['a.flow.yaml', 'a.layout.json']);
  });

  it('refuses to overwrite a file that was changed or removed, and returns the current one', async () => {
    write(path, text);
    const flow = await readFlow(folder, path);
    write(path, 'theirs');
    expect(await saveFlow(folder, path, 'mine', flow.hash, null)).toMatchObject({ status: 'conflict', text: 'theirs' });
    expect(read(path)).toBe('theirs');
    rmSync(join(folder, path));
    expect(await saveFlow(folder, path, 'mine', flow.hash, null)).toEqual({ status: 'conflict', text: null, hash: '' });
    expect(existsSync(join(folder, path))).toBe(false);
    expect(await saveFlow(folder, path, 'again', '', null)).toMatchObject({ status: 'saved' });
    expect(read(path)).toBe('again');
  });

  it('gives one of two savers at once a conflict', async () => {
    write(path, text);
    const { hash } = await readFlow(folder, path);
    await saveFlow(folder, path, 'first', hash, null);
    expect(await saveFlow(folder, path, 'second', hash, null)).toMatchObject({ status: 'conflict', text: 'first' });
  });

  it.skipIf(cannotLock)('reports a read-only folder and loses nothing', async () => {
    write(path, text);
    const flow = await readFlow(folder, path);
    chmodSync(folder, 0o500);
    await expect(saveFlow(folder, path, 'new', flow.hash, null)).rejects.toMatchObject({
      message: expect.stringMatching(/a\.flow\.yaml could not be saved: you do not have permission to write there/),
    });
    await writeDraft(folder, 'one', draftOf('kept'));
    chmodSync(folder, 0o700);
    expect(read(path)).toBe(text);
    expect(await textsOf()).toEqual(['kept']);
  });
});

describe('paths of flows', () => {
  it.each(['../outside/x.flow.yaml', '/etc/x.flow.yaml', 'x.json', '', 'a/../../x.flow.yaml', 'c:\\x.flow.yaml', 'x.flow.yaml\0'])(
    'refuse %j',
    async (bad) => {
      await expect(readFlow(folder, bad)).rejects.toMatchObject({ variant: 'NotFound' });
      await expect(saveFlow(folder, bad, '', '', null)).rejects.toMatchObject({ variant: 'NotFound' });
    },
  );

  it('refuse links to outside, also to a missing file', async () => {
    writeFileSync(join(outside, 'x.flow.yaml'), text);
    symlinkSync(join(outside, 'x.flow.yaml'), join(folder, 'link.flow.yaml'));
    symlinkSync(outside, join(folder, 'sub'));
    symlinkSync(join(outside, 'nothing.flow.yaml'), join(folder, 'dangling.flow.yaml'));
    await expect(saveFlow(folder, 'dangling.flow.yaml', text, '', null)).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(readFlow(folder, 'link.flow.yaml')).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(readFlow(folder, 'sub/x.flow.yaml')).rejects.toMatchObject({ variant: 'NotFound' });
    await expect(saveFlow(folder, 'sub/new.flow.yaml', text, '', null)).rejects.toMatchObject({ variant: 'NotFound' });
    expect(existsSync(join(outside, 'new.flow.yaml'))).toBe(false);
  });
});

describe('the life of a flow', () => {
  it('is created with valid content under a free name', async () => {
    const first = await createFlow(folder, 'Triage a ticket');
    const second = await createFlow(folder, 'Triage a ticket');
    expect([first, second]).toEqual(['triage-a-ticket.flow.yaml', 'triage-a-ticket-2.flow.yaml']);
    const loaded = await loadFlow(first, { folder, trusted: false, settings: defaultSettings });
    expect(loaded.problems).toEqual([]);
    expect(loaded.graph?.name).toBe('Triage a ticket');
    expect(await createFlow(folder, '../..')).toBe('flow.flow.yaml');
    expect(await createFlow(folder, 'X.flow.json')).toBe('x.flow.json');
  });

  it('is created with the given content inside the workspace only', async () => {
    mkdirSync(join(folder, 'sub'));
    const layout = { pravah_layout: 1, nodes: { A: { x: 4, y: 8 } } } as const;
    const made = await createFlow(folder, 'Inner', { folder: 'sub', text, layout });
    expect(made).toBe('sub/inner.flow.yaml');
    expect(await readFlow(folder, made)).toMatchObject({ text, layout });
    await expect(createFlow(folder, 'Inner', { folder: '../elsewhere', text })).rejects.toMatchObject({ variant: 'NotFound' });
  });

  it('is renamed with its layout and its drafts, never over another', async () => {
    write(path, text);
    write('b.flow.yaml', 'other');
    await saveLayout(folder, path, { pravah_layout: 1, nodes: {} });
    await expect(renameFlow(folder, path, 'b.flow.yaml')).rejects.toMatchObject({ variant: 'Conflict' });
    await expect(renameFlow(folder, path, 'c.flow.json')).rejects.toThrow(/file extension must stay the same/);
    await writeDraft(folder, 'one', draftOf('mine'));
    await renameFlow(folder, path, 'sub/c.flow.yaml');
    expect(await textsOf()).toEqual([]);
    expect((await readDrafts(folder, 'sub/c.flow.yaml')).map((draft) => draft.text)).toEqual(['mine']);
    expect(read('sub/c.flow.yaml')).toBe(text);
    expect(existsSync(join(folder, 'sub/c.layout.json'))).toBe(true);
    expect(read('b.flow.yaml')).toBe('other');
  });

  it('ends in the trash, with its layout and its drafts', async () => {
    write(path, text);
    await saveLayout(folder, path, { pravah_layout: 1, nodes: {} });
    await writeDraft(folder, 'one', draftOf('mine'));
    await removeFlow(folder, path);
    expect(readdirSync(folder)).toEqual(['.pravah']);
    const trash = readdirSync(join(folder, '.pravah/trash')).flatMap((time) => readdirSync(join(folder, '.pravah/trash', time)));
    expect(trash.sort()).toEqual(['a.flow.yaml', expect.stringMatching(/^a\.flow\.yaml\.[0-9a-f]{16}\.one\.json$/), 'a.layout.json']);
    expect(await textsOf()).toEqual([]);
    expect(read('.pravah/.gitignore')).toBe('*\n');
    await expect(removeFlow(folder, path)).rejects.toMatchObject({ variant: 'NotFound' });
  });

  it('stores unsaved edits of each writer until they are discarded, ignoring other files', async () => {
    write(path, text);
    const first = await writeDraft(folder, 'one', draftOf('first'));
    await writeDraft(folder, 'two', draftOf('second', { saved_at: 2 }));
    expect(await textsOf()).toEqual(['second', 'first']);
    await removeDraft(folder, path, 'one', 'of another version');
    expect(await textsOf()).toEqual(['second', 'first']);
    await removeDraft(folder, path, 'one', first);
    await removeDraft(folder, path, 'one', first);
    expect(await textsOf()).toEqual(['second']);
    expect((await draftIndex(folder))(path)).toBe(true);
    expect((await draftIndex(folder))('b.flow.yaml')).toBe(false);
    for (const name of readdirSync(join(folder, '.pravah/drafts'))) writeFileSync(join(folder, '.pravah/drafts', name), '{broken');
    expect(await textsOf()).toEqual([]);
  });

  it('passes over a draft that another one continues, in that version only', async () => {
    const hash = await writeDraft(folder, 'one', draftOf('first'));
    await writeDraft(folder, 'two', draftOf('first and more', { saved_at: 2, continues: [{ id: 'one', hash }] }));
    expect(await textsOf()).toEqual(['first and more']);
    await writeDraft(folder, 'one', draftOf('first, changed', { saved_at: 3 }));
    expect(await textsOf()).toEqual(['first, changed', 'first and more']);
  });

  it('reads the single draft that version 0.1 stored for a flow', async () => {
    await writeDraft(folder, '', draftOf('old'));
    const [name = ''] = readdirSync(join(folder, '.pravah/drafts'));
    const { continues: _continues, refused: _refused, ...old } = draftOf('old');
    writeFileSync(join(folder, '.pravah/drafts', name), JSON.stringify(old));
    expect(name).toMatch(/^a\.flow\.yaml\.[0-9a-f]{16}\.json$/);
    expect(await textsOf()).toEqual(['old']);
    expect((await draftIndex(folder))(path)).toBe(true);
  });

  it('moves a draft that was decided against to the trash', async () => {
    const hash = await writeDraft(folder, 'one', draftOf('mine'));
    await trashDraft(folder, path, 'one', hash);
    expect(await textsOf()).toEqual([]);
    const [time = ''] = readdirSync(join(folder, '.pravah/trash'));
    const [name = ''] = readdirSync(join(folder, '.pravah/trash', time));
    expect(JSON.parse(read(join('.pravah/trash', time, name)))).toMatchObject({ text: 'mine' });
    expect(readdirSync(join(folder, '.pravah/drafts'))).toEqual([]);
  });

  it('is not read if it is not text', async () => {
    write(path, Buffer.from([0x61, 0x0a, 0xff, 0x62]));
    await expect(readFlow(folder, path)).rejects.toThrow(/Line 2: the file is not valid UTF-8 \(byte 2\)/);
    const loaded = await loadFlow(path, { folder, trusted: false, settings: defaultSettings });
    expect(loaded.problems).toMatchObject([{ code: 'format', path: '' }]);
    await expect(readFlow(folder, 'none.flow.yaml')).rejects.toMatchObject({ variant: 'NotFound' });
  });
});
