import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from './common.ts';
import { exampleNameSchema } from './examples.ts';

/** A flow file of the open folder. `path` is relative, with `/`. */
export const flowFileSchema = z.object({ path: z.string(), name: z.string(), has_draft: z.boolean() });
export type FlowFile = z.infer<typeof flowFileSchema>;

export const workspaceSchema = z.object({
  /** Real path of the folder. */
  folder: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  flows: z.array(flowFileSchema),
  git: z.object({ branch: z.string(), changed: z.int() }).nullable(),
  /** True for the example that the studio brought along. */
  example: z.boolean(),
  /** Where runs are journaled when `.pravah/` is not ours or cannot be written, in words; else null. */
  journal_notice: z.string().nullable(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

export const workspaceEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), workspace: workspaceSchema }),
  /** Files changed on disk; paths of the flows among them. */
  z.object({ type: z.literal('changed'), workspace: workspaceSchema, flows: z.array(z.string()) }),
]);
export type WorkspaceEvent = z.infer<typeof workspaceEventSchema>;

export const workspaceContract = {
  /** The folder that is open, or null. */
  current: procedure.output(workspaceSchema.nullable()),
  open: procedure.input(z.object({ folder: z.string().min(1) })).output(workspaceSchema),
  /** Opens the user's own copy of an example, which is made where there is none yet. */
  openExample: procedure.input(z.object({ name: exampleNameSchema })).output(workspaceSchema),
  /** Asks with the desktop's folder dialog; null when cancelled. Only where `app.info` says `folder_dialog`. */
  chooseFolder: procedure.output(z.object({ folder: z.string().nullable() })),
  /** Subfolders of a folder, for a host without a dialog; without `folder`, of the home folder. */
  listFolders: procedure
    .input(z.object({ folder: z.string().optional() }))
    .output(z.object({ folder: z.string(), parent: z.string().nullable(), folders: z.array(z.string()) })),
  recent: procedure.output(z.array(z.object({ folder: z.string(), name: z.string(), opened_at: z.number() }))),
  setTrust: procedure.input(z.object({ trusted: z.boolean() })).output(workspaceSchema),
  /** Copies a flow of the open folder, with the files it needs, into another folder, and opens that. Refuses to overwrite. */
  copyFlowInto: procedure.input(z.object({ path: z.string(), folder: z.string() })).output(workspaceSchema),
  /** Files that `copyFlowInto` would write. */
  copyFlowPlan: procedure
    .input(z.object({ path: z.string(), folder: z.string() }))
    .output(z.object({ files: z.array(z.object({ path: z.string(), exists: z.boolean() })) })),
  watch: procedure.output(eventIterator(workspaceEventSchema)),
};
