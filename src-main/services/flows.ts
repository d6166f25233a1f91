import { studio } from '#main/services/implementer.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { discardDraft, saveDraft } from '#main/workspace/flow-drafts.ts';
import { createFlow, readFlow, removeFlow, renameFlow, saveFlow, saveLayout } from '#main/workspace/flow-files.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';

/** Flow files of the open folder: reading, saving, drafts, validation. */
export function flowsRouter(current: CurrentFolder) {
  const folder = async () => (await current.required()).folder;
  /** Tells all windows what changed, also where the system does not watch files. */
  const changed = async <T>(paths: readonly string[], result: T): Promise<T> => {
    await current.tellChanged(paths);
    return result;
  };
  return {
    read: studio.flows.read.handler(async ({ input }) => {
      const session = await current.required();
      if (!isCodeFlow(input.path)) return readFlow(session.folder, input.path);
      return session.background.call('readCode', { path: input.path, trusted: await session.trusted() });
    }),
    save: studio.flows.save.handler(async ({ input }) => {
      const result = await saveFlow(await folder(), input.path, input.text, input.base_hash, input.layout);
      return result.status === 'saved' ? changed([input.path], result) : result;
    }),
    saveDraft: studio.flows.saveDraft.handler(async ({ input }) => {
      await saveDraft(await folder(), { ...input, saved_at: Date.now() });
      return {};
    }),
    discardDraft: studio.flows.discardDraft.handler(async ({ input }) => {
      await discardDraft(await folder(), input.path);
      return changed([], {});
    }),
    saveLayout: studio.flows.saveLayout.handler(async ({ input }) => {
      await saveLayout(await folder(), input.path, input.layout);
      return {};
    }),
    create: studio.flows.create.handler(async ({ input }) => {
      const content = await createFlow(await folder(), input.name, input);
      return changed([content.path], content);
    }),
    rename: studio.flows.rename.handler(async ({ input }) => {
      await renameFlow(await folder(), input.path, input.new_path);
      return changed([input.path, input.new_path], {});
    }),
    remove: studio.flows.remove.handler(async ({ input }) => {
      await removeFlow(await folder(), input.path);
      return changed([input.path], {});
    }),
    validate: studio.flows.validate.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('validate', { ...input, trusted: await session.trusted() });
    }),
    playTrace: studio.flows.playTrace.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('playTrace', { ...input, trusted: await session.trusted() });
    }),
    inputForm: studio.flows.inputForm.handler(async ({ input }) => (await current.required()).background.call('inputForm', input)),
  };
}
