import type { Scope } from '#shared/contract/server/common.ts';
import type { JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** A token as it is stored: with the hash of its secret, never the secret. Times are in milliseconds since 1970. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** SHA-256 (hex). */
  readonly secret_hash: string;
  readonly scopes: readonly Scope[];
  readonly created_at: number;
  readonly expires_at: number | null;
}

export interface TokenStore {
  create(row: TokenRow): Promise<void>;
  find(id: string): Promise<TokenRow | null>;
  /** Newest first, those created before token `before`. */
  list(limit: number, before: string | null): Promise<TokenRow[]>;
  /** False if there is no such token. */
  revoke(id: string): Promise<boolean>;
}

/** Identifies a request that may be sent again. */
export interface RequestKey {
  readonly token_id: string;
  /** Method and path. */
  readonly route: string;
  readonly key: string;
}

/** An answer as it was sent. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StoredRequest {
  /** SHA-256 (hex) of the request's body. */
  readonly body_hash: string;
  /** What the request was about to do, noted before it did. Null: nothing yet. */
  readonly intent: JsonObject | null;
  /** Null while it is being made, and for good if the process died meanwhile. */
  readonly answer: StoredAnswer | null;
  /** Whether another process performs it now. */
  readonly in_progress: boolean;
}

/** How long a process may go without renewing its claim on a request that it performs, in milliseconds. */
export const requestClaim = 5000;

/** Requests with an `Idempotency-Key`, and what came of them. */
export interface RequestStore {
  /** Stores a request that is new; else returns the one that is there, and claims it if its process has died. */
  begin(key: RequestKey, bodyHash: string, now: number): Promise<StoredRequest | null>;
  /** Keeps the claim on a request that this process performs. */
  renew(key: RequestKey): Promise<void>;
  note(key: RequestKey, intent: JsonObject): Promise<void>;
  finish(key: RequestKey, answer: StoredAnswer): Promise<void>;
  /** Removes a request that did nothing, so that it can be sent again. */
  forget(key: RequestKey): Promise<void>;
  /** Removes what was stored before a time. */
  forgetBefore(time: number): Promise<void>;
}

/** What the server knows of a run beside its journal. */
export interface ServedRunRow {
  readonly run_id: string;
  /** Id of the server that drives it, which others with the same store leave alone. */
  readonly server: string;
  /** Whose journal has the run: the real path of a folder, or `flow:NAME@VERSION`. */
  readonly folder: string;
  readonly metadata: JsonObject;
  /** Whether the server is to drive it on, also after a restart. */
  readonly driven: boolean;
}

export interface ServedRunStore {
  /** Adds a run or replaces what is known of it. */
  set(row: ServedRunRow): Promise<void>;
  get(runId: string): Promise<ServedRunRow | null>;
  setDriven(runId: string, driven: boolean): Promise<void>;
  /** What a server is to drive on. */
  driven(server: string): Promise<ServedRunRow[]>;
  /**
   * Notes that a server is there for some seconds more, and gives it the runs of deployed flows that servers which are gone were to drive on. A store
   * that only one server uses has none.
   */
  takeOver(server: string, seconds: number): Promise<void>;
  /** Asks the server that drives a run, whichever it is, to pause it. `set` and `setDriven` take that back. A store that only one server uses keeps no such wish. */
  askToPause(runId: string): Promise<void>;
  /** Ids of the runs that are to be paused. */
  toPause(): Promise<string[]>;
  remove(runId: string): Promise<void>;
  /** Runs of deployed flows, newest first, those before a run; of one version (`flow:NAME@VERSION`) or of all of a name (`flow:NAME@`). */
  deployed(limit: number, before: string | null, folder?: string): Promise<ServedRunRow[]>;
}

/** A version of a deployed flow. It never changes. */
export interface DeployedVersionRow {
  readonly name: string;
  /** From 1. */
  readonly version: number;
  /** Names its bundle: `bundleHash`. */
  readonly hash: string;
  /** Path of the flow in its bundle. */
  readonly flow: string;
  readonly title: string;
  readonly deployed_at: number;
}

/** What becomes a version of a deployed flow. */
export interface NewDeployment {
  readonly hash: string;
  readonly flow: string;
  readonly title: string;
  /** The packed bundle. */
  readonly packed: Uint8Array;
}

/** Flows that were deployed to the server, with all their versions. */
export interface DeployedFlowStore {
  /** Makes a bundle the active version of a name: the version that it is there already, or a new one. */
  deploy(name: string, deployment: NewDeployment, now: number): Promise<{ readonly row: DeployedVersionRow; readonly created: boolean }>;
  /** The active versions by name, those after a name. */
  list(limit: number, after: string | null): Promise<DeployedVersionRow[]>;
  /** The active version of a name; null if nothing is deployed under it. */
  active(name: string): Promise<DeployedVersionRow | null>;
  /** Any version, also of a name that was removed: its runs go on. */
  version(name: string, version: number): Promise<DeployedVersionRow | null>;
  /** Newest first. */
  versions(name: string): Promise<DeployedVersionRow[]>;
  packed(hash: string): Promise<Uint8Array | null>;
  /** Makes another version the active one, if `expected` is (default: any). False if nothing is deployed under this name or it has no such version. */
  activate(name: string, version: number, expected?: number): Promise<boolean>;
  /** Removes a name, so that new runs can't begin, if `expected` is its active version (default: any). False if nothing is deployed under it. */
  remove(name: string, expected?: number): Promise<boolean>;
}

/** What a server stores besides the journals of its folders. */
export interface ServerStore {
  readonly tokens: TokenStore;
  readonly requests: RequestStore;
  readonly runs: ServedRunStore;
  readonly flows: DeployedFlowStore;
  /** Throws `FlowError` if the store does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Whether the store is brought up to date when it is opened. Default: true. If not, an outdated one is refused. */
  readonly migrate?: boolean;
}

/** Throws `SnapStoreError` for a store that lacks migrations. `name` is what the user calls it. */
export function assertUpToDate(pending: number, name: string): void {
  if (pending > 0) throw new FlowError('SnapStoreError', `${name} is not up to date. Run: pravah migrate.`, { details: { pending } });
}

/** The condition of `ServedRunStore.deployed`, and its values. `placeholder` writes the nth of them, from 1. */
export function deployedFilter(
  before: string | null,
  folder: string | undefined,
  placeholder: (index: number) => string,
): { readonly text: string; readonly values: readonly string[] } {
  const conditions = ["folder LIKE 'flow:%'"];
  const values: string[] = [];
  const add = (term: string, comparison: string, value: string) => {
    values.push(value);
    conditions.push(`${term} ${comparison} ${placeholder(values.length)}`);
  };
  if (before !== null) add('run_id', '<', before);
  if (folder?.endsWith('@')) add(`substr(folder, 1, ${folder.length})`, '=', folder);
  else if (folder !== undefined) add('folder', '=', folder);
  return { text: conditions.join(' AND '), values };
}
