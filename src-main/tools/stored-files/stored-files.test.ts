import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { exitLoopTool } from '#main/tools/exit-loop.ts';
import { loadArtifactsTool } from '#main/tools/load-artifacts.ts';
import { loadMemoryTool, preloadMemoryTool } from '#main/tools/load-memory.ts';
import { readFileTool } from '#main/tools/read-file.ts';
import { saveArtifactTool } from '#main/tools/save-artifact.ts';
import { saveMemoryTool } from '#main/tools/save-memory.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { Json, JsonObject } from '#shared/json.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
});
afterEach(() => workspace[Symbol.asyncDispose]());

let time = 0;
const clock = { now: () => Date.UTC(2026, 0, 1) + time++ * 1000 };
const call = (tool: Tool, input: JsonObject = {}) => workspace.call(tool, input, { clock });
/** A call by another run. */
const callIn = async (runId: string, tool: Tool, input: JsonObject): Promise<Json> =>
  tool.call(input, { ...(await workspace.context()), run_id: runId });

describe('memory', () => {
  test('finds what was saved by its words, the most fitting first, without case and accents', async () => {
    await call(saveMemoryTool, { text: 'The deploy key lives in the vault.', tags: ['ops'] });
    await call(saveMemoryTool, { text: 'Élodie prefers short reports.' });
    await call(saveMemoryTool, { text: 'Reports go out on Friday, reports of the week.' });
    const texts = async (query: string, limit?: number) =>
      ((await call(loadMemoryTool, { query, ...(limit && { limit }) })) as { memories: { text: string }[] }).memories.map(
        ({ text }) => text,
      );
    expect(await texts('elodie REPORTS')).toEqual(['Élodie prefers short reports.', 'Reports go out on Friday, reports of the week.']);
    expect(await texts('ops')).toEqual(['The deploy key lives in the vault.']);
    expect(await texts('reports', 1)).toHaveLength(1);
    expect(await texts('nothing like it')).toEqual([]);
    const all = (await call(preloadMemoryTool)) as { memories: { text: string }[]; left_out: number };
    expect([all.memories.length, all.left_out, all.memories[0]?.text]).toEqual([3, 0, 'The deploy key lives in the vault.']);
  });

  test('of more than fits, the latest are loaded; broken files are passed over; git ignores them all', async () => {
    for (let index = 0; index < 7; index++) await call(saveMemoryTool, { text: `${index} ${'x'.repeat(19_000)}` });
    await workspace.write('.pravah/memory/broken.json', '{');
    const { memories, left_out } = (await call(preloadMemoryTool)) as { memories: { text: string }[]; left_out: number };
    expect([memories.map(({ text }) => text[0]), left_out]).toEqual([['2', '3', '4', '5', '6'], 2]);
    expect(await workspace.read('.pravah/.gitignore')).toBe('*\n');
  });

  test('follows no link out of the folder', async () => {
    await workspace.link('.pravah', workspace.outside);
    expect((await refusal(call(saveMemoryTool, { text: 'x' }))).variant).toBe('Io');
    expect((await refusal(call(preloadMemoryTool))).variant).toBe('Io');
  });
});

describe('artifacts', () => {
  test('have versions, belong to their run, and with user: to the folder', async () => {
    expect(await call(saveArtifactTool, { filename: 'a report.md', content: 'one' })).toEqual({ filename: 'a report.md', version: 0 });
    expect(await call(saveArtifactTool, { filename: 'A Report.md', content: 'two' })).toMatchObject({ version: 1 });
    await call(saveArtifactTool, { filename: 'user:logo.png', content: 'iVBORw0KGgo=', media_type: 'image/png' });
    expect(await call(loadArtifactsTool, { filenames: ['a report.md', 'user:logo.png', 'none'] })).toEqual({
      available: [
        { filename: 'a report.md', versions: 2 },
        { filename: 'user:logo.png', versions: 1 },
      ],
      artifacts: [
        { filename: 'A Report.md', version: 1, media_type: 'text/plain', content: 'two' },
        { filename: 'user:logo.png', version: 0, media_type: 'image/png', content: 'iVBORw0KGgo=' },
        { filename: 'none', error: expect.any(String) },
      ],
    });
    expect(await call(loadArtifactsTool, { filenames: ['a report.md'], version: 0 })).toMatchObject({ artifacts: [{ content: 'one' }] });
    const ofCalledFlow = await callIn('run-1/call_2', loadArtifactsTool, { filenames: ['a report.md'] });
    expect(ofCalledFlow).toMatchObject({ artifacts: [{ content: 'two' }] });
    expect(await callIn('run-2', loadArtifactsTool, {})).toEqual({
      available: [{ filename: 'user:logo.png', versions: 1 }],
      artifacts: [],
    });
  });

  test.each(['../x', 'a/b', 'a\\b', '.hidden', 'user:../x', '', 'x'.repeat(200), 'a\0b', 'con?'])('are not called %j', async (filename) => {
    expect((await refusal(call(saveArtifactTool, { filename, content: 'x' }))).variant).toBe('Deserialize');
  });

  test('binary artifacts must be base64, and file tools cannot write to the artifacts folder', async () => {
    expect((await refusal(call(saveArtifactTool, { filename: 'a.png', content: '<png>', media_type: 'image/png' }))).variant).toBe(
      'Deserialize',
    );
    await call(saveArtifactTool, { filename: 'a.md', content: 'x' });
    expect(await call(readFileTool, { path: '.pravah/artifacts/runs/run-1/a.md/0.json' })).toContain('"content":"x"');
  });
});

test('exit_loop returns a result on which a node can branch', () => {
  expect(exitLoopTool.call({ reason: 'done' }, {} as never)).toEqual({ exit_loop: true, reason: 'done' });
});
