import { historyOptions } from '#main/time-travel/history-options.ts';
import { chooseFlow } from '#main/time-travel/recorded-flow.ts';
import { version } from '#main/version.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Capsule, CapsuleBody } from './capsule-format.ts';
import { integrityOf } from './integrity.ts';
import { openCapsule } from './open-capsule.ts';
import { recompute, Unrecorded } from './recompute.ts';

/**
 * Replays a capsule's run with the current flow in `folder` and its recorded outcomes and answers, and returns the resulting capsule. Throws `Conflict` if
 * the flow needs an unrecorded outcome, for which a new run is required.
 */
export async function updateCapsule(text: string, name: string, folder: string): Promise<Capsule> {
  const { capsule, journal, runId } = await openCapsule(text, name);
  try {
    const row = journal.row(runId);
    const { graph, flow_text, sources } = await chooseFlow(journal, row, 'current', await historyOptions(folder));
    const ended = await recompute(capsule, graph).catch((error: unknown) => {
      throw error instanceof Unrecorded ? refused(name, error.message) : error;
    });
    const body: CapsuleBody = {
      ...capsule,
      program: version,
      flow: { text: flow_text, sources: Object.fromEntries(sources), graph: null },
      ...ended,
      run: { ...capsule.run, ...ended.run, flow_name: graph.name },
    };
    const { integrity: _before, ...rest } = body as Capsule;
    return { ...rest, integrity: integrityOf(rest) };
  } finally {
    journal.close();
  }
}

function refused(name: string, why: string): FlowError {
  return new FlowError('Conflict', `Can't update ${name}: ${why}. Run the flow again and export that run.`, {
    details: { path: name },
  });
}
