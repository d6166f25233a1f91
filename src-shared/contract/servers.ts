import { z } from 'zod';
import { capabilitySchema } from '#shared/flow/capabilities/capability.ts';
import { problemSchema } from '#shared/flow/problem.ts';
import { procedure } from './common.ts';

/** Where a server answers an attached studio: `POST` of a call under its name (`/v1/studio/runs/get`). */
export const attachedPath = '/v1/studio';

/** Letters, digits, `.`, `_` and `-`: a name is the first part of the ids of the server's runs (`NAME/run_id`). */
export const serverNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/);

/** The server of a run's id in this studio; null for a run of the open folder. */
export function serverOf(runId: string): string | null {
  const slash = runId.indexOf('/');
  return slash === -1 ? null : runId.slice(0, slash);
}

/** How a server is reached. `ok`: it answers. `refused`: it does not take the token. `away`: it does not answer. `no_token`: none is stored here. */
export const serverStateSchema = z.enum(['ok', 'refused', 'away', 'no_token']);
export type ServerState = z.infer<typeof serverStateSchema>;

/** A server that the user has added. */
export const knownServerSchema = z.object({
  name: serverNameSchema,
  /** Its address, such as `https://runs.example.com`. */
  url: z.string(),
});
export type KnownServer = z.infer<typeof knownServerSchema>;

export const serverStatusSchema = knownServerSchema.extend({
  state: serverStateSchema,
  /** What the token allows; empty unless the server answers. */
  scopes: z.array(z.string()),
  /** What is wrong, as a sentence; empty if nothing is. */
  problem: z.string(),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;

/** What a deployment of a flow did, or would do. */
export const flowDeploymentSchema = z.object({
  name: z.string(),
  /** The new version, or the one that has this content already; null for a trial. */
  version: z.int().nullable(),
  /** SHA-256 (hex) of what is deployed. */
  hash: z.string(),
  soundness: z.enum(['sound', 'unsound', 'unknown']),
  problems: z.array(problemSchema),
  /** What its runs may reach. */
  capabilities: z.array(capabilitySchema),
  /** What new runs of the name took before; null if it was not deployed. */
  before: z.object({ version: z.int(), hash: z.string(), capabilities: z.array(capabilitySchema) }).nullable(),
});
export type FlowDeployment = z.infer<typeof flowDeploymentSchema>;

/** Servers whose runs the studio shows beside those of the folder. Tokens are stored encrypted, bound to the server's address. */
export const serversContract = {
  /** All servers, each as it answers now. */
  list: procedure.output(z.array(serverStatusSchema)),
  /** Adds a server, or replaces the address and token of one with this name. Refused with `Invalid` if it does not answer or does not take the token. */
  add: procedure.input(z.object({ name: z.string(), url: z.string(), token: z.string() })).output(serverStatusSchema),
  /** Removes a server and its token from this studio. Its runs stay there. */
  remove: procedure.input(z.object({ name: z.string() })).output(z.object({})),
  /**
   * Bundles a flow of the folder as it is saved, with what it needs, and makes it the version that new runs on a server take. A trial only says what would be
   * done. Refused with the server's reason, such as `Invalid` for a flow with errors.
   */
  deploy: procedure
    .input(
      z.object({ server: serverNameSchema, path: z.string().min(1), name: z.string(), trial: z.boolean(), allow_unsound: z.boolean() }),
    )
    .output(flowDeploymentSchema),
};
