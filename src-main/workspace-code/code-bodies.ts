import type { LoadCodeBodies } from '#main/engine/step/run-context.ts';

/** Bodies in a workspace's own files, for `RunContext.codeBodies`. Loaded on first use. */
export const codeBodies: LoadCodeBodies = async () => {
  const [{ evaluateModuleBody }, { evaluateHandlerBody }] = await Promise.all([import('./module-body.ts'), import('./handler-body.ts')]);
  return { module: evaluateModuleBody, handler: evaluateHandlerBody };
};
