import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';
import type { ConversationEntry } from '#shared/run/message.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  vi.stubEnv('NO_COLOR', '1');
  write('pravah.json', {});
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, content: object): string {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

/** Runs a command in this process; returns its exit code and what it wrote. */
async function pravah(...words: string[]): Promise<{ code: number; out: string; all: string }> {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
  const code = await runCommandLine([...words, '--folder', folder]);
  vi.restoreAllMocks();
  return { code, out: written.stdout, all: written.stdout + written.stderr };
}

/** Agents that talk to a customer: before a person has answered, and after. */
const flow = {
  pravah: 1,
  name: 'Talk',
  input: 'A',
  output: 'D',
  schemas: { A: { type: 'object' }, B: {}, C: { type: 'object' }, D: {} },
  nodes: [
    { kind: 'agent', from: 'A', to: 'B', agent: talker() },
    { kind: 'suspend', from: 'B', to: 'C' },
    { kind: 'agent', from: 'C', to: 'D', agent: talker() },
  ],
};

function talker() {
  return { model: 'script://answers.json', mode: 'chat', prompt: '{text}', conversation: { scope: 'workspace', key: 'customer/{id}' } };
}

/** Starts a run whose first agent has talked, and returns its id. */
async function talked(text: string, answer: string): Promise<string> {
  write('answers.json', { turns: [{ text: answer }, { text: `${answer} again` }] });
  const { out, all } = await pravah('run', write('talk.flow.json', flow), '--input', JSON.stringify({ id: 7, text }), '--json');
  const run = /"run_id":"([^"]+)"/.exec(out)?.[1];
  if (run === undefined) throw new Error(all);
  return run;
}

async function resumed(run: string, text: string): Promise<{ code: number; all: string }> {
  return pravah('resume', run, '--tool-id', 'B::suspend', '--payload', JSON.stringify({ id: 7, text }));
}

async function said(key = 'customer/7'): Promise<string[]> {
  const { out } = await pravah('conversations', 'show', key, '--json');
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { entry, role, content } = JSON.parse(line) as ConversationEntry;
      return `${entry.position} ${role} ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join()}`;
    });
}

test('runs of a folder share a conversation, which is listed and shown', async () => {
  const first = await talked('Hi', 'Hello');
  await talked('Me again', 'Welcome back');
  expect(await said()).toEqual(['1 user Hi', '2 assistant Hello', '3 user Me again', '4 assistant Welcome back']);
  expect((await pravah('conversations')).out).toMatch(/^customer\/7 .* 4 entries {2}\d+ tokens\n$/);
  expect((await resumed(first, 'Still there?')).code).toBe(0);
  expect(await said()).toHaveLength(6);
  expect((await pravah('conversations', 'show', 'customer/7')).out).toContain('Still there?');
});

test('a replay stays identical after later messages and a drop', async () => {
  const run = await talked('Hi', 'Hello');
  for (const text of ['one', 'two', 'three']) await talked(text, `to ${text}`);
  await resumed(run, 'Now?');
  await talked('later', 'much later');
  await pravah('conversations', 'drop', 'customer/7');
  expect(await said()).toEqual([]);
  const { code, all } = await pravah('replay', run);
  expect({ code, all }).toMatchObject({ code: 0, all: expect.stringContaining('same') });
  await talked('fresh', 'start');
  expect(await said()).toEqual(['13 user fresh', '14 assistant start']);
});

test('a run with a summary replays without a model, and a fork from behind the summary sends the same messages', async () => {
  for (const text of ['one', 'two']) await talked(text, `to ${text}`);
  const summarising = { ...talker(), context: { last: 4, summarise: { at: 0.5, keep: 2 } } };
  const short = {
    ...flow,
    output: 'B',
    schemas: { A: { type: 'object' }, B: {} },
    nodes: [{ kind: 'agent', from: 'A', to: 'B', agent: summarising }],
  };
  write('answers.json', { turns: [{ text: 'They said one.' }, { text: 'to three' }] });
  const { out } = await pravah('run', write('short.flow.json', short), '--input', '{"id": 7, "text": "three"}', '--json');
  const run = /"run_id":"([^"]+)"/.exec(out)?.[1] ?? '';
  expect(await said()).toHaveLength(7);
  rmSync(join(folder, 'answers.json'));
  expect((await pravah('show', run)).out).toMatch(/1 {2}A +agent compact +summary\n.*2 {2}A +agent reason/);
  expect((await pravah('replay', run)).code).toBe(0);
  write('answers.json', { turns: [{ text: 'unused' }, { text: 'to three, too' }] });
  const forked = await pravah('fork', run, '--step', '1', '--run', '--json');
  // The summary, the exchange that it keeps, and the prompt.
  for (const printed of [out, forked.out]) expect(printed).toContain('"message_count":4');
  expect(forked.out).toContain('to three, too');
});

test('what the rules of mask match leaves the folder in no exported conversation and no capsule', async () => {
  const run = await talked('My IBAN is DE02120300000000202051.', 'DE02120300000000202051, noted.');
  write('pravah.json', { mask: [{ name: 'iban', pattern: '[A-Z]{2}\\d{2}[A-Z0-9]{11,30}' }] });
  const capsule = join(folder, 'run.capsule.json');
  await pravah('export-run', run, '--out', capsule);
  const texts = [
    (await pravah('conversations', 'export', 'customer/7')).out,
    (await pravah('conversations', 'export', 'customer/7', '--format', 'openai')).out,
    readFileSync(capsule, 'utf8'),
  ];
  for (const text of texts) {
    expect(text).toContain('My IBAN is {mask:iban}.');
    expect(text).not.toContain('DE0212');
  }
  expect(await said()).toEqual(['1 user My IBAN is DE02120300000000202051.', '2 assistant DE02120300000000202051, noted.']);
  write('pravah.json', { mask: [{ name: 'all', pattern: '(' }] });
  expect((await pravah('conversations', 'export', 'customer/7')).all).toContain('/mask/0/pattern: a regular expression');
});

test('a fork writes a branch, which is no part of the conversation until it is adopted', async () => {
  const run = await talked('Hi', 'Hello');
  const { out } = await pravah('fork', run, '--step', '2', '--json');
  const fork = /"run_id":"([^"]+)"/.exec(out)?.[1] ?? '';
  write('answers.json', { turns: [{ text: 'in the fork' }] });
  await resumed(fork, 'What if?');
  expect(await said()).toEqual(['1 user Hi', '2 assistant Hello']);
  const branch = (await pravah('conversations', 'branches', 'customer/7')).out.split(' ')[0] ?? '';
  expect(branch).toBe(`@workspace/customer/7#${fork}`);
  expect(await said(branch)).toEqual(['1 user Hi', '2 assistant Hello', '3 user What if?', '4 assistant in the fork']);
  expect((await pravah('conversations', 'adopt', branch)).code).toBe(0);
  expect(await said()).toEqual(['1 user Hi', '2 assistant Hello', '3 user What if?', '4 assistant in the fork']);
  expect((await pravah('conversations', 'branches', 'customer/7')).out).toBe('');
});

test('a branch is not adopted once the conversation has moved on', async () => {
  const run = await talked('Hi', 'Hello');
  const { out } = await pravah('fork', run, '--step', '2', '--json');
  const fork = /"run_id":"([^"]+)"/.exec(out)?.[1] ?? '';
  await resumed(fork, 'What if?');
  await talked('meanwhile', 'yes');
  const refused = await pravah('conversations', 'adopt', `@workspace/customer/7#${fork}`);
  expect(refused.code).not.toBe(0);
  expect(refused.all).toContain('has 2 new entries since the fork at position 2, and the branch 2. Nothing was changed.');
  expect(await said()).toHaveLength(4);
});

test('a conversation that a waiting run holds is busy until it is released, and then the run cannot go on in it', async () => {
  const asking = { ...talker(), tools: ['ask_user'], mode: 'structured' };
  write('answers.json', { turns: [{ tool_calls: [{ tool: 'ask_user', input: { question: 'Sure?' } }] }, { output: 'done' }] });
  const asks = {
    ...flow,
    output: 'B',
    schemas: { A: { type: 'object' }, B: {} },
    nodes: [{ kind: 'agent', from: 'A', to: 'B', agent: asking }],
  };
  const { out } = await pravah('run', write('ask.flow.json', asks), '--input', '{"id": 7, "text": "Hi"}', '--json');
  const run = /"run_id":"([^"]+)"/.exec(out)?.[1] ?? '';
  write('answers.json', { turns: [{ text: 'mine' }] });
  const blocked = await pravah('run', write('talk.flow.json', flow), '--input', '{"id": 7, "text": "Me"}');
  expect(blocked.all).toContain(`A of run ${run} is in the middle of it, which waits for an answer to A::ask_user`);
  expect((await pravah('conversations')).out).toContain(`held by A of ${run}, waiting for A::ask_user`);
  expect((await pravah('conversations', 'drop', 'customer/7')).all).toContain('is busy');
  expect((await pravah('conversations', 'release', 'customer/7')).all).toContain('Released');
  await talked('Me', 'Welcome');
  const late = await pravah('resume', run, '--tool-id', 'A::ask_user', '--payload', '"yes"');
  expect(late.all).toContain('has moved on since A read it');
});

test('an exported conversation can be imported elsewhere, and the format for fine-tuning has one line', async () => {
  await talked('Hi', 'Hello');
  const file = join(root, 'talk.json');
  expect((await pravah('conversations', 'export', 'customer/7', '-o', file)).code).toBe(0);
  expect((await pravah('conversations', 'import', file)).all).toContain('There is a conversation customer/7 already');
  const { out } = await pravah('conversations', 'export', 'customer/7', '--format', 'openai');
  expect(JSON.parse(out)).toEqual({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  });
  folder = join(root, 'other');
  mkdirSync(folder);
  write('pravah.json', {});
  await talked('unrelated', 'yes');
  await pravah('conversations', 'erase', 'customer/7', '--yes');
  expect((await pravah('conversations', 'import', file)).all).toContain('Imported customer/7 with 2 entries.');
  await talked('And now?', 'Now this');
  expect(await said()).toEqual(['1 user Hi', '2 assistant Hello', '3 user And now?', '4 assistant Now this']);
  const broken = JSON.parse(readFileSync(file, 'utf8')) as { entries: ConversationEntry[] };
  writeFileSync(file, JSON.stringify({ ...broken, key: 'k', entries: [...broken.entries].reverse() }));
  expect((await pravah('conversations', 'import', file)).all).toContain('at entries/1, its position is not higher');
});

test('a conversation that is imported into a folder without runs is there afterwards', async () => {
  await talked('Hi', 'Hello');
  const file = join(root, 'talk.json');
  await pravah('conversations', 'export', 'customer/7', '-o', file);
  folder = join(root, 'fresh');
  mkdirSync(folder);
  expect((await pravah('conversations', 'import', file)).all).toContain('Imported customer/7 with 2 entries.');
  expect((await pravah('conversations')).out).toContain('customer/7');
  await talked('And now?', 'Now this');
  expect(await said()).toEqual(['1 user Hi', '2 assistant Hello', '3 user And now?', '4 assistant Now this']);
});

test('erasing removes the runs, too, and leaves nothing of the text in the journal', async () => {
  const secret = 'a sentence that no one finds again';
  await talked(secret, 'Hello');
  expect((await pravah('conversations', 'erase', 'customer/7')).all).toContain('This removes customer/7 and 1 run for good. Add --yes');
  expect((await pravah('conversations', 'erase', 'customer/7', '--yes')).code).toBe(0);
  expect((await pravah('conversations')).out).toContain('No conversations yet');
  expect((await pravah('runs')).out).toContain('No runs yet');
  const file = join(folder, '.pravah', 'runs.db');
  expect(existsSync(file)).toBe(true);
});

test('conversations that were not used for keep_days are removed when a run starts, and when they are listed', async () => {
  await talked('Hi', 'Hello');
  write('pravah.json', { conversations: { keep_days: 1 } });
  expect(await said()).toHaveLength(2);
  const day = 86_400_000;
  vi.useFakeTimers({ now: Date.now() + 2 * day, toFake: ['Date'] });
  try {
    await talked('Back', 'Welcome');
    expect(await said()).toEqual(['1 user Back', '2 assistant Welcome']);
    vi.setSystemTime(Date.now() + 2 * day);
    expect((await pravah('conversations')).out).toContain('No conversations yet');
  } finally {
    vi.useRealTimers();
  }
});
