import { z } from 'zod';
import { capabilitySchema } from '#shared/flow/capabilities/capability.ts';
import { procedure } from './common.ts';

/** Error code of a run that does not start because the user has not allowed all of its flow's capabilities. */
export const consentNeeded = 'CONFIG_CONSENT_NEEDED';

/** A flow's capabilities, and which of them the user must allow before it runs. */
export const reachSchema = z.object({
  flow_path: z.string(),
  capabilities: z.array(capabilitySchema),
  /** Keys (`kind name`) of the capabilities that are not allowed in this folder yet. Empty: the flow may run. */
  unconfirmed: z.array(z.string()),
  /** Whether it was agreed to before: then only what is new is in question. */
  known: z.boolean(),
});
export type FlowReach = z.infer<typeof reachSchema>;

/** What the user has allowed in one folder for good, until it is withdrawn. */
export const permissionsSchema = z.object({
  /** Real path. */
  folder: z.string(),
  /** False for a folder that has gone; another one of its path would have these. */
  exists: z.boolean(),
  trusted: z.boolean(),
  /** Flows, by their paths in the folder, with the keys of what they may reach. */
  flows: z.array(z.object({ flow_path: z.string(), keys: z.array(z.string()) })),
  /** MCP servers, with the names of their tools that were approved. */
  servers: z.array(z.object({ name: z.string(), tools: z.array(z.string()) })),
});
export type FolderPermissions = z.infer<typeof permissionsSchema>;

/** One thing that was allowed, or all of a folder. */
export const permissionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('trust') }),
  z.object({ type: z.literal('flow'), flow_path: z.string() }),
  z.object({ type: z.literal('server'), name: z.string() }),
  z.object({ type: z.literal('all') }),
]);
export type Permission = z.infer<typeof permissionSchema>;

export const consentContract = {
  /** What the user has allowed, by folder: the open one first, then by name. Folders without anything are left out. */
  given: procedure.output(z.array(permissionsSchema)),
  /**
   * Revokes permissions of a folder, and returns the remaining ones. Running runs of the open folder pause before their next
   * transition. What was not allowed is withdrawn already.
   */
  withdraw: procedure.input(z.object({ folder: z.string().min(1), permission: permissionSchema })).output(z.array(permissionsSchema)),
  /** What a text's flow can reach. A flow with errors reaches nothing: it does not run. */
  ofFlow: procedure.input(z.object({ path: z.string().min(1), text: z.string() })).output(reachSchema),
  /** The same of a run on record, by the flow that it was started with and the folder's settings of now. */
  ofRun: procedure.input(z.object({ run_id: z.string() })).output(reachSchema),
  /** Agrees to what was shown, and to nothing else: should the flow have grown meanwhile, it is asked again. */
  confirm: procedure.input(z.object({ flow_path: z.string().min(1), keys: z.array(z.string()).max(100_000) })).output(z.object({})),
};
