import { resolve } from 'node:path';
import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { validationReport } from '#shared/flow/validation-report.ts';

export interface ValidateOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
}

/** `pravah validate FLOW`: prints the problems and the soundness of a flow. */
export async function validate(flow: string, options: ValidateOptions): Promise<number> {
  const folder = await chooseWorkspace(options.folder, flow);
  const trusted = await trustOf(folder, options);
  const report = validationReport(await openFlow(resolve(flow), { folder, trusted, settings: await loadSettings(folder) }));
  printReport(report, options.json ?? false);
  return report.valid ? exitCodes.success : usageExitCode;
}
