import { z } from 'zod';
import type { EngineVersion } from '#main/engine/step/engine-version.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import { suspensionSchema } from '#shared/run/event.ts';
import type { Control } from '#shared/run/snapshot.ts';

/** A row of `runs` without its large columns. */
export const runRowSchema = z.object({
  run: z.int(),
  run_id: z.string(),
  flow_path: z.string(),
  flow_name: z.string(),
  flow_hash: z.string(),
  status: z.enum(['running', 'paused', 'suspended', 'success', 'error', 'cancelled']) satisfies z.ZodType<RunStatus>,
  last_seq: z.int().nonnegative(),
  attempt: z.int().positive(),
  engine: z.literal([1, 2, 3]) satisfies z.ZodType<EngineVersion>,
  models: z.string(),
  tokens: z.int(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  suspensions: z.string(),
  cancel: z.int(),
  created_at: z.number(),
  updated_at: z.number(),
  lease_token: z.string().nullable(),
  lease_owner: z.string().nullable(),
  lease_expires: z.number().nullable(),
});
export type RunRow = z.infer<typeof runRowSchema>;

/** A row of `steps` with the timeline's columns, without values. */
export const timelineRowSchema = z.object({
  seq: z.int().positive(),
  type: z.enum(['transition', 'suspended', 'resumed']),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).nullable(),
  turn: z.int().nullable(),
  consumed: z.string(),
  produced: z.string(),
  started_at: z.number(),
  duration_ms: z.number(),
  tokens: z.int(),
  note: z.string(),
  /** JSON of the mark of its output; null if the node ran. */
  supplied: z.string().nullable(),
  /** Number of its calls that mocks answered. */
  mocked: z.int(),
});
export type TimelineRow = z.infer<typeof timelineRowSchema>;

export const conversationRowSchema = z.object({ node: z.string(), since: z.int() });

/** The columns of a step from which its events are derived. */
export const eventRowSchema = z.object({
  seq: z.int().positive(),
  type: z.enum(['transition', 'suspended', 'resumed']),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).nullable(),
  consumed: z.string(),
  produced: z.string(),
  started_at: z.number(),
  duration_ms: z.number(),
  events: z.string(),
  supplied: z.string().nullable(),
});
export type EventRow = z.infer<typeof eventRowSchema>;

/** The columns of a step that a fold reads. */
export const foldRowSchema = z.object({
  seq: z.int().positive(),
  node: z.string(),
  consumed: z.string(),
  produced: z.string(),
  produced_values: z.string(),
  control: z.string(),
});

export const snapshotRowSchema = z.object({ seq: z.int().nonnegative(), states: z.string(), control: z.string() });

export const effectRowSchema = z.object({
  key: z.string(),
  kind: z.enum(['model', 'tool', 'handler']),
  node: z.string(),
  name: z.string(),
  input: z.string(),
  started_at: z.number(),
  finished_at: z.number().nullable(),
  outcome: z.string().nullable(),
  /** JSON of the mark of its outcome; null if the call was made. */
  supplied: z.string().nullable(),
});
export type EffectRow = z.infer<typeof effectRowSchema>;

const modelNames = z.record(z.string(), z.string());

/** Parses the column of model URLs that replace the flow's, by node. */
export function readModels(text: string, path: string): Record<string, string> {
  return checked(modelNames, parseJson(text, path), path);
}

const variantSchema = z.object({ name: z.string(), copy: z.literal(true).optional() });

/** Parses the column that says which variant of a matrix a fork is. */
export function readVariant(text: string, path: string): { variant: string; copy?: true } {
  const { name, copy } = checked(variantSchema, parseJson(text, path), path);
  return { variant: name, ...(copy && { copy }) };
}

/** Parses a column that contains a list of names. */
export function readNames(text: string, path: string): string[] {
  const names = parseJson(text, path);
  // Parsed for every timeline row, so it is checked without a schema.
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new FlowError('SnapLoadError', `The journal ${path} is corrupt: expected a list of names.`, { details: { path } });
}

/** A state in a snapshot, with the record that wrote it (0: the run's input). */
export interface WrittenState extends NamedState {
  readonly written_at: number;
  readonly written_by: string;
}

export const writtenStatesSchema = roughSchema<WrittenState[]>(
  z.array(z.object({ name: z.string(), value: z.unknown(), written_at: z.int().nonnegative(), written_by: z.string() })),
);

export const suspensionListSchema = z.array(suspensionSchema.extend({ since: z.number() }));
export type WaitingSuspension = z.infer<typeof suspensionListSchema>[number];

export const outcomeSchema = roughSchema<{ result: Json } | { error: TransferableError }>(
  z.union([
    z.strictObject({ result: z.unknown() }),
    z.strictObject({ error: z.looseObject({ type: z.enum(['FlowError', 'ToolError']), variant: z.string(), message: z.string() }) }),
  ]),
);

/**
 * The parts of a control that a step replaced, by name. Only their presence and rough structure are checked here; the runtime
 * validates a whole control when it is restored.
 */
export const controlPartsSchema = roughSchema<Partial<Control>>(
  z.record(z.string(), z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])),
);

/** Validates a value from a journal. Throws a `SnapLoadError` that names the field. */
export function checked<Type>(schema: z.ZodType<Type>, value: unknown, path: string): Type {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new FlowError(
    'SnapLoadError',
    `The journal ${path} is corrupt: a row has an invalid ${field || 'structure'} (${issue?.message ?? 'unreadable'}).`,
    {
      details: { path, field },
    },
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FlowError('SnapLoadError', `The journal ${path} is corrupt: a list in it is not JSON.`, { details: { path } });
  }
}
