import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import { realParts, skipWithout } from '#main/models/testing/real-models.ts';
import { slowness } from '#main/testing/slowness.ts';
import { resourcesFolder } from '#main/workspace/resources.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';

let root: string;
let folder: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-model-')));
  folder = join(root, 'release-notes');
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  const examples = join(resourcesFolder(), 'examples');
  cpSync(join(examples, 'release-notes'), folder, { recursive: true });
  const script: string = pathToFileURL(join(examples, 'make-release-history.mjs')).href;
  ((await import(/* @vite-ignore */ script)) as { makeHistory(folder: string): void }).makeHistory(folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** Runs a command in this process, and answers its exit code and the events that it printed. */
async function pravah(...words: string[]) {
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const code = await runCommandLine([...words, '--folder', folder, '--allow-command', 'git', '--json']);
  vi.restoreAllMocks();
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { code, events: lines.map((line) => JSON.parse(line) as RunEvent) };
}

/** Timeout of a run that does not finish. */
const mostAnswers = 8;

describe.skipIf(skipWithout('local_model'))('the release notes, written by a local model', () => {
  test('reach their approval and end', { timeout: 600_000 * slowness }, async () => {
    const input = JSON.stringify({ since: 'v1.4.0', version: '1.5.0', date: '2026-11-21' });
    const flow = join(folder, 'release-notes.flow.yaml');
    // The example as it is, with time for a machine that is slow or busy.
    writeFileSync(flow, readFileSync(flow, 'utf8').replace('turns: 8', 'turns: 8\n        seconds: 900'));
    let { code, events } = await pravah('run', flow, '--input', input, '--model', `llama://${realParts.local_model}`);
    const waits = events.find((event) => event.type === 'suspended');
    expect(waits).toMatchObject({ reason: 'approval', tool_id: 'Draft::write_file' });
    expect(
      events.filter((event) => event.type === 'inference_end').every(({ tokens_in, tokens_out }) => tokens_in > 0 && tokens_out > 0),
    ).toBe(true);

    for (let answers = 0; code === 3 && answers < mostAnswers; answers += 1) {
      const run = events[0]?.run_id ?? '';
      ({ code, events } = await pravah('resume', run, '--tool-id', 'Draft::write_file', '--payload', '{"approve":true}'));
    }
    const end = events.at(-1) as RunEventOf<'end_stream'>;
    expect(end).toMatchObject({ type: 'end_stream', status: 'success' });
    // What it says is not judged, only that it is what the flow promises.
    expect(end.output).toEqual({
      version: expect.any(String),
      status: expect.stringMatching(/^(published|withheld|nothing_new)$/),
      summary: expect.any(String),
    });
    expect(code).toBe(0);
  });
});
