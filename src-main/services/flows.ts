import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { createFlow, removeFlow, renameFlow, saveLayout } from '#main/workspace/flow-files.ts';
import { importState } from '#main/workspace/import-state.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import { studio } from './implementer.ts';

/** Flow files of the open folder: reading, saving, drafts, validation. */
export function flowsRouter(current: CurrentFolder) {
  const folder = async () => (await current.required()).folder;
  const documents = async () => (await current.required()).flows;
  /** Notifies all windows of a change, even if the system does not watch files. */
  const changed = async <T>(paths: readonly string[], result: T): Promise<T> => {
    await current.notifyChanged(paths);
    return result;
  };
  return {
    read: studio.flows.read.handler(async ({ input }) => {
      const session = await current.required();
      if (!isReadOnlyFlow(input.path)) return session.flows.at(input.path).read();
      return session.background.call('readCode', { path: input.path, trusted: await session.trusted() });
    }),
    save: studio.flows.save.handler(async ({ input }) => {
      const { path, window, text, layout, base_hash, revision } = input;
      const result = await (await documents()).at(path).save({ window, text, layout, base_hash, revision });
      return result.status === 'saved' ? changed([input.path], result) : result;
    }),
    edit: studio.flows.edit.handler(async ({ input }) => (await documents()).at(input.path).edit(input)),
    takeFile: studio.flows.takeFile.handler(async ({ input }) => {
      const content = await (await documents()).at(input.path).takeFile(input.window);
      return changed([], content);
    }),
    dropOther: studio.flows.dropOther.handler(async ({ input }) => {
      const content = await (await documents()).at(input.path).dropOther(input.window, input);
      return changed([], content);
    }),
    watch: studio.flows.watch.handler(async function* ({ input, signal }) {
      yield* (await documents()).watch(input.window, signal);
    }),
    saveLayout: studio.flows.saveLayout.handler(async ({ input }) => {
      await saveLayout(await folder(), input.path, input.layout);
      return {};
    }),
    create: studio.flows.create.handler(async ({ input }) => {
      const path = await createFlow(await folder(), input.name, input);
      return changed([path], await (await documents()).at(path).read());
    }),
    importable: studio.flows.importable.handler(async () => (await current.required()).background.call('importableFiles')),
    importWorkflow: studio.flows.importWorkflow.handler(async ({ input }) => {
      const report = await (await current.required()).background.call('importWorkflow', input);
      return report.files.length === 0 ? report : changed(report.files, report);
    }),
    importState: studio.flows.importState.handler(async ({ input }) => importState(await folder(), input.path)),
    updateImport: studio.flows.updateImport.handler(async ({ input }) => {
      const report = await (await current.required()).background.call('updateImport', input);
      return changed(report.files, report);
    }),
    rename: studio.flows.rename.handler(async ({ input }) => {
      await renameFlow(await folder(), input.path, input.new_path);
      const { flows, debug } = await current.required();
      flows.forget(input.path);
      await debug.renamed(input.path, input.new_path);
      return changed([input.path, input.new_path], {});
    }),
    remove: studio.flows.remove.handler(async ({ input }) => {
      await removeFlow(await folder(), input.path);
      (await documents()).forget(input.path);
      return changed([input.path], {});
    }),
    validate: studio.flows.validate.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('validate', { ...input, trusted: await session.trusted() });
    }),
    fitting: studio.flows.fitting.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('fitting', { ...input, trusted: await session.trusted() });
    }),
    playTrace: studio.flows.playTrace.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('playTrace', { ...input, trusted: await session.trusted() });
    }),
    inputForm: studio.flows.inputForm.handler(async ({ input }) => (await current.required()).background.call('inputForm', input)),
  };
}
