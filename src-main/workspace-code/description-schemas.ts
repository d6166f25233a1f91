import { z } from 'zod';
import { graphNodeKinds } from '#shared/flow/document.ts';
import type { GraphNode } from '#shared/flow/graph.ts';
import { problemSchema } from '#shared/flow/problem.ts';
import type { JsonSchema } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import type { FlowDescription, ToolDescription } from './messages.ts';

const names = z.array(z.string());
const jsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]) as z.ZodType<JsonSchema>;
const toolUses = z.array(z.union([z.string(), z.object({ use: z.string(), approve: z.enum(['always', 'never']).optional() })]));

const fromCode = z.discriminatedUnion('type', [
  z.object({ type: z.literal('default') }),
  z.object({ type: z.literal('suspend') }),
  z.object({ type: z.literal('agent'), agent: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('handler'), file: z.string(), at: names, source: z.string(), pure: z.boolean(), tools: toolUses }),
  z.object({ type: z.literal('each'), flow: z.lazy(() => graph) }),
]);

/** Bodies that the builder itself expands nodes to belong to the engine. */
const unfolded = z
  .object({ type: z.string().refine((type) => !['default', 'suspend', 'agent', 'handler', 'each'].includes(type)) })
  .loose();

const body: z.ZodType<unknown> = z.union([fromCode, unfolded]);

const written = z.object({ file: z.string(), line: z.number(), column: z.number(), last: z.number() }).optional();

const origin = z.object({
  flow: z.string(),
  node: z.string(),
  title: z.string().optional(),
  states: z.object({ input: z.string(), output: z.string() }).optional(),
  written,
});

const node = roughSchema<GraphNode>(
  z.object({
    id: z.string(),
    kind: z.enum(graphNodeKinds),
    from: names.min(1),
    to: names.min(1),
    body,
    title: z.string().optional(),
    note: z.string().optional(),
    path: z.string(),
    own_names: z.record(z.string(), z.string()).optional(),
    part_of: z.string().optional(),
    origin: z.array(origin).optional(),
    written,
  }),
);

const graph: z.ZodType<unknown> = z.object({
  name: z.string(),
  description: z.string().optional(),
  input: z.string(),
  output: z.string(),
  schemas: z.record(z.string(), jsonSchema),
  nodes: z.array(node),
  limits: z.object({ steps: z.number(), seconds: z.number(), model_calls: z.number(), tokens: z.number(), cost: z.number().optional() }),
  flow_tools: z
    .record(
      z.string(),
      z.lazy(() => graph),
    )
    .optional(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Schema of a description of a flow in code. The file belongs to the workspace, so it is validated like any input. */
export const flowDescriptionSchema = roughSchema<FlowDescription>(z.object({ graph, files: names }));

export const toolDescriptionSchema: z.ZodType<ToolDescription> = z.object({
  name: z.string().min(1),
  description: z.string(),
  input_schema: jsonSchema,
  output_schema: jsonSchema.optional(),
  effect: z.enum(['none', 'read', 'write']),
  idempotent: z.boolean().optional(),
  approve: z.enum(['always', 'never']),
  timeout: z.number().positive().optional(),
  resumes: z.boolean(),
});

export const problemListSchema = z.array(problemSchema);

/** Describes the first violation of a schema. */
export function faultIn(schema: z.ZodType, value: unknown): string | null {
  const { error } = schema.safeParse(value);
  const first = error?.issues[0];
  return first ? `${first.message} (at /${first.path.join('/')})` : null;
}
