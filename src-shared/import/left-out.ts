import type { ReportForeign } from './foreign-problem.ts';

/** A setting of the other tool that has no place in a flow, and what to do instead. */
export interface LeftOut {
  readonly setting: string;
  readonly instead: string;
}

const retried = 'A failed step stops the run, and can be retried there.';

/** What to do instead of settings that several tools have. */
export const instead = {
  retries: retried,
  goOn: retried,
  timeout: 'Calls end after the time limit of their tool or model.',
  pins: 'Pin the output of the node in the studio (Debugging).',
  parallel: 'Items run one after the other.',
} as const;

/** Reports the settings of a node that are left out, all at once. */
export function reportLeftOut(what: string, at: Parameters<ReportForeign>[1], found: readonly LeftOut[], report: ReportForeign): void {
  if (found.length === 0) return;
  const settings = found.map(({ setting }) => setting).join(', ');
  const advice = [...new Set(found.map((each) => each.instead))].join(' ');
  report('import_ignored', at, `${what} runs without ${settings}. ${advice}`);
}
