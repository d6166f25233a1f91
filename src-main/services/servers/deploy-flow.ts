import { z } from 'zod';
import type { ServerClient } from '#main/connections/server-client.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { deployedName, deployedVersionSchema, deploymentSchema, servedFlowDetailSchema } from '#shared/contract/server/flows.ts';
import type { FlowDeployment } from '#shared/contract/servers.ts';
import { FlowError } from '#shared/run/error.ts';

const versionsSchema = z.object({ data: z.array(deployedVersionSchema) });

interface FlowToDeploy {
  /** Relative to the folder. */
  readonly path: string;
  /** What it is called on the server. */
  readonly name: string;
  readonly trial: boolean;
  readonly allow_unsound: boolean;
}

/** Deploys a flow of a folder on a server, or asks what that would do. Throws `FlowError` with the server's reason. */
export async function deployFlow(
  server: ServerClient,
  { path, name, trial, allow_unsound }: FlowToDeploy,
  { folder, trusted }: { readonly folder: string; readonly trusted: boolean },
): Promise<FlowDeployment> {
  if (!deployedName.safeParse(name).success)
    throw new FlowError('Invalid', `“${name}” can't be the name of a flow on a server. Use letters, digits, _ and -, 64 at most.`);
  const [{ packBundle }, { makeBundle }] = await Promise.all([
    import('#main/workspace/bundle/bundle.ts'),
    import('#main/workspace/bundle/make-bundle.ts'),
  ]);
  const bundle = packBundle(await makeBundle(path, { folder, trusted, settings: await loadSettings(folder) }));
  const before = await deployedBefore(server, name);
  const query = new URLSearchParams({ name, ...(trial && { dry_run: 'true' }), ...(allow_unsound && { allow_unsound: 'true' }) });
  const { version, hash, flow } = await server.call(deploymentSchema, 'POST', `/v1/flows?${query}`, { bundle });
  return {
    name,
    version,
    hash,
    soundness: flow.soundness,
    problems: flow.problems,
    capabilities: flow.capabilities,
    before,
  };
}

/** What new runs of the name take now; null if no flow of this name is deployed. */
async function deployedBefore(server: ServerClient, name: string): Promise<FlowDeployment['before']> {
  try {
    const { data } = await server.call(versionsSchema, 'GET', `/v1/flows/${name}/versions`);
    const active = data.find((version) => version.active);
    if (!active) return null;
    const { capabilities } = await server.call(servedFlowDetailSchema, 'GET', `/v1/flows/${name}`);
    return { version: active.version, hash: active.hash, capabilities };
  } catch (error) {
    if (error instanceof FlowError && error.variant === 'NotFound') return null;
    throw error;
  }
}
