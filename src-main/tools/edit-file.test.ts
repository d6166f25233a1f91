import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { editFileTool } from './edit-file.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  await workspace.write('a.txt', '\uFEFFone\r\ntwo\r\none $& $1\r\n');
});
afterEach(() => workspace[Symbol.asyncDispose]());

const edit = (old: string, replacement: string, all?: boolean) =>
  workspace.call(editFileTool, { path: 'a.txt', old, new: replacement, ...(all !== undefined && { all }) });

describe('edit_file', () => {
  test('replaces the one occurrence and touches nothing else', async () => {
    expect(await edit('two', '$& $1 $$')).toEqual({ path: 'a.txt', replacements: 1 });
    expect(await workspace.read('a.txt')).toBe('\uFEFFone\r\n$& $1 $$\r\none $& $1\r\n');
  });

  test('edit_file loses neither of two concurrent edits of one file', async () => {
    await Promise.all([
      edit('two', '2'),
      edit('$& $1', 'the end'),
      workspace.call(editFileTool, { path: './a.txt', old: '\r\none', new: '\r\n1' }),
    ]);
    expect(await workspace.read('a.txt')).toBe('\uFEFFone\r\n2\r\n1 the end\r\n');
  });

  test('edit_file replaces all occurrences with replace_all', async () => {
    expect(await edit('one', 'three', true)).toEqual({ path: 'a.txt', replacements: 2 });
    expect(await workspace.read('a.txt')).toBe('\uFEFFthree\r\ntwo\r\nthree $& $1\r\n');
  });

  test.each([
    ['none', 'does not contain', undefined],
    ['one', '2 times', undefined],
    ['one', '2 times', false],
    ['one\ntwo', 'does not contain', undefined],
  ])('refuses %j, which it %s', async (old, words, all) => {
    const error = await refusal(edit(old, 'x', all));
    expect(error.message).toContain(words);
    expect(await workspace.read('a.txt')).toBe('\uFEFFone\r\ntwo\r\none $& $1\r\n');
  });

  test('refuses binary files and missing ones', async () => {
    await workspace.write('b.bin', Uint8Array.of(0, 1, 2));
    expect((await refusal(workspace.call(editFileTool, { path: 'b.bin', old: 'a', new: 'b' }))).message).toContain('UTF-8');
    expect((await refusal(workspace.call(editFileTool, { path: 'c.txt', old: 'a', new: 'b' }))).variant).toBe('Io');
  });

  test('the preview of edit_file shows the whole new text, or why the edit does not match', async () => {
    const context = await workspace.context();
    expect(await editFileTool.preview?.({ path: 'a.txt', old: 'two', new: '2' }, context)).toMatchObject({
      after: '\uFEFFone\r\n2\r\none $& $1\r\n',
    });
    const unfit = editFileTool.preview?.({ path: 'a.txt', old: 'nowhere', new: '2' }, context) as Promise<unknown>;
    expect((await refusal(unfit)).message).toContain('does not contain');
  });

  test('is denied protected files', async () => {
    await workspace.write('pravah.json', '{}');
    expect((await refusal(workspace.call(editFileTool, { path: 'pravah.json', old: '{}', new: '{"commands":["sh"]}' }))).variant).toBe(
      'Denied',
    );
  });
});
