import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { recentlyOpened } from '#main/platform/profile.ts';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { copyFlow, planFlowCopy } from '#main/services/workspace/copy-flow.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { latestChange } from '#main/services/workspace/latest-change.ts';
import { realFolder } from '#main/services/workspace/real-folder.ts';
import { installExamples } from '#main/workspace/examples.ts';
import { studio } from './implementer.ts';

/** The open folder: path, content and trust. */
export function workspaceRouter(current: CurrentFolder, host: HostCapabilities) {
  return {
    current: studio.workspace.current.handler(() => current.describe()),
    open: studio.workspace.open.handler(({ input }) => current.open(input.folder)),
    openExample: studio.workspace.openExample.handler(async ({ input }) => current.open(await installExamples(input.name))),
    chooseFolder: studio.workspace.chooseFolder.handler(async () => ({ folder: (await host.chooseFolder?.()) ?? null })),
    listFolders: studio.workspace.listFolders.handler(({ input }) => listFolders(input.folder ?? homedir())),
    recent: studio.workspace.recent.handler(async () =>
      (await recentlyOpened()).map(({ folder, opened_at }) => ({ folder, name: basename(folder) || folder, opened_at })),
    ),
    setTrust: studio.workspace.setTrust.handler(async ({ input }) => {
      const session = await current.required();
      await session.setTrusted(input.trusted);
      await current.notifyChanged([]);
      return session.describe();
    }),
    copyFlowPlan: studio.workspace.copyFlowPlan.handler(async ({ input }) => {
      const session = await current.required();
      return { files: await planFlowCopy(session, input.path, await realFolder(input.folder)) };
    }),
    copyFlowInto: studio.workspace.copyFlowInto.handler(async ({ input }) => {
      const folder = await realFolder(input.folder);
      await copyFlow(await current.required(), input.path, folder);
      return current.open(folder);
    }),
    watch: studio.workspace.watch.handler(({ signal }) => current.events.read(signal, latestChange)),
  };
}

/** Folders whose name begins with a dot are left out, as file dialogs do. */
async function listFolders(folder: string) {
  const path = await realFolder(folder);
  const entries = await readdir(path, { withFileTypes: true });
  const names = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.'))
      .map(async (entry) =>
        entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(path, entry.name)))) ? [entry.name] : [],
      ),
  );
  return {
    folder: path,
    parent: dirname(path) === path ? null : dirname(path),
    folders: names.flat().sort((one, other) => one.localeCompare(other)),
  };
}

const leadsToFolder = async (link: string): Promise<boolean> =>
  realFolder(await realpath(link).catch(() => link)).then(
    () => true,
    () => false,
  );
