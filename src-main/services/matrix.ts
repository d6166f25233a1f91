import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** What-if matrices of the open folder. Part of the `runs` router. */
export function matrixRouter(current: Pick<CurrentFolder, 'required'>) {
  const matrices = async () => (await current.required()).matrices;
  return {
    matrixCheck: studio.runs.matrixCheck.handler(async ({ input }) => (await matrices()).check(input)),
    makeMatrix: studio.runs.makeMatrix.handler(async ({ input }) => (await matrices()).make(input)),
    matrix: studio.runs.matrix.handler(async ({ input }) => (await matrices()).read(input.group)),
    runMatrix: studio.runs.runMatrix.handler(async ({ input }) => {
      await (await matrices()).run(input.group);
      return {};
    }),
    stopMatrix: studio.runs.stopMatrix.handler(async ({ input }) => {
      await (await matrices()).stop(input.group);
      return {};
    }),
  };
}
