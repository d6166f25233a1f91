import { z } from 'zod';
import { json } from '#shared/contract/common.ts';
import { capabilitySchema } from '#shared/flow/capabilities/capability.ts';
import { problemSchema } from '#shared/flow/problem.ts';
import { created, gone, ok, pageOf, pageQuery, route, timeSchema } from './common.ts';

export const servedFlowSchema = z.object({
  /** Path of the flow's file; `FOLDER/PATH` if the server offers several folders. The name of a deployed flow. */
  name: z.string(),
  title: z.string(),
  /** The version of a deployed flow that new runs take; null for a flow of a folder. */
  version: z.int().nullable(),
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

/** Names of deployed flows: no path of a folder's flow is one. */
export const deployedName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and -, at most 64');

export const deployedVersionSchema = z.object({
  name: z.string(),
  /** From 1. `NAME@VERSION` names it as the flow of a run. */
  version: z.int(),
  /** SHA-256 (hex) of what was deployed. */
  hash: z.string(),
  title: z.string(),
  deployed_at: timeSchema,
  /** Whether new runs of the name take it. */
  active: z.boolean(),
});
export type DeployedVersion = z.infer<typeof deployedVersionSchema>;

/** What a deployment did, or would do. */
export const deploymentSchema = z.object({
  name: z.string(),
  /** Null for a trial. */
  version: z.int().nullable(),
  hash: z.string(),
  flow: servedFlowDetailSchema,
});
export type Deployment = z.infer<typeof deploymentSchema>;

const flag = z.enum(['true', 'false']).optional();
const nameParams = z.object({ name: z.string().min(1).max(1000) });

export const flowsRoutes = {
  list: route
    .route({ method: 'GET', path: '/v1/flows', tags: ['Flows'], summary: 'List flows' })
    .input(z.object({ query: z.strictObject(pageQuery) }))
    .output(ok(pageOf(servedFlowSchema))),
  get: route
    .route({ method: 'GET', path: '/v1/flows/{+name}', tags: ['Flows'], summary: 'Read a flow' })
    .input(z.object({ params: z.object({ name: z.string().min(1) }), query: z.strictObject({}).optional() }))
    .output(ok(servedFlowDetailSchema)),
  deploy: route
    .meta({ scope: 'manage' })
    .route({ method: 'POST', path: '/v1/flows', tags: ['Flows'], summary: 'Deploy a flow', successStatus: 201 })
    .input(
      z.object({
        query: z.strictObject({
          name: deployedName,
          /** Checks the bundle and stores nothing. */
          dry_run: flag,
          /** Also takes a flow that is not proven sound. */
          allow_unsound: flag,
        }),
        /** A bundle, as `pravah deploy` makes it. */
        body: z.file().mime('application/zip'),
      }),
    )
    .output(z.union([created(deploymentSchema), ok(deploymentSchema)])),
  versions: route
    .route({ method: 'GET', path: '/v1/flows/{name}/versions', tags: ['Flows'], summary: 'List the versions of a deployed flow' })
    .input(z.object({ params: nameParams, query: z.strictObject({}).optional() }))
    .output(ok(z.object({ data: z.array(deployedVersionSchema) }))),
  activate: route
    .meta({ scope: 'manage' })
    .route({ method: 'POST', path: '/v1/flows/{name}/activate', tags: ['Flows'], summary: 'Choose the version that new runs take' })
    .input(z.object({ params: nameParams, body: z.strictObject({ version: z.int().positive() }) }))
    .output(ok(deployedVersionSchema)),
  remove: route
    .meta({ scope: 'manage' })
    .route({ method: 'DELETE', path: '/v1/flows/{+name}', tags: ['Flows'], summary: 'Remove a deployed flow', successStatus: 204 })
    .input(z.object({ params: nameParams }))
    .output(gone),
};
