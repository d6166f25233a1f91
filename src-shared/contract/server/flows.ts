import { z } from 'zod';
import { json } from '#shared/contract/common.ts';
import { capabilitySchema } from '#shared/flow/capabilities/capability.ts';
import { problemSchema } from '#shared/flow/problem.ts';
import { ok, pageOf, pageQuery, route } from './common.ts';

export const servedFlowSchema = z.object({
  /** Path of the flow's file; `FOLDER/PATH` if the server offers several folders. */
  name: z.string(),
  title: z.string(),
});
export type ServedFlow = z.infer<typeof servedFlowSchema>;

export const servedFlowDetailSchema = servedFlowSchema.extend({
  /** What it does, in its author's words; empty if they wrote nothing. */
  description: z.string(),
  /** SHA-256 (hex) of its text. */
  hash: z.string(),
  /** JSON Schemas of the state that it starts with, and of those that it ends with by name. `true` takes everything. */
  input_schema: json,
  output_schemas: z.record(z.string(), json),
  soundness: z.enum(['sound', 'unsound', 'unknown']),
  problems: z.array(problemSchema),
  /** What its runs may reach. */
  capabilities: z.array(capabilitySchema),
  /** Keys of the capabilities that are not allowed on the server yet. Its runs do not start until all are. */
  unconfirmed: z.array(z.string()),
});
export type ServedFlowDetail = z.infer<typeof servedFlowDetailSchema>;

export const flowsRoutes = {
  list: route
    .route({ method: 'GET', path: '/v1/flows', tags: ['Flows'], summary: 'List flows' })
    .input(z.object({ query: z.strictObject(pageQuery) }))
    .output(ok(pageOf(servedFlowSchema))),
  get: route
    .route({ method: 'GET', path: '/v1/flows/{+name}', tags: ['Flows'], summary: 'Read a flow' })
    .input(z.object({ params: z.object({ name: z.string().min(1) }), query: z.strictObject({}).optional() }))
    .output(ok(servedFlowDetailSchema)),
};
