import { describe, expect, it } from 'vitest';
import { type GuestOutcome, Sandbox, SandboxBreach } from './sandbox.ts';

function invoke(sandbox: Sandbox, code: string, budget = 5_000): GuestOutcome {
  return sandbox.invoke({
    code,
    node: 'A',
    args: '[1]',
    tools: [],
    now: 0,
    budget,
    stopped: false,
    log: () => {},
    call: () => {},
    seed: () => 1,
  });
}

describe('Sandbox', () => {
  it('uses one machine for many calls', async () => {
    const sandbox = await Sandbox.create();
    for (let round = 0; round < 1_000; round += 1)
      expect(invoke(sandbox, `(n) => n + ${round % 3}`)).toEqual({ type: 'value', value: 1 + (round % 3) });
    expect(sandbox.usable).toBe(true);
  });

  it.each([
    ['an endless loop', '() => { for (;;) {} }'],
    ['a loop that catches everything', '() => { for (;;) try { for (;;) {} } catch {} finally { for (;;) {} } }'],
    ['a chain of promises without end', 'async () => { for (;;) await null; }'],
    ['promises that nobody waits for', '() => { const tick = () => Promise.resolve().then(tick); tick(); return 1; }'],
    ['a pattern that backtracks without end', '() => /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['a thenable that never ends', '() => ({ then() { for (;;) {} } })'],
  ])('ends %s after its time, and throws the machine away', async (_name, code) => {
    const sandbox = await Sandbox.create();
    expect(() => invoke(sandbox, code, 100)).toThrow(SandboxBreach);
    expect(sandbox.usable).toBe(false);
  });
});
