import { searchRun } from '#main/services/debug/search-run.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** Breakpoints, watches, pins and mocks of the open folder, and what the records of its runs tell about them. */
export function debugRouter(current: Pick<CurrentFolder, 'required'>) {
  const debug = async () => (await current.required()).debug;
  return {
    list: studio.debug.list.handler(async () => (await debug()).list()),
    put: studio.debug.put.handler(async ({ input }) => (await debug()).put(input.breakpoints)),
    remove: studio.debug.remove.handler(async ({ input }) => (await debug()).remove(input.ids)),
    putSupplied: studio.debug.putSupplied.handler(async ({ input }) => (await debug()).putSupplied(input.supplied)),
    removeSupplied: studio.debug.removeSupplied.handler(async ({ input }) => (await debug()).removeSupplied(input.ids)),
    switchSupplied: studio.debug.switchSupplied.handler(async ({ input }) => (await debug()).switchSupplied(input.on)),
    putWatches: studio.debug.putWatches.handler(async ({ input }) => (await debug()).putWatches(input.flow, input.expressions)),
    takeOver: studio.debug.takeOver.handler(async () => (await debug()).takeOver()),
    watch: studio.debug.watch.handler(async function* ({ signal }) {
      yield* (await debug()).watch(signal);
    }),
    evaluate: studio.debug.evaluate.handler(async ({ input }) => (await current.required()).background.call('evaluate', input)),
    lineage: studio.debug.lineage.handler(async ({ input }) => (await current.required()).background.call('lineage', input)),
    coverage: studio.debug.coverage.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('coverage', { ...input, trusted: await session.trusted() });
    }),
    find: studio.debug.find.handler(async function* ({ input, signal }) {
      yield* searchRun((await current.required()).background, input, signal);
    }),
    writesAround: studio.debug.writesAround.handler(async ({ input }) => (await current.required()).background.call('writesAround', input)),
    plot: studio.debug.plot.handler(async ({ input }) => (await current.required()).background.call('plot', input)),
    previousStop: studio.debug.previousStop.handler(async ({ input }) => {
      const { background, debug } = await current.required();
      return background.call('previousStop', { ...input, breakpoints: (await debug.active()).breakpoints });
    }),
  };
}
