import { openCapsule } from '#main/capsule/open-capsule.ts';
import { CoverageCounter } from '#main/debug/coverage.ts';
import { countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { Coverage, Uncovered } from '#shared/contract/coverage.ts';

/** Counts what the runs of capsules took of their flows. */
export class CapsuleCoverage {
  readonly #flows = new Map<string, { readonly folder: string; readonly flow: string; readonly counter: CoverageCounter }>();

  /** Adds the run of a capsule whose flow is in `folder` (a real path). Throws as `openCapsule` does. */
  async add(text: string, name: string, folder: string): Promise<void> {
    const { journal, runId } = await openCapsule(text, name);
    try {
      const row = journal.row(runId);
      const key = `${folder}\n${row.flow_path}`;
      const known = this.#flows.get(key) ?? { folder, flow: row.flow_path, counter: new CoverageCounter(row.flow_path) };
      this.#flows.set(key, known);
      known.counter.add(journal, row);
    } finally {
      journal.close();
    }
  }

  /** Returns the coverage of each flow as it is now. A flow that can't be built is reported and left out. */
  async results(): Promise<Coverage[]> {
    const found: Coverage[] = [];
    for (const { folder, flow, counter } of this.#flows.values()) {
      const loaded = await openFlow(flow, { folder, trusted: await isTrusted(folder), settings: await loadSettings(folder) });
      if (loaded.graph) found.push(counter.result(loaded.graph));
      else printNote(`No coverage of ${flow}: ${loaded.problems[0]?.message ?? 'it has errors'}`);
    }
    return found;
  }
}

/** The share of nodes and branches that were taken, in percent; 100 for a flow that has none. */
export function percentOf({ covered, total }: Pick<Coverage, 'covered' | 'total'>): number {
  return total === 0 ? 100 : (covered / total) * 100;
}

/** Prints a flow's coverage with what was never taken and the shortest way there. */
export function printCoverage(coverage: Coverage): void {
  const { flow, covered, total, runs, uncovered } = coverage;
  const percent = `${Math.floor(percentOf(coverage))} %`;
  const taken = `${covered} of ${total} nodes and branches, ${countOf(runs, 'run')}`;
  printLine(`coverage  ${styled('bold', percent)}  ${flow}  ${styled('dim', taken)}`);
  for (const each of uncovered)
    printLine(`  never   ${each.state === null ? each.title : `${each.title} → ${each.state}`}  ${styled('dim', routeText(each))}`);
}

function routeText({ route, marking }: Uncovered): string {
  if (route === null) return 'no way there was found';
  const steps = route.map(({ node, branch }) => (branch === undefined ? node : `${node} → ${branch}`));
  const way = steps.length === 0 ? 'from the start' : `after ${steps.join(', ')}`;
  return `${way}; waiting: ${marking.join(', ')}`;
}
