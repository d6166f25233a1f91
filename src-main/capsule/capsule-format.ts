import { z } from 'zod';
import { transferableErrorSchema } from '#shared/contract/common.ts';
import { runStatusSchema } from '#shared/contract/runs.ts';
import { forkOriginSchema } from '#shared/contract/time-travel.ts';
import { graphNodeKinds } from '#shared/flow/document.ts';
import type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { runEventSchema } from '#shared/run/event.ts';
import { messageSchema } from '#shared/run/message.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { suppliedMarkSchema } from '#shared/run/supplied.ts';

/** Accepts any value: parsed JSON is JSON, and walking it again would take most of the time. */
const json = z.unknown() as z.ZodType<Json>;
const namedState = z.object({ name: z.string(), value: json }) as z.ZodType<NamedState>;
const messages = z.record(z.string(), z.array(messageSchema));
/** Validated as a whole with the snapshot schema, once its parts are assembled. */
const controlParts = roughSchema<Partial<Control>>(z.record(z.string(), z.unknown()));

const effect = z.strictObject({
  key: z.string(),
  kind: z.enum(['model', 'tool', 'handler']),
  node: z.string(),
  name: z.string(),
  input: json,
  /** Null: unknown outcome. */
  outcome: z.union([z.strictObject({ result: json }), z.strictObject({ error: transferableErrorSchema })]).nullable(),
  /** Present if a mock supplied the outcome. */
  supplied: suppliedMarkSchema.optional(),
});
export type CapsuleEffect = z.infer<typeof effect>;

const step = z.strictObject({
  type: z.enum(['transition', 'suspended', 'resumed']),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).optional(),
  consumed: z.array(z.string()),
  produced: z.array(namedState),
  /** Parts of the control that the step replaced. */
  control: controlParts,
  messages,
  effects: z.array(effect),
  events: z.array(runEventSchema),
  started_at: z.number(),
  duration_ms: z.number(),
  note: z.string(),
  /** Present if a pin supplied what the node produced. */
  supplied: suppliedMarkSchema.optional(),
});
export type CapsuleStep = z.infer<typeof step>;

const graphNode = z.looseObject({
  id: z.string(),
  kind: z.enum(graphNodeKinds),
  from: z.array(z.string()).min(1),
  to: z.array(z.string()).min(1),
  body: z.looseObject({ type: z.string() }),
  path: z.string(),
});

/** Graph of a flow in code, which can't be built from text. Displayed, never executed. */
const graph = roughSchema<FlowGraph>(
  z.looseObject({
    name: z.string(),
    input: z.string(),
    output: z.string(),
    schemas: z.record(z.string(), json),
    nodes: z.array(graphNode),
    limits: z.record(z.string(), z.number()),
    hash: z.string(),
  }),
);

const inheritedMark = z.strictObject({ key: z.string(), mark: suppliedMarkSchema });

const masked = z.strictObject({ path: z.string(), reason: z.string() });

/** A run in one file: flow, initial state, every record with its effects, and result. Records are numbered from 1. */
export const capsuleSchema = z.strictObject({
  pravah_capsule: z.literal(1),
  /** Version of the program that wrote the file. */
  program: z.string(),
  run: z.strictObject({
    run_id: z.string(),
    flow_path: z.string(),
    flow_name: z.string(),
    status: runStatusSchema,
    created_at: z.number(),
    updated_at: z.number(),
    models: z.record(z.string(), z.string()),
    /** The rules by which the run made its records (`runs.engine` of the journal); 1 if absent. */
    engine: z.literal([1, 2, 3]).optional(),
    output: json.nullable(),
    error: transferableErrorSchema.nullable(),
    forked_from: forkOriginSchema.nullable(),
  }),
  flow: z.strictObject({ text: z.string(), sources: z.record(z.string(), z.string()), graph: graph.nullable() }),
  input: json,
  start: z.strictObject({
    states: z.array(namedState),
    control: controlParts,
    messages,
    /** Of a fork: what pins and mocks supplied before it began. */
    supplied: z.array(inheritedMark).optional(),
  }),
  steps: z.array(step),
  /** Effects of a failed attempt after the last record, if any. */
  failed_effects: z.array(effect),
  masked: z.array(masked),
  /** SHA-256 (hex) of the canonical JSON of everything else. Detects corruption, not forgery: a forger can update the hash. */
  integrity: z.string(),
});
export type Capsule = z.infer<typeof capsuleSchema>;

/** A capsule without its hash. */
export type CapsuleBody = Omit<Capsule, 'integrity'>;
