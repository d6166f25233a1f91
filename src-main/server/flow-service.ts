import type { DeployedFlowStore, DeployedVersionRow } from '#main/store/server-store.ts';
import { type Bundle, bundleHash, packBundle, readBundle } from '#main/workspace/bundle/bundle.ts';
import { timeText } from '#shared/contract/server/common.ts';
import type { DeployedVersion, Deployment, ServedFlow, ServedFlowDetail } from '#shared/contract/server/flows.ts';
import { FlowError } from '#shared/run/error.ts';
import { checkUnpacked } from './check-unpacked.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import type { ServedFolders } from './served-folders.ts';

/** How a flow is deployed. */
export interface DeployOptions {
  readonly name: string;
  /** Checks the bundle and stores nothing. */
  readonly dryRun: boolean;
  /** Also takes a flow that is not proven sound. */
  readonly allowUnsound: boolean;
}

/** The flows of a server: those of its folders, and deployed ones. */
export class FlowService {
  readonly #folders: ServedFolders;
  readonly #store: DeployedFlowStore;
  readonly #now: () => number;

  constructor(folders: ServedFolders, store: DeployedFlowStore, now: () => number) {
    this.#folders = folders;
    this.#store = store;
    this.#now = now;
  }

  /** Sorted by name. */
  async list(limit: number, pageToken: string | undefined): Promise<{ data: ServedFlow[]; next_page_token: string | null }> {
    const after = readPageToken('flows', pageToken) as string | null;
    const listed = await Promise.all(
      this.#folders.offered.map(async ({ session, prefix }) =>
        (await session.background.call('flows')).map(({ path, name }) => ({ name: prefix + path, title: name, version: null })),
      ),
    );
    const deployed = await this.#store.list(limit + 1, after);
    const rest = [...listed.flat(), ...deployed.map(({ name, title, version }) => ({ name, title, version }))]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .filter(({ name }) => after === null || name > after);
    const data = rest.slice(0, limit);
    return { data, next_page_token: rest.length > limit ? writePageToken('flows', data.at(-1)?.name ?? '') : null };
  }

  /** Throws `NotFound`. */
  async get(name: string): Promise<ServedFlowDetail> {
    const row = await this.#folders.deployed.find(name);
    const { folder, path } = await this.#folders.ofFlow(name);
    const flow = await folder.session.background.call('servedFlow', { path, trusted: await folder.session.trusted() });
    return { ...flow, name, version: row?.version ?? null };
  }

  /**
   * Deploys a packed bundle under a name, and makes it the version that new runs take. Throws `Invalid` for what is not a bundle or has problems, and
   * `Untrusted` for a flow that would run code of its own on a server that does not allow it.
   */
  async deploy(packed: Uint8Array, { name, dryRun, allowUnsound }: DeployOptions): Promise<{ deployment: Deployment; created: boolean }> {
    const bundle = readBundle(packed);
    const flow = await this.#check(bundle, allowUnsound);
    const hash = bundleHash(bundle);
    if (dryRun) return { deployment: { name, version: null, hash, flow: { ...flow, name, version: null } }, created: false };
    const deploying = { hash, flow: bundle.flow, title: flow.title, packed: packBundle(bundle) };
    const { row, created } = await this.#store.deploy(name, deploying, this.#now());
    await this.#folders.ofVersion(row);
    const version = { version: row.version, unconfirmed: [] };
    return { deployment: { name, version: row.version, hash, flow: { ...flow, ...version, name: `${name}@${row.version}` } }, created };
  }

  /** Newest first. Throws `NotFound`. */
  async versions(name: string): Promise<DeployedVersion[]> {
    const active = await this.#store.active(name);
    if (!active) throw this.#notDeployed(name);
    return (await this.#store.versions(name)).map((row) => versionForm(row, active.version));
  }

  /**
   * Makes a version the one that new runs take. Throws `NotFound`, and `Conflict` (`versionChanged`) if `expected` is not the active version
   * any more.
   */
  async activate(name: string, version: number, expected?: number): Promise<DeployedVersion> {
    if (!(await this.#store.activate(name, version, expected))) {
      const known = await this.#store.active(name);
      assertExpected(known, expected);
      throw known
        ? new FlowError('NotFound', `${name} has no version ${version}. List them with GET /v1/flows/${name}/versions.`, {
            details: { name, version },
          })
        : this.#notDeployed(name);
    }
    const row = await this.#store.version(name, version);
    if (!row) throw this.#notDeployed(name);
    return versionForm(row, version);
  }

  /** Removes a deployed flow. Its runs stay. Throws like `activate`. */
  async remove(name: string, expected?: number): Promise<void> {
    if (await this.#store.remove(name, expected)) return;
    assertExpected(await this.#store.active(name), expected);
    throw this.#notDeployed(name);
  }

  async #check(bundle: Bundle, allowUnsound: boolean): Promise<ServedFlowDetail> {
    const { deployed } = this.#folders;
    const flow = await deployed.withUnpacked(bundle, (folder) => checkUnpacked(folder, bundle.flow, deployed.trusted));
    const errors = flow.problems.filter(({ severity }) => severity === 'error');
    const details = { problems: errors.map(({ path, message }) => ({ path, message })) };
    if (!deployed.trusted && errors.some(({ code }) => code === 'needs_trust'))
      throw new FlowError(
        'BuildError',
        'The flow runs code, programs or servers of its own. This server allows that only with --trust-deployments.',
        {
          code: deploymentUntrusted,
          details,
        },
      );
    const [first] = errors;
    if (first) throw new FlowError('BuildError', `The flow has errors: ${first.message}`, { details });
    if (flow.soundness !== 'sound' && !allowUnsound)
      throw new FlowError('BuildError', `The flow is not proven sound (${flow.soundness}). Deploy it anyway with allow_unsound=true.`, {
        details: { soundness: flow.soundness },
      });
    return flow;
  }

  #notDeployed(name: string): FlowError {
    return new FlowError('NotFound', `No flow is deployed as ${name}. List the flows with GET /v1/flows.`, { details: { name } });
  }
}

/** Error code of a change that expects another version to be the active one. */
export const versionChanged = 'VERSION_CHANGED';

function assertExpected(active: DeployedVersionRow | null, expected: number | undefined): void {
  if (!active || expected === undefined || active.version === expected) return;
  const { name, version } = active;
  throw new FlowError('Conflict', `Version ${version} of ${name} is active now, not ${expected}. Read the flow again.`, {
    code: versionChanged,
    details: { name, version },
  });
}

/** Error code of a deployment that needs a server with `--trust-deployments`. */
export const deploymentUntrusted = 'DEPLOYMENT_UNTRUSTED';

function versionForm({ name, version, hash, title, deployed_at }: DeployedVersionRow, active: number): DeployedVersion {
  return { name, version, hash, title, deployed_at: timeText(deployed_at), active: version === active };
}
