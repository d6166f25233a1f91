import { z } from 'zod';
import { json, procedure } from '#shared/contract/common.ts';
import { traceSchema, validationReportSchema } from '#shared/flow/problem.ts';
import { playedTraceSchema } from '#shared/flow/soundness/played-trace.ts';

/** Positions by node id, in pixels of the canvas at 100 %. */
export const layoutSchema = z.object({
  pravah_layout: z.literal(1),
  nodes: z.record(z.string(), z.object({ x: z.number(), y: z.number() })),
});
export type Layout = z.infer<typeof layoutSchema>;

/** What a flow in code is besides its drawing. */
export const codeFlowSchema = z.object({
  /** Path of the file on disk, for an editor. */
  file: z.string(),
  source: z.string(),
  /** All that is wrong with it: that the folder is not trusted, that it cannot be loaded, what `build()` has found. */
  report: validationReportSchema,
});
export type CodeFlowContent = z.infer<typeof codeFlowSchema>;

/** A flow file as read. `hash` is SHA-256 (hex) of the bytes on disk; saving gives it back. Of a flow in code it is another whenever anything here is. */
export const flowContentSchema = z.object({
  path: z.string(),
  /** Of a flow in code its form as a document, to be drawn; empty when it could not be loaded. */
  text: z.string(),
  hash: z.string(),
  layout: layoutSchema.nullable(),
  /** Set for a flow in code, which is read-only here. */
  code: codeFlowSchema.nullable(),
  /** Unsaved edits that outlived the last session. */
  draft: z.object({ text: z.string(), layout: layoutSchema.nullable(), base_hash: z.string(), saved_at: z.number() }).nullable(),
});
export type FlowContent = z.infer<typeof flowContentSchema>;

const flowPath = z.object({ path: z.string().min(1) });

export const flowsContract = {
  read: procedure.input(flowPath).output(flowContentSchema),
  /** Writes atomically. When the file is no longer `base_hash`, nothing is written and `conflict` holds what is on disk. */
  save: procedure
    .input(flowPath.extend({ text: z.string(), base_hash: z.string(), layout: layoutSchema.nullable() }))
    .output(
      z.discriminatedUnion('status', [
        z.object({ status: z.literal('saved'), hash: z.string() }),
        z.object({ status: z.literal('conflict'), text: z.string().nullable(), hash: z.string() }),
      ]),
    ),
  /** Keeps unsaved edits so that a crash loses nothing. On disk when this returns. */
  saveDraft: procedure
    .input(flowPath.extend({ text: z.string(), base_hash: z.string(), layout: layoutSchema.nullable() }))
    .output(z.object({})),
  discardDraft: procedure.input(flowPath).output(z.object({})),
  saveLayout: procedure.input(flowPath.extend({ layout: layoutSchema })).output(z.object({})),
  /** A new file with a minimal valid flow, or with `text`, in YAML; in `folder` of the workspace, else at its top. No file is replaced. */
  create: procedure
    .input(
      z.object({ name: z.string().min(1), folder: z.string().optional(), text: z.string().optional(), layout: layoutSchema.optional() }),
    )
    .output(flowContentSchema),
  rename: procedure.input(flowPath.extend({ new_path: z.string().min(1) })).output(z.object({})),
  /** Moves the file and its layout to the system's or the workspace's trash. */
  remove: procedure.input(flowPath).output(z.object({})),
  /** All problems of a text, as `pravah validate` finds them in this folder. */
  validate: procedure.input(flowPath.extend({ text: z.string() })).output(validationReportSchema),
  /** The markings that a counterexample's firings go through. Refused when they do not fit the text. */
  playTrace: procedure.input(flowPath.extend({ text: z.string(), trace: traceSchema })).output(playedTraceSchema),
  /** JSON Schema of the entry state, with what it refers to, for the input form; and the last input used. */
  inputForm: procedure.input(flowPath.extend({ text: z.string() })).output(z.object({ schema: json, last_input: json })),
};
