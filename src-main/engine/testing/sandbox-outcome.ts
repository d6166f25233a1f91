import { type GuestOutcome, type Sandbox, SandboxBreach } from '#main/sandbox/sandbox.ts';

/** The outcome of a body in a sandbox that no other thread watches; an exceeded limit counts as its error. `budget`: milliseconds of computing. */
export function outcomeIn(sandbox: Sandbox, code: string, budget = 5_000, args = '[1]'): GuestOutcome {
  const nothing = () => {};
  const invocation = { code, node: 'A', args, tools: [], now: 0, budget, watched: false, stopped: false, seed: () => 1 };
  try {
    return sandbox.invoke({ ...invocation, log: nothing, call: nothing });
  } catch (error) {
    if (error instanceof SandboxBreach) return { type: 'error', error: { name: 'SandboxBreach', message: error.message } };
    throw error;
  }
}
