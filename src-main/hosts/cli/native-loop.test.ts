import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandFolder, endOf, eventsOf } from '#main/hosts/cli/testing/command.ts';
import { skipUnless } from '#main/testing/skip-unless.ts';
import type { RunDetail } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';

// Processes of their own, and five seconds of computing, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const launcher = fileURLToPath(new URL('../../../bin/pravah', import.meta.url));

/** A Node that cannot run the command line itself, if this machine has one. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((path) => existsSync(path) && /^v2[0-3]\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout));

let space: CommandFolder;
beforeEach(() => {
  space = new CommandFolder();
});
afterEach(() => space.remove());

/** A built-in function that takes seconds, so that QuickJS can't check for interruption. */
const native = '() => { for (;;) (2n ** 1000000n - 1n).toString(7); }';

function flowWith(run: string): Json {
  return {
    pravah: 1,
    name: 'Native',
    input: 'A',
    output: 'C',
    schemas: { A: {}, B: {}, C: {} },
    nodes: [
      { kind: 'work', from: 'A', to: 'B', run: '(a) => a' },
      { kind: 'work', from: 'B', to: 'C', run },
    ],
  };
}

const shown = async (runId: string) => JSON.parse((await space.run('show', runId, '--json')).stdout) as RunDetail;

test('a body inside a built-in function fails its run after its time, and each event is printed once', async () => {
  space.write('native.flow.json', flowWith(native));
  const answer = await space.run('run', 'native.flow.json', '--json');
  const error = { variant: 'HandlerError', node: 'B', message: 'The body of B was ended: it computed for more than 5 s.' };
  expect(answer).toMatchObject({ code: 1, stderr: '' });
  expect(eventsOf(answer).map(({ type, seq }) => `${type} ${seq}`)).toEqual([
    'init_stream 0',
    'node_enter 1',
    'node_exit 1',
    'node_enter 2',
    'error 2',
    'end_stream 1',
  ]);
  expect(endOf(answer)).toMatchObject({ status: 'error', error, states: [{ name: 'B', value: {} }] });
  expect(await shown(endOf(answer).run_id)).toMatchObject({ status: 'error', seq: 1, error });
});

test('so does one of a flow that is called as a tool', async () => {
  space.write('inner.flow.json', flowWith(native));
  space.write('outer.flow.json', {
    pravah: 1,
    name: 'Outer',
    input: 'X',
    output: 'Z',
    schemas: { X: {}, Y: {}, Z: {} },
    nodes: [
      { kind: 'work', from: 'X', to: 'Y', run: '(x) => x' },
      { kind: 'work', from: 'Y', to: 'Z', tool: 'flow:./inner.flow.json', with: {} },
    ],
  });
  const answer = await space.run('run', 'outer.flow.json', '--json');
  const message = 'flow:./inner.flow.json failed at B: The body of B was ended: it computed for more than 5 s.';
  expect(endOf(answer)).toMatchObject({ status: 'error', error: { message }, states: [{ name: 'Y' }] });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s cancels a run whose body is inside a built-in function', async (signal) => {
  space.write('native.flow.json', flowWith(native));
  const { child, answer } = space.start('run', 'native.flow.json', '--json');
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text) => String(text).includes('"seq":2') && resolve());
  });
  child.kill(signal);
  const ended = await answer;
  expect(ended).toMatchObject({ code: 130, signal: null });
  expect(endOf(ended)).toMatchObject({ status: 'cancelled', error: { variant: 'Cancelled' } });
  expect(await shown(endOf(ended).run_id)).toMatchObject({ status: 'cancelled' });
});

test('a second signal ends the process at once, and the run can be continued', async () => {
  space.write('native.flow.json', flowWith(native));
  const { child, answer } = space.start('run', 'native.flow.json', '--json');
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text) => String(text).includes('"seq":2') && resolve());
  });
  child.kill('SIGINT');
  // Two signals that are pending together are one.
  setTimeout(() => child.kill('SIGINT'), 300);
  const ended = await answer;
  const [begun] = eventsOf(ended);
  expect(ended.code).toBe(130);
  expect(['paused', 'cancelled']).toContain((await shown(begun?.run_id ?? '')).status);
});

test('counts signals that arrive together as one, as Ctrl+C is sent to a wrapper too', async () => {
  space.write('native.flow.json', flowWith(native));
  const { child, answer } = space.start('run', 'native.flow.json', '--json');
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text) => String(text).includes('"seq":2') && resolve());
  });
  child.kill('SIGINT');
  child.kill('SIGTERM');
  const ended = await answer;
  expect(ended.code).toBe(130);
  expect(endOf(ended)).toMatchObject({ status: 'cancelled' });
});

const wrapped = skipUnless(olderNode !== undefined, 'signals to bin/pravah', 'no Node older than 24 is on the PATH');

test.skipIf(wrapped)('is cancelled by a signal to bin/pravah alone, where that starts another Node', async () => {
  space.write('native.flow.json', flowWith(native));
  const wrapper = spawn(olderNode as string, [launcher, 'run', 'native.flow.json', '--json'], {
    cwd: space.folder,
    env: { ...process.env, PRAVAH_HOME: join(space.root, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise<void>((resolve) => {
    wrapper.stdout.on('data', (text) => {
      printed += String(text);
      if (printed.includes('"seq":2')) resolve();
    });
  });
  const ended = once(wrapper, 'close');
  wrapper.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(printed).toContain('"status":"cancelled"');
});

test('prints a long output whole, to a reader that is slow', async () => {
  const long = "() => 'x'.repeat(20_000_000)";
  space.write('long.flow.json', flowWith(long));
  const answer = await space.run('run', 'long.flow.json', '--json');
  expect(answer.code).toBe(0);
  expect(String(endOf(answer).output)).toHaveLength(20_000_000);
});
