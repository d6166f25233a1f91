import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { layoutSchema } from '#shared/flow/layout/layout.ts';
import { problemCodes, traceSchema, validationReportSchema } from '#shared/flow/problem.ts';
import { playedTraceSchema } from '#shared/flow/soundness/played-trace.ts';
import { json, procedure } from './common.ts';

export { type Layout, layoutSchema } from '#shared/flow/layout/layout.ts';

/** What a flow that is written elsewhere (in code, or as a PyFlow workflow) is besides its drawing. */
export const codeFlowSchema = z.object({
  /** Path of the file on disk, for an editor. */
  file: z.string(),
  source: z.string(),
  /** All that is wrong with it: that the folder is not trusted, that it cannot be loaded, what `build()` has found. */
  report: validationReportSchema,
  /** Of a PyFlow workflow, for each node of the drawing the JSON Pointer of what it came from in `source`; else empty. */
  origins: z.array(z.string()),
});
export type CodeFlowContent = z.infer<typeof codeFlowSchema>;

/**
 * The version of a flow's text and layout that all windows of one studio share. `document` changes when another process, or the same one after the
 * folder was opened again, holds the flow; `number` grows with every change.
 */
export const flowRevisionSchema = z.object({ document: z.string(), number: z.int() });
export type FlowRevision = z.infer<typeof flowRevisionSchema>;

/** Unsaved edits that are not part of the shared text: they could not be merged, or another program made them. They wait for a decision. */
export const otherDraftSchema = z.object({
  id: z.string(),
  /** SHA-256 (hex) of the draft's file: a decision counts for this version of it only. */
  hash: z.string(),
  text: z.string(),
  layout: layoutSchema.nullable(),
  base_hash: z.string(),
  saved_at: z.number(),
  /** True for edits that a window of this folder could not merge, false for those of another program. */
  refused: z.boolean(),
});
export type OtherDraft = z.infer<typeof otherDraftSchema>;

/** A flow file as read. `hash` is SHA-256 (hex) of the bytes on disk; saving gives it back. Of a flow in code it is another whenever anything here is. */
export const flowContentSchema = z.object({
  path: z.string(),
  /** Of a flow in code its form as a document, to be drawn; empty when it could not be loaded. */
  text: z.string(),
  hash: z.string(),
  layout: layoutSchema.nullable(),
  /** Set for a flow in code and for a PyFlow workflow, which are read-only here. */
  code: codeFlowSchema.nullable(),
  /** Null for a flow in code, which is not edited here. */
  revision: flowRevisionSchema.nullable(),
  /** Unsaved edits, which all windows share. `restored`: an earlier session, or another program, made the last of them. */
  draft: z
    .object({ text: z.string(), layout: layoutSchema.nullable(), base_hash: z.string(), saved_at: z.number(), restored: z.boolean() })
    .nullable(),
  others: z.array(otherDraftSchema),
});
export type FlowContent = z.infer<typeof flowContentSchema>;

const schemaFitSchema = z.object({
  fit: z.enum(['equal', 'all', 'some', 'none']),
  missing: z.string().optional(),
  reason: z.string().optional(),
});

/** A node that was edited in an imported flow and changed in the workflow, too. `there` is null if the workflow no longer has it. */
export const importConflictSchema = z.object({ flow: z.string(), node: z.string(), here: json, there: json });
export type ImportConflict = z.infer<typeof importConflictSchema>;

/** What importing a workflow has done. Paths are relative to the workspace. */
export const importReportSchema = z.object({
  /** The flow; null if the workflow has errors: then nothing was written. */
  flow: z.string().nullable(),
  files: z.array(z.string()).readonly(),
  problems: z
    .array(
      z.object({
        code: z.enum(problemCodes),
        severity: z.enum(['error', 'warning']),
        message: z.string(),
        path: z.string(),
        line: z.int(),
      }),
    )
    .readonly(),
  /** After an update: nodes that were kept as they are here, if there are any. */
  conflicts: z.array(importConflictSchema).readonly().optional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** A file of the workspace that can be imported as a flow, and the tool that wrote it. */
export const importableFileSchema = z.object({ path: z.string(), tool: z.string() });
export type ImportableFile = z.infer<typeof importableFileSchema>;

const flowPath = z.object({ path: z.string().min(1) });
/** The window that calls: it is not notified of its own changes. */
const fromWindow = flowPath.extend({ window: z.string().min(1) });

export const flowsContract = {
  read: procedure.input(flowPath).output(flowContentSchema),
  /** Writes atomically. When the file is no longer `base_hash` ('': there is no file), nothing is written and `conflict` holds what is on disk. */
  save: procedure
    .input(
      fromWindow.extend({
        text: z.string(),
        base_hash: z.string(),
        layout: layoutSchema.nullable(),
        /** The versions that this text contains, so that edits which could not be stored as a draft are known to be in the file. */
        revision: flowRevisionSchema.nullable().default(null),
      }),
    )
    .output(
      z.discriminatedUnion('status', [
        z.object({ status: z.literal('saved'), content: flowContentSchema }),
        z.object({ status: z.literal('conflict'), text: z.string().nullable(), hash: z.string() }),
      ]),
    ),
  /**
   * Takes what a window has made of `revision` (null: of no file) into the text that all windows share. Where that has changed since, both are merged by
   * lines. Edits that cannot be merged are `refused` and stored among `others`. When this returns, the draft is on disk.
   */
  edit: procedure
    .input(
      fromWindow.extend({
        revision: flowRevisionSchema.nullable(),
        text: z.string(),
        layout: layoutSchema.nullable(),
        /** The file that the edits are based on, if it differs from the one that the window received. */
        base_hash: z.string().optional(),
      }),
    )
    .output(
      z.discriminatedUnion('status', [
        z.object({ status: z.literal('accepted'), revision: flowRevisionSchema }),
        z.object({ status: z.enum(['merged', 'refused']), content: flowContentSchema }),
      ]),
    ),
  /** Gives the unsaved edits up for the file on disk. */
  takeFile: procedure.input(fromWindow).output(flowContentSchema),
  /** Moves one of `others` to the trash; nothing happens when it has changed. */
  dropOther: procedure.input(fromWindow.extend({ id: z.string(), hash: z.string() })).output(flowContentSchema),
  /** Every flow that changed otherwise than by this window: edited, saved, changed on disk, or by another program's draft. */
  watch: procedure.input(z.object({ window: z.string().min(1) })).output(eventIterator(flowContentSchema)),
  saveLayout: procedure.input(flowPath.extend({ layout: layoutSchema })).output(z.object({})),
  /** A new file with a minimal valid flow, or with `text`, in YAML; in `folder` of the workspace, else at its top. No file is replaced. */
  create: procedure
    .input(
      z.object({ name: z.string().min(1), folder: z.string().optional(), text: z.string().optional(), layout: layoutSchema.optional() }),
    )
    .output(flowContentSchema),
  /** The files that `importWorkflow` takes, sorted by path. */
  importable: procedure.output(z.array(importableFileSchema)),
  /** Writes a PyFlow workflow, or an export of another tool, as a flow beside it. `Conflict` for a file that is not its import; for a changed import unless `update`. */
  importWorkflow: procedure.input(flowPath.extend({ update: z.boolean().default(false) })).output(importReportSchema),
  /** The workflow that a flow was imported from, relative to the workspace, and whether it has changed since. Null for other flows. */
  importState: procedure.input(flowPath).output(z.object({ source: z.string(), changed: z.boolean() }).nullable()),
  /** Brings an imported flow up to date with its workflow. Nodes that were edited in the flow are kept, with a warning where the workflow changed them too. */
  updateImport: procedure.input(flowPath).output(importReportSchema),
  rename: procedure.input(flowPath.extend({ new_path: z.string().min(1) })).output(z.object({})),
  /** Moves the file and its layout to the system's or the workspace's trash. */
  remove: procedure.input(flowPath).output(z.object({})),
  /** All problems of a text, as `pravah validate` finds them in this folder. */
  validate: procedure.input(flowPath.extend({ text: z.string() })).output(validationReportSchema),
  /**
   * How well a state fits what could be connected to it: `output` for a state that is produced, `input` for one that is consumed. Compared
   * are the flow's own states, the inputs or outputs of the folder's other flows (once, and for each item), and the tools' schemas.
   */
  fitting: procedure
    .input(
      flowPath.extend({
        text: z.string(),
        state: z.string(),
        side: z.enum(['input', 'output']),
        states: z.array(z.string()),
        tools: z.array(z.object({ name: z.string(), schema: json })),
      }),
    )
    .output(
      z.object({
        states: z.record(z.string(), schemaFitSchema),
        tools: z.record(z.string(), schemaFitSchema),
        flows: z.array(z.object({ path: z.string(), once: schemaFitSchema, each: schemaFitSchema })),
      }),
    ),
  /** The markings that a counterexample's firings go through. Refused when they do not fit the text. */
  playTrace: procedure.input(flowPath.extend({ text: z.string(), trace: traceSchema })).output(playedTraceSchema),
  /** JSON Schema of the entry state, with what it refers to, for the input form; and the last input used. */
  inputForm: procedure.input(flowPath.extend({ text: z.string() })).output(z.object({ schema: json, last_input: json })),
};
