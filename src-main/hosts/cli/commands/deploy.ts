import { basename, resolve } from 'node:path';
import { ServerClient } from '#main/connections/server-client.ts';
import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { packBundle } from '#main/workspace/bundle/bundle.ts';
import { makeBundle } from '#main/workspace/bundle/make-bundle.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { deployedName, deploymentSchema } from '#shared/contract/server/flows.ts';

export interface DeployCommandOptions {
  readonly folder?: string;
  readonly on: string;
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly allowUnsound?: boolean;
  readonly trust?: boolean;
  readonly json?: boolean;
}

/** `pravah deploy FLOW…`: bundles flows with what they need, and makes them the versions that new runs on a server take. */
export async function deploy(flows: readonly string[], options: DeployCommandOptions): Promise<number> {
  if (options.as !== undefined && flows.length > 1)
    throw new UsageError('--as names one flow. Deploy the others with a command of their own.');
  const named = flows.map((flow) => ({ flow, name: options.as ?? nameOf(flow) }));
  const client = await ServerClient.named(options.on);
  for (const { flow, name } of named) {
    const folder = await chooseWorkspace(options.folder, flow);
    const trusted = await trustOf(folder, options);
    const bundle = await makeBundle(resolve(flow), { folder, trusted, settings: await loadSettings(folder) });
    const query = new URLSearchParams({
      name,
      ...(options.dryRun && { dry_run: 'true' }),
      ...(options.allowUnsound && { allow_unsound: 'true' }),
    });
    const deployment = await client.call(deploymentSchema, 'POST', `/v1/flows?${query}`, { bundle: packBundle(bundle) });
    if (options.json) {
      printLine(JSON.stringify(deployment));
      continue;
    }
    printLine(deployment.version === null ? `${name} can be deployed.` : `${name}@${deployment.version}  ${flow}`);
    for (const { kind, name: what, harmless } of deployment.flow.capabilities) if (!harmless) printLine(`  ${kind} ${what}`);
    if (deployment.version !== null) printNote(`Run it with: pravah run ${name} --on ${client.name}`);
  }
  return exitCodes.success;
}

/** The name of a flow's file without its ending. Throws `UsageError` if it can't be a flow's name on a server. */
function nameOf(flow: string): string {
  const name = basename(flow).replace(/(\.flow)?\.[a-z]+$/i, '');
  if (deployedName.safeParse(name).success) return name;
  throw new UsageError(`“${name}” can't be the name of a flow on a server. Give another one with --as: letters, digits, _ and -.`);
}
