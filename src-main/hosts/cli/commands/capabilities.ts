import { resolve } from 'node:path';
import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, usageExitCode } from '#main/hosts/cli/options/exit-codes.ts';
import { printReport } from '#main/hosts/cli/output/problems-output.ts';
import { printPython } from '#main/hosts/cli/output/python-output.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { gitPlacesOutside } from '#main/platform/git/git-places.ts';
import { capabilityScope } from '#main/workspace/capabilities/capability-scope.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { capabilitiesOf } from '#shared/flow/capabilities/capabilities-of.ts';
import { validationReport } from '#shared/flow/validation-report.ts';

export interface CapabilitiesOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
}

/** `pravah capabilities FLOW`: lists the flow's capabilities under the folder's settings, one per line. */
export async function capabilities(flow: string, options: CapabilitiesOptions): Promise<number> {
  const folder = await chooseWorkspace(options.folder, flow);
  const trusted = await trustOf(folder, options);
  const settings = await loadSettings(folder);
  const loaded = await openFlow(resolve(flow), { folder, trusted, settings });
  if (!loaded.graph) {
    printReport(validationReport(loaded), options.json ?? false);
    return usageExitCode;
  }
  const found = capabilitiesOf(loaded.graph, capabilityScope(settings, true, { folder, gitPlaces: await gitPlacesOutside(folder) }));
  if (options.json) for (const capability of found) printLine(JSON.stringify(capability));
  else
    for (const line of alignedRows(found.map(({ kind, name, note, nodes }) => [kind, name, note ?? '', nodes.join(', ')]))) printLine(line);
  if (!options.json && trusted) await printPython(loaded.graph, { folder, settings, path: loaded.path });
  if (!options.json && found.length === 0) printNote('This flow needs no capabilities: it accesses nothing outside its run.');
  return exitCodes.success;
}
