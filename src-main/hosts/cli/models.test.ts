import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '#main/hosts/cli/command-line/command-line.ts';

const key = 'sk-from-standard-input-0123456789abcdef';
let root: string;
let folder: string;
const before = process.cwd();

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-cli-models-')));
  folder = join(root, 'workspace');
  mkdirSync(folder);
  mkdirSync(join(folder, '.pravah'));
  vi.stubEnv('PRAVAH_HOME', join(root, 'home'));
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) vi.stubEnv(name, '');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  expect(process.cwd()).toBe(before);
  rmSync(root, { recursive: true, force: true });
});

/** Runs a command in this process, as if in the folder, with this on its standard input. */
async function pravah(words: readonly string[], input = '') {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin);
  try {
    return { code: await runCommandLine(words), ...written };
  } finally {
    for (const spy of [...spies, stdin]) spy.mockRestore();
  }
}

test('a key comes from standard input, is listed without itself, and is forgotten', async () => {
  expect(await pravah(['key', 'set', 'openai'], `${key}\n`)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Stored for https://api.openai.com/v1'),
  });
  expect(await pravah(['models'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/openai:\/\/ .*key stored/) });
  const listed = await pravah(['key', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ provider: 'openai', endpoint: 'https://api.openai.com/v1', protection: 'file' });
  expect(listed.stdout + listed.stderr).not.toContain(key);
  for (const name of readdirSync(join(root, 'home'))) expect(readFileSync(join(root, 'home', name)).includes(key)).toBe(false);
  expect((await pravah(['key', 'remove', 'openai'])).code).toBe(0);
  expect(await pravah(['key', 'remove', 'openai'])).toMatchObject({ code: 1, stderr: expect.stringContaining('No key of openai') });
  expect(await pravah(['key', 'set', 'openai'], 'two words')).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid key') });
  expect(await pravah(['key', 'set', 'unknown'], key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Others need --endpoint'),
  });
});

test('models test checks a model and reports an unknown provider', async () => {
  writeFileSync(join(folder, 'yes.json'), JSON.stringify({ turns: [{ text: 'OK', usage: { tokens_in: 2, tokens_out: 1 } }] }));
  const tried = await pravah(['models', 'test', 'script://yes.json', '--json']);
  expect(JSON.parse(tried.stdout)).toMatchObject({ ok: true, tokens: 3 });
  expect(await pravah(['models', 'test', 'openai://gpt-4o'])).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a key') });
  expect(await pravah(['models', 'list', 'absent'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Unknown service absent'),
  });
  writeFileSync(join(folder, 'text.gguf'), 'text');
  expect(await pravah(['models', 'add', 'text.gguf'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a model file') });
});

const flow = {
  pravah: 1,
  name: 'Two agents',
  input: 'A',
  output: 'C',
  schemas: { A: {}, B: {}, C: {} },
  nodes: [
    { kind: 'agent', from: 'A', to: 'B', agent: { model: 'openai://gpt-4o', mode: 'chat', prompt: 'x' } },
    { kind: 'agent', from: 'B', to: 'C', agent: { model: 'anthropic://claude-x', mode: 'chat', prompt: 'y' } },
  ],
};

test('a run takes one model for all agents, or another for one of them', async () => {
  writeFileSync(join(folder, 'two.flow.json'), JSON.stringify(flow));
  for (const name of ['one', 'other']) writeFileSync(join(folder, `${name}.json`), JSON.stringify({ turns: [{ text: `I am ${name}.` }] }));
  const run = (...words: string[]) => pravah(['run', join(folder, 'two.flow.json'), '--json', ...words]);
  const end = (answer: { stdout: string }) => JSON.parse(answer.stdout.trim().split('\n').at(-1) ?? '{}');
  expect(end(await run('--model', 'script://one.json'))).toMatchObject({ status: 'success', output: 'I am one.' });
  const both = await run('--model', 'script://one.json', '--model', 'B=script://other.json');
  expect(end(both)).toMatchObject({ status: 'success', output: 'I am other.' });
  expect(both.stdout).toContain('I am one.');
  expect(await run('--model', 'gpt-4o')).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid model URL') });
  expect(await run('--model', 'X=script://one.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('Agents: A, B.') });
});
