import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal } from '#main/journal/journal.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { openAiRules } from '#main/models/testing/vendor-rules.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testKey } from '#main/models/testing/vendors.ts';
import { createContext } from '#main/workspace/create-context.ts';
import { loadFlow } from '#main/workspace/open-flow.ts';
import { resourcesFolder } from '#main/workspace/resources.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { type ExecutorOptions, RunExecutor } from './run-executor.ts';

let root: string;
let folder: string;
let journal: Journal;
let server: VendorServer;
const events: RunEvent[] = [];

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-real-model-')));
  folder = join(root, 'release-notes');
  const examples = join(resourcesFolder(), 'examples');
  cpSync(join(examples, 'release-notes'), folder, { recursive: true });
  const script: string = pathToFileURL(join(examples, 'make-release-history.mjs')).href;
  ((await import(/* @vite-ignore */ script)) as { makeHistory(folder: string): void }).makeHistory(folder);
  mkdirSync(join(folder, '.pravah'));
  journal = Journal.open(join(folder, '.pravah', 'runs.db'));
  server = await VendorServer.start(new LLMock(mockOptions));
  events.length = 0;
});
afterEach(async () => {
  journal.close();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const changelog = '# Changelog\n\n## 1.5.0 (2026-11-21)\n\n- Invoices as CSV (#212)\n';
const notes = { version: '1.5.0', status: 'published', summary: 'Six changes.' };
const calls = [
  { name: 'read_file', arguments: JSON.stringify({ path: 'CHANGELOG.md', offset: null, limit: null }) },
  { name: 'write_file', arguments: JSON.stringify({ path: 'CHANGELOG.md', content: changelog }) },
  { name: 'submit', arguments: JSON.stringify(notes) },
];

async function executorOptions(): Promise<ExecutorOptions> {
  const settings = await loadSettings(folder);
  const environment = { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: `${server.url}/v1` };
  const models = createModelClients({ folder, settings, trusted: true, environment });
  const context = await createContext({ folder, settings, models, consented: true, trusted: true });
  return { journal, context, token: randomUUID(), onEvent: (event) => events.push(event) };
}

it('writes release notes with a model over HTTP up to the approval and the end, without leaking the key', async () => {
  server.mock.addFixture({
    match: { predicate: () => true },
    response: ({ messages }) => {
      const call = calls[messages.filter(({ role }) => role === 'tool').length];
      return call ? { content: 'A step.', toolCalls: [call], usage: { input_tokens: 100, output_tokens: 10 } } : { content: 'Enough.' };
    },
  });
  const { graph, path, text } = await loadFlow(join(folder, 'release-notes.flow.yaml'), {
    folder,
    trusted: true,
    settings: await loadSettings(folder),
  });
  if (!graph) throw new Error('The example does not build.');
  const input = { since: 'v1.4.0', version: '1.5.0', date: '2026-11-21' };
  const models = { Draft: 'openai://gpt-4o' };
  const executor = RunExecutor.start(await executorOptions(), { graph, flow_path: path, flow_text: text, input, models });
  try {
    expect(await executor.continue()).toMatchObject({ status: 'suspended' });
    const asked = events.find((event) => event.type === 'suspended');
    expect(asked).toMatchObject({ reason: 'approval', tool_id: 'Draft::write_file' });
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain('## Unreleased');

    const end = await executor.resume('Draft::write_file', { approve: true }, { then_continue: true });
    expect(end).toMatchObject({ status: 'success', output: notes });
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(changelog);
    expect(events.filter(({ type }) => type === 'inference_end')).toMatchObject([
      { tokens_in: 100, tokens_out: 10, finish_reason: 'tool' },
      { tokens_in: 100, tokens_out: 10, finish_reason: 'tool' },
      { tokens_in: 100, tokens_out: 10, finish_reason: 'tool' },
    ]);
  } finally {
    executor.close();
  }
  expect(server.requests.map(({ body }) => openAiRules(body))).toEqual([[], [], []]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`);
  expect(JSON.stringify(events)).not.toContain(testKey);
  const kept = join(folder, '.pravah');
  for (const name of readdirSync(kept)) expect(readFileSync(join(kept, name)).includes(testKey)).toBe(false);
});
