import type { LoadSandboxBodies } from '#main/engine/step/run-context.ts';

/** JavaScript bodies, for `RunContext.sandboxBodies`. Loaded on first use. */
export const sandboxBodies: LoadSandboxBodies = async () => (await import('./sandbox-body.ts')).evaluateSandboxBody;
