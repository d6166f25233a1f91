import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { Journal } from '#main/journal/journal.ts';
import type { Json } from '#shared/json.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const loop: Json = {
  pravah: 1,
  name: 'Loop',
  input: 'A',
  output: 'Z',
  schemas: { A: {}, Count: {}, Again: {}, Asked: {}, Z: {} },
  nodes: [
    { kind: 'work', from: 'A', to: 'Count', expr: '{n: 0}' },
    { kind: 'either', from: 'Count', to: ['Again', 'Asked'], expr: 'n < 3' },
    { kind: 'work', from: 'Again', to: 'Count', expr: '{n: n + 1}', title: 'Once more' },
    { kind: 'suspend', from: 'Asked', to: 'Z' },
  ],
};

let folder: CommandFolder;
let path: string;
beforeEach(() => {
  folder = new CommandFolder();
  path = folder.write('loop.flow.json', loop);
});
afterEach(() => folder.remove());

/** Runs `pravah debug` with these commands from a pipe. */
function debug(target: string, ...commands: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'debug', target], {
    cwd: folder.folder,
    env: { ...process.env, PRAVAH_HOME: join(folder.root, 'home'), NO_COLOR: '1' },
  });
  child.stdin.end(commands.map((line) => `${line}\n`).join(''));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })));
}

test('steps, stops at breakpoints, looks back, evaluates and answers, with commands from a pipe', async () => {
  const { code, out, err } = await debug(
    path,
    'b Again if n > 0',
    'c',
    'bt',
    'p n + 1',
    'w states.Again',
    'c',
    'rc',
    'b',
    'f',
    'now',
    'states',
    'log',
    'd b1',
    'rfind states.Again.n === 1',
    'find n > 1',
    'who Count/n',
    'used Count',
    'now',
    'c',
    'p input.n',
    'answer {"done": true}',
    'q',
  );
  expect(err).toBe('');
  expect(code).toBe(0);
  for (const line of [
    'step 0  next: A',
    'b1  Again if n > 0',
    'stopped  b1: before Once more\n',
    '  #0  Once more  loop.flow.json#Again',
    'stopped  b1: before Once more, hit 2',
    '  states.Again = {"n":2}',
    'would have stopped  b1: before Once more',
    'step 3 of 6  Once more',
    'step 4 of 6  Count',
    'Again  step 6  {"n":2}',
    'step 5 of 6  Once more',
    'step 5  Count/n  Once more  introduced here',
    'step 6  Count  Count      used',
    'next: Asked',
  ])
    expect(out).toContain(line);
});

test('a run stays paused after q and is debugged again by its id; a fork continues apart', async () => {
  const first = await debug(path, 's', 's', 'q');
  expect(first.code).toBe(4);
  const [id = ''] = (await folder.run('runs')).stdout.split(/\s/);
  const again = await debug(id, 'u state:Asked', 'b', 'fork', 'p n', 'missing', 'b Missing', 'rfind n === 99');
  expect(again.out).toContain('stopped  here: Asked written after Count');
  expect(again.out).toMatch(/forked from \S+ at step 7\n/);
  expect(again.out).toContain('\n3\n');
  expect(again.err).toContain('Unknown command "missing"');
  expect(again.err).toContain('nothing in the flow matches it');
  expect(again.err).toContain('n === 99 is not true after any earlier step.');
  expect((await folder.run('runs')).stdout.split('\n').filter(Boolean)).toHaveLength(2);
});

/** A flow whose one body calls a tool twice. */
function calling(): string {
  const call = (data: string) => `await ctx.tools.storage(${JSON.stringify({ path: 'log.txt', action: 'append', data })})`;
  return folder.write('calling.flow.json', {
    ...(loop as object),
    schemas: { A: {}, Z: {} },
    nodes: [
      {
        kind: 'work',
        from: 'A',
        to: 'Z',
        run: `async (a, ctx) => [${call('one;')}, ${call('two;')}].length`,
        tools: [{ use: 'storage', approve: 'never' }],
      },
    ],
  } as Json);
}

test('holds a run before a call of code, continues it, and leaves it paused after q', async () => {
  const { code, out, err } = await debug(calling(), 'b tool:storage', 'c', 'answer 1', 'n', 'q');
  expect(err).toContain('The run is held inside a step.');
  expect(out).toContain('held  b1: before storage in A\n  {"path":"log.txt","action":"append","data":"one;"}');
  expect(out).toContain('held  b1: before storage in A, hit 2');
  expect(code).toBe(4);
  expect(readFileSync(join(folder.folder, 'log.txt'), 'utf8')).toBe('one;');
  const [id = '', ...shown] = (await folder.run('runs')).stdout.split(/\s+/);
  expect(shown).toContain('paused');
  const rest = await debug(id, 'c');
  expect(rest.code).toBe(0);
  expect(readFileSync(join(folder.folder, 'log.txt'), 'utf8')).toBe('one;two;');
});

test('keeps the lease of a run that is held while it waits for a command', async () => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'debug', calling()], {
    cwd: folder.folder,
    env: { ...process.env, PRAVAH_HOME: join(folder.root, 'home'), NO_COLOR: '1' },
  });
  const ended = new Promise((done) => child.on('close', done));
  child.stdin.write('b tool:storage\nc\n');
  let out = '';
  await new Promise<void>((held) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('held  b1')) held();
    });
  });
  const journal = Journal.open(join(folder.folder, '.pravah', 'runs.db'));
  const expires = () => Number((journal.database.prepare('SELECT lease_expires AS at FROM runs').get() as { at: number }).at);
  const first = expires();
  await vi.waitUntil(() => expires() > first, { timeout: 60_000, interval: 100 });
  journal.close();
  child.stdin.end('q\n');
  expect(await ended).toBe(4);
});

test('continues a held run after --hold seconds, and says so', async () => {
  const { code, stdout, stderr } = await folder.run('run', calling(), '--break', 'tool:storage hits 2', '--hold', '1');
  expect(code).toBe(0);
  expect(stderr).toContain('held  b1: before storage in A, hit 2');
  expect(stdout).toContain('log warn "The run was held for 1 s and continues: b1: before storage in A, hit 2');
  expect(readFileSync(join(folder.folder, 'log.txt'), 'utf8')).toBe('one;two;');
  expect((await folder.run('run', calling(), '--break', 'tool:storage')).stderr).toContain('add --hold SECONDS');
});
