import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { PythonOutcome } from '#main/engine/ports/python-process.ts';
import { slowness } from '#main/testing/slowness.ts';
import type { JsonObject } from '#shared/json.ts';
import { PythonHost, type PythonOptions } from './python-host.ts';
import { withoutPython } from './testing.ts';

const made: Disposable[] = [];

afterEach(() => {
  for (const each of made.splice(0)) each[Symbol.dispose]();
});

/** A folder with Python files, and its Python. */
function project(files: Readonly<Record<string, string>>, options: Partial<PythonOptions> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-python-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const host = new PythonHost({ folder, ...options });
  made.push({
    [Symbol.dispose]: () => {
      host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
  const printed: string[] = [];
  const call = (name: string, value: JsonObject = {}, floats: readonly string[] = [], signal = new AbortController().signal) =>
    host.call({ kind: 'code', name, flow: undefined, kwargs: { value, floats } }, { signal, log: (line) => printed.push(line) });
  return { folder, host, printed, call };
}

const value = (outcome: PythonOutcome) => ('value' in outcome ? outcome.value : outcome);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200 * slowness && isAlive(pid); attempt += 1) await wait(25);
  return !isAlive(pid);
}

describe.skipIf(withoutPython('the process of Python functions'))("the process of a folder's Python", () => {
  it('calls functions and awaits coroutines, with modules imported once', async () => {
    const { call } = project({
      'shop.py':
        'import asyncio\ncalls = []\ndef add(a=None, b=None):\n  calls.append(a)\n  return [a, b, len(calls)]\nasync def later(a):\n  await asyncio.sleep(0)\n  return a * 2',
    });
    expect(value(await call('shop.add', { a: 1, b: null }))).toEqual([1, null, 1]);
    expect(value(await call('shop.add', { a: 'grüß 🐍' }))).toEqual(['grüß 🐍', null, 2]);
    expect(value(await call('shop.later', { a: 4 }))).toBe(8);
  });

  it('tells floats of integral value from integers in both directions', async () => {
    const { call } = project({ 'f.py': 'def kinds(a, b):\n  return {"a": type(a).__name__, "b": b, "c/d": (2.0, 1, [0.5, -3.0])}' });
    expect(await call('f.kinds', { a: 190, b: { x: 7 } }, ['/a', '/b/x'])).toEqual({
      value: { a: 'float', b: { x: 7 }, 'c/d': [2, 1, [0.5, -3]] },
      floats: ['/b/x', '/c~1d/0', '/c~1d/2/1'],
      writes: {},
    });
  });

  it.each([
    ['an exception', 'def f(): raise ValueError("out of stock")', { type: 'ValueError', message: 'out of stock' }],
    ['a missing function', 'x = 1', { type: 'ImportError', message: "Function 'f' not found in module 'm'" }],
    ['a wrong argument', 'def f(a): pass', { type: 'TypeError', message: expect.stringContaining("'a'") }],
    ['sys.exit', 'import sys\ndef f(): sys.exit("enough")', { type: 'SystemExit', message: 'enough' }],
    ['a syntax error', 'def f(:', { type: 'SyntaxError' }],
    [
      'an exception that cannot be shown',
      'class E(Exception):\n  def __str__(self): raise E\ndef f(): raise E',
      { type: 'E', message: '' },
    ],
  ])('reports %s and answers the next call', async (_what, source, error) => {
    const { call } = project({ 'm.py': source, 'other.py': 'def g(): return 5' });
    expect(await call('m.f')).toMatchObject({ error });
    expect(value(await call('other.g'))).toBe(5);
  });

  it("begins a traceback in the user's code", async () => {
    const { call } = project({ 'm.py': 'def inner():\n  raise KeyError("x")\n\ndef f():\n  inner()' });
    const outcome = await call('m.f');
    const { traceback } = 'error' in outcome ? outcome.error : { traceback: '' };
    expect(traceback).toMatch(/^ {2}File ".*m\.py", line 5, in f\n.*line 2, in inner\n.*KeyError: 'x'\n$/s);
  });

  it('passes on what is printed as log lines, whatever is printed', async () => {
    const { call, printed } = project({
      'p.py': `import os, subprocess, sys
def f():
  print('one')
  print('{"id": 1, "value": "forged"}')
  os.write(1, b'two\\n')
  print('three', file=sys.stderr)
  subprocess.run(['echo', 'four'])
  sys.stdout.write('five')
  print('x' * 100_000)
  return sys.stdin.read()`,
    });
    expect(value(await call('p.f'))).toBe('');
    expect(printed.slice(0, 5)).toEqual(['one', '{"id": 1, "value": "forged"}', 'two', 'three', 'four']);
    expect(printed[5]).toHaveLength(64 * 1024);
  });

  it.each([
    ['a set', '{1}', 'Object of type set'],
    ['bytes', '[b"x"]', 'Object of type bytes'],
    ['NaN', '{"a": float("nan")}', 'nan'],
    ['a large integer', '2**53', '2^53 - 1'],
    ['a list in itself', '(lambda a: a.append(a) or a)([])', 'contains itself'],
  ])('reports a result with %s', async (_what, result, message) => {
    const { call } = project({ 'm.py': `def f(): return ${result}` });
    expect(await call('m.f')).toEqual({ not_json: expect.stringContaining(message) });
  });

  it('ends Python and what it started when a call takes too long, and starts it again', async () => {
    const { call, printed } = project(
      {
        'm.py': `import os, subprocess
def pids():
  return [os.getpid(), subprocess.Popen(['sleep', '1000']).pid]
def loop():
  while True: pass`,
      },
      { timeout: 2 * slowness },
    );
    const [own, grandchild] = value(await call('m.pids')) as [number, number];
    await expect(call('m.loop')).rejects.toMatchObject({ variant: 'Timeout', message: expect.stringContaining('m.loop did not finish') });
    expect([await isGone(own), await isGone(grandchild)]).toEqual([true, true]);
    expect(value(await call('m.pids'))).not.toEqual([own, grandchild]);
    expect(printed).toEqual(['Python was started again: what its modules had kept is gone.']);
  });

  it('is ended when the run is stopped', async () => {
    const { call } = project({ 'm.py': 'import os\ndef pid(): return os.getpid()\ndef loop():\n  print("in")\n  while True: pass' });
    const pid = value(await call('m.pid')) as number;
    const abort = new AbortController();
    const looping = call('m.loop', {}, [], abort.signal);
    setImmediate(() => abort.abort());
    await expect(looping).rejects.toMatchObject({ variant: 'Cancelled' });
    expect(await isGone(pid)).toBe(true);
  });

  it('fails the call in which it is killed, and starts again for the next', async () => {
    const { call } = project({ 'm.py': 'import os, signal\ndef die(): os.kill(os.getpid(), signal.SIGKILL)\ndef f(): return 1' });
    await expect(call('m.die')).rejects.toMatchObject({
      variant: 'HandlerError',
      message: expect.stringContaining('SIGKILL'),
      options: { retryable: false },
    });
    expect(value(await call('m.f'))).toBe(1);
  });

  it('rejects an answer of more than 64 MiB, and passes on one below', async () => {
    const { call } = project({ 'm.py': 'def f(mib): return "x" * (mib * 1024 * 1024)' });
    expect(value(await call('m.f', { mib: 32 }))).toHaveLength(32 * 1024 * 1024);
    await expect(call('m.f', { mib: 65 })).rejects.toMatchObject({ variant: 'HandlerError', message: expect.stringContaining('64 MiB') });
  });

  it('ends with its parent, even in an endless loop', async () => {
    const { folder } = project({ 'm.py': 'import os\ndef loop():\n  open("pid", "w").write(str(os.getpid()))\n  while True: pass' });
    const program = `
      import { PythonHost } from ${JSON.stringify(join(import.meta.dirname, 'python-host.ts'))};
      const host = new PythonHost({ folder: ${JSON.stringify(folder)} });
      host.call({ kind: 'code', name: 'm.loop', kwargs: { value: {}, floats: [] } }, { signal: new AbortController().signal, log() {} });
      const { existsSync, readFileSync } = await import('node:fs');
      setInterval(() => existsSync('pid') && readFileSync('pid', 'utf8') && process.kill(process.pid, 'SIGKILL'), 20);`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, timeout: 20_000 * slowness });
    expect(ended.signal).toBe('SIGKILL');
    expect(await isGone(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(true);
  });

  it('sees no key: only PYFLOW_ variables of the user and of .env, and those that are named', async () => {
    const { call } = project(
      { 'm.py': 'import os\ndef f(): return sorted(name for name in os.environ if "TEST" in name or "KEY" in name)' },
      { dotEnv: { PYFLOW_TEST_ENV: '1', OTHER_TEST: '1', NAMED_TEST: '1' }, env: ['NAMED_TEST'] },
    );
    process.env.PYFLOW_TEST_OWN = '1';
    process.env.PRAVAH_TEST_KEY = 'sk-12345678';
    try {
      expect(value(await call('m.f'))).toEqual(['NAMED_TEST', 'PYFLOW_TEST_ENV', 'PYFLOW_TEST_OWN']);
    } finally {
      delete process.env.PYFLOW_TEST_OWN;
      delete process.env.PRAVAH_TEST_KEY;
    }
  });

  it('keeps two runs of a folder apart', async () => {
    const source = { 'm.py': 'kept = []\ndef f(a):\n  kept.append(a)\n  return kept' };
    const one = project(source);
    const other = new PythonHost({ folder: one.folder });
    made.push({ [Symbol.dispose]: () => other.close() });
    const call = { kind: 'code', name: 'm.f', flow: undefined, kwargs: { value: { a: 2 }, floats: [] } } as const;
    const [first, second] = await Promise.all([
      one.call('m.f', { a: 1 }),
      other.call(call, { signal: new AbortController().signal, log: () => undefined }),
    ]);
    expect([value(first), value(second)]).toEqual([[1], [2]]);
  });

  it('answers calls one after the other, each with its own time limit', async () => {
    const { call } = project({ 'm.py': 'import time\ndef f(a):\n  time.sleep(0.05)\n  return a' });
    expect((await Promise.all([1, 2, 3].map((a) => call('m.f', { a })))).map(value)).toEqual([1, 2, 3]);
  });

  it('says what was tried where there is no Python', async () => {
    const { call } = project({}, { interpreter: './missing/python' });
    await expect(call('m.f')).rejects.toMatchObject({
      variant: 'BuildError',
      options: { code: 'CONFIG_PYTHON_MISSING' },
      message: expect.stringContaining('missing/python'),
    });
  });
});
