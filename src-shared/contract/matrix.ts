import { z } from 'zod';
import { namedStateSchema } from '#shared/run/event.ts';
import { json, procedure, transferableErrorSchema } from './common.ts';
import { flowChoiceSchema, misfitSchema } from './time-travel.ts';

/** Most variants of a matrix. */
export const mostVariants = 32;
/** How many variants run at once. */
export const variantsAtOnce = 4;

const limits = z.partialRecord(z.enum(['turns', 'seconds', 'steps', 'model_calls', 'tokens']), z.number().positive());

/** What a variant changes. Nodes are named by id, by title, or as in their file (`item.flow.yaml#Order`). */
export const variantSchema = z.object({
  name: z.string().min(1).max(200),
  /** Model URLs by agent; `*` for all others. */
  models: z.record(z.string(), z.string()).default({}),
  /** Prompts by agent. */
  prompts: z.record(z.string(), z.string()).default({}),
  /** Limits by agent; under `*` those of the flow. */
  limits: z.record(z.string(), limits).default({}),
  states: z.array(namedStateSchema).default([]),
  drop: z.array(z.string()).default([]),
  flow: flowChoiceSchema.default('recorded'),
});
export type Variant = z.infer<typeof variantSchema>;

/** Variants of a run from one of its steps. */
export const matrixRequestSchema = z.object({
  run_id: z.string(),
  seq: z.int().nonnegative(),
  variants: z.array(variantSchema).min(1).max(mostVariants),
});
export type MatrixRequest = z.infer<typeof matrixRequestSchema>;

/** What a part of a run used. `cost` is in the currency of the user's prices; null where a model has no price. */
const usageShape = { tokens: z.int(), calls: z.int(), cost: z.number().nullable() };

/** What a matrix would do, found out without making it. */
export const matrixCheckSchema = z.object({
  variants: z.array(z.object({ name: z.string(), misfits: z.array(misfitSchema), notes: z.array(z.string()) })),
  /** What all variants together would use if each of them used what the original did from this step on. */
  estimate: z.object(usageShape),
  /** Tools and code that can change files: each variant runs in a copy of the folder. Empty: none does. */
  writes: z.array(z.string()),
  /** Tools and code that can change things outside the folder, also in a copy. */
  outside: z.array(z.string()),
  /** The size of a copy of the folder; null if none is needed. `too_large`: why none can be made. */
  copy: z.object({ files: z.int(), bytes: z.int(), too_large: z.string().nullable() }).nullable(),
});
export type MatrixCheck = z.infer<typeof matrixCheckSchema>;

/** The first step that differs from the original; `seq` is null if only the variant has it, `other_seq` (the variant's) if only the original does. */
const differenceSchema = z.object({
  seq: z.int().nullable(),
  other_seq: z.int().nullable(),
  node: z.string(),
  differs: z.array(z.string()),
});

/** A run as a row of a matrix: what it did from the common step on. */
export const matrixRowSchema = z.object({
  run_id: z.string(),
  name: z.string(),
  status: z.enum(['queued', 'running', 'paused', 'suspended', 'success', 'error', 'cancelled']),
  /** Null for the original, for a variant without a difference, and before it has ended or waits. */
  first_difference: differenceSchema.nullable(),
  output: json.nullable(),
  error: transferableErrorSchema.nullable(),
  ...usageShape,
  /** Time of its steps, in milliseconds. */
  duration_ms: z.number(),
  /** It runs in a copy of the folder. */
  copy: z.boolean(),
});
export type MatrixRow = z.infer<typeof matrixRowSchema>;

export const matrixSchema = z.object({
  group: z.string(),
  run_id: z.string(),
  seq: z.int(),
  flow_path: z.string(),
  flow_name: z.string(),
  /** Null if the original has been deleted. */
  original: matrixRowSchema.nullable(),
  /** In the order of the request. */
  rows: z.array(matrixRowSchema),
});
export type Matrix = z.infer<typeof matrixSchema>;

const group = z.object({ group: z.string() });

/** What-if matrices: the same run from one step with other models, prompts, limits, states or flow. Part of `runs`; each variant is an ordinary run. */
export const matrixContract = {
  matrixCheck: procedure.input(matrixRequestSchema).output(matrixCheckSchema),
  /** Makes the variants, paused, and answers with their group. Throws `SnapLoadError` if one does not fit; none is made then. */
  makeMatrix: procedure.input(matrixRequestSchema).output(group),
  /** Throws `NotFound`. */
  matrix: procedure.input(group).output(matrixSchema),
  /** Runs the variants that have not run yet, or were interrupted; returns at once. Needs consent like `continue` (`details.run_id` says of which run). */
  runMatrix: procedure.input(group).output(z.object({})),
  /** Cancels the variants that have not ended. */
  stopMatrix: procedure.input(group).output(z.object({})),
};
