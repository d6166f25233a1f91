import { z } from 'zod';
import { procedure } from '#shared/contract/common.ts';
import { capabilitySchema } from '#shared/flow/capabilities/capability.ts';

/** Code of the failure with which a run is not driven because its flow can reach what nobody has agreed to. */
export const consentNeeded = 'CONFIG_CONSENT_NEEDED';

/** What a flow can reach, and what of it somebody must agree to before it runs. */
export const reachSchema = z.object({
  flow_path: z.string(),
  capabilities: z.array(capabilitySchema),
  /** Keys (`kind name`) of what nobody has agreed to yet in this folder. None: the flow may run. */
  unconfirmed: z.array(z.string()),
  /** Whether it was agreed to before: then only what is new is in question. */
  known: z.boolean(),
});
export type FlowReach = z.infer<typeof reachSchema>;

export const consentContract = {
  /** What a text's flow can reach. A flow with errors reaches nothing: it does not run. */
  ofFlow: procedure.input(z.object({ path: z.string().min(1), text: z.string() })).output(reachSchema),
  /** The same of a run on record, by the flow that it was started with and the folder's settings of now. */
  ofRun: procedure.input(z.object({ run_id: z.string() })).output(reachSchema),
  /** Agrees to what was shown, and to nothing else: should the flow have grown meanwhile, it is asked again. */
  confirm: procedure.input(z.object({ flow_path: z.string().min(1), keys: z.array(z.string()).max(100_000) })).output(z.object({})),
};
