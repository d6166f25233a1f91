import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { goOn } from '#main/engine/testing/run-to-end.ts';
import { startPython } from '#main/python/start-python.ts';
import { withoutPython } from '#main/python/testing.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';

let folder: string;
let events: RunEvent[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-python-')));
  mkdirSync(join(folder, 'shop'));
  events = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly content: string;
  readonly state: Record<string, Json>;
  readonly floats?: readonly string[];
}

/** Runs expressions and then one function. */
async function call(name: string, inputs: Record<string, string> = {}, signal = new AbortController().signal): Promise<Result> {
  const given = Object.entries(inputs).map(([key, expression]) => ({ name: key, type: 'expr', expression, output_key: key }));
  const agents = [...given, { name: 'f', type: 'code', function: name, input_keys: [...Object.keys(inputs), 'absent'], output_key: 'r' }];
  const workflow = { name: 'w', agents, orchestration: { type: 'sequential', agents: agents.map((agent) => agent.name) } };
  const { graph } = loadWorkflow(JSON.stringify(workflow), 'workflow.yaml', { folder, settings: defaultSettings, trusted: true });
  if (!graph) throw new Error('The workflow did not compile.');
  const python = startPython({ folder });
  const secrets = new Map([['TOKEN', 'tk-12345678']]);
  const context = quietContext({ working_dir: folder, python, secrets, signal, onEvent: (event) => events.push(event) });
  const outcome = await goOn(FlowRuntime.new(graph, {}), context).finally(() => python.close());
  return (outcome as { output: unknown }).output as Result;
}

const python = (text: string) => writeFileSync(join(folder, 'shop/prices.py'), text);

describe.skipIf(withoutPython('code agents'))('a code agent', () => {
  it('calls a function of the folder with the keys of the state, and keeps floats as floats', async () => {
    python(
      'def total(prices, absent):\n    return {"sum": sum(prices) * 1.0, "kind": type(prices[0]).__name__, "absent": absent, "pair": (1, 2)}\n',
    );
    const { state, content, floats } = await call('shop.prices.total', { prices: '[2.0, 3]' });
    expect(state.r).toEqual({ sum: 5, kind: 'float', absent: null, pair: [1, 2] });
    expect(content).toBe('{"sum": 5.0, "kind": "float", "absent": null, "pair": [1, 2]}');
    expect(floats).toEqual(['/prices/0', '/r/sum']);
  });

  it('awaits async functions, and text is the answer as it is', async () => {
    python('import asyncio\nasync def hello(absent):\n    await asyncio.sleep(0)\n    return "é"\n');
    expect(await call('shop.prices.hello')).toMatchObject({ content: 'é', state: { r: 'é' } });
  });

  it.each([
    ['an exception', 'raise ValueError("no stock")', 'no stock'],
    ['an exit', 'raise SystemExit("bye")', 'bye'],
  ])('says %s and writes nothing', async (_what, body, message) => {
    python(`def f(absent):\n    ${body}\n`);
    const { content, state } = await call('shop.prices.f');
    expect([content, Object.hasOwn(state, 'r')]).toEqual([`CodeAgent error: ${message}`, false]);
  });

  it('says what cannot be found', async () => {
    expect((await call('shop.missing.f')).content).toBe("CodeAgent error: No module named 'shop.missing'");
    python('');
    expect((await call('shop.prices.f')).content).toBe("CodeAgent error: Function 'f' not found in module 'shop.prices'");
  });

  it.each([
    ['a set', '{1}'],
    ['NaN', 'float("nan")'],
    ['a large integer', '[2 ** 60]'],
  ])('fails the step for %s', async (_what, value) => {
    python(`def f(absent):\n    return ${value}\n`);
    await expect(call('shop.prices.f')).rejects.toThrow(/The result of f is not JSON serializable/);
  });

  it('logs what the function prints, which never becomes its answer', async () => {
    python('def f(absent):\n    print(\'{"id": 1, "json": "2"}\')\n    return 1\n');
    expect((await call('shop.prices.f')).state.r).toBe(1);
    const lines = events.flatMap((event) => (event.type === 'log' ? event.values : []));
    expect(lines).toEqual(['{"id": 1, "json": "2"}']);
  });

  it('fails the step, before anything is on record, for a result with a known secret', async () => {
    python('def f(absent):\n    return {"a": ["tk-" + "12345678"]}\n');
    const failure = { variant: 'SecretInState', message: expect.stringContaining('The result of shop.prices.f contains the secret TOKEN') };
    await expect(call('shop.prices.f')).rejects.toMatchObject(failure);
  });

  it('is ended with the run, whatever it is doing', async () => {
    python('import time\ndef f(absent):\n    print("started", flush=True)\n    time.sleep(3600)\n');
    const abort = new AbortController();
    const run = call('shop.prices.f', {}, abort.signal);
    const started = setInterval(() => events.some(({ type }) => type === 'log') && abort.abort(), 20);
    await expect(run).rejects.toThrow(/cancelled/);
    clearInterval(started);
  });
});

it('needs a trusted folder', async () => {
  const agents = [{ name: 'f', type: 'code', function: 'shop.prices.f', output_key: 'r' }];
  const workflow = { name: 'w', agents, orchestration: { type: 'sequential', agents: ['f'] } };
  const loaded = loadWorkflow(JSON.stringify(workflow), 'workflow.yaml', { folder, settings: defaultSettings, trusted: false });
  expect(loaded.problems.map(({ code, path }) => `${code} ${path}`)).toEqual(['needs_trust /agents/0']);
});
