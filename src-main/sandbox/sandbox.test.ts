import { describe, expect, it } from 'vitest';
import { outcomeIn } from '#main/engine/testing/sandbox-outcome.ts';
import { Sandbox } from './sandbox.ts';

describe('Sandbox', () => {
  it('uses one machine for many calls', async () => {
    const sandbox = await Sandbox.create();
    for (let round = 0; round < 1_000; round += 1)
      expect(outcomeIn(sandbox, `(n) => n + ${round % 3}`)).toEqual({ type: 'value', value: 1 + (round % 3) });
    expect(sandbox.usable).toBe(true);
  });

  it('limits the calls of a body that may be slow: the first, one after a slow one, one with a larger input', async () => {
    const sandbox = await Sandbox.create();
    const native = 'for (;;) "x".repeat(1e6).indexOf("y");';
    const body = (when: string) => `(n) => { if (${when}) { ${native} } return n; }`;
    expect(outcomeIn(sandbox, body('n === 1'), 100)).toMatchObject({ error: { name: 'SandboxBreach' } });
    const second = await Sandbox.create();
    const larger = body('n.length > 100');
    expect(outcomeIn(second, larger, 100, '["x"]')).toEqual({ type: 'value', value: 'x' });
    expect(outcomeIn(second, larger, 100, '["y"]')).toEqual({ type: 'value', value: 'y' });
    expect(outcomeIn(second, larger, 100, JSON.stringify(['x'.repeat(1000)]))).toMatchObject({ error: { name: 'SandboxBreach' } });
    const third = await Sandbox.create();
    const slowThenEndless = '(n) => { if (n === 2) { for (;;) "x".repeat(1e6).indexOf("y"); } for (let i = 0; i < 1e5; i++); return n; }';
    expect(outcomeIn(third, slowThenEndless, 100, '[1]')).toEqual({ type: 'value', value: 1 });
    expect(outcomeIn(third, slowThenEndless, 100, '[2]')).toMatchObject({ error: { name: 'SandboxBreach' } });
  });

  it.each([
    ['an endless loop', '() => { for (;;) {} }'],
    ['a loop that catches everything', '() => { for (;;) try { for (;;) {} } catch {} finally { for (;;) {} } }'],
    ['a chain of promises without end', 'async () => { for (;;) await null; }'],
    ['promises that are not awaited', '() => { const tick = () => Promise.resolve().then(tick); tick(); return 1; }'],
    ['a pattern that backtracks without end', '() => /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['a thenable that never ends', '() => ({ then() { for (;;) {} } })'],
  ])('ends %s after its time, and throws the machine away', async (_name, code) => {
    const sandbox = await Sandbox.create();
    expect(outcomeIn(sandbox, code, 100)).toMatchObject({ type: 'error', error: { name: 'SandboxBreach' } });
    expect(sandbox.usable).toBe(false);
  });
});
