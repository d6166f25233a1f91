import { recentlyOpened, rememberFolder } from '#main/platform/profile.ts';
import { Feed } from '#main/services/host/feed.ts';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { installExamples } from '#main/workspace/examples.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Workspace, WorkspaceEvent } from '#shared/contract/workspace.ts';
import { FlowError } from '#shared/run/error.ts';
import { FolderSession } from './folder-session.ts';
import { realFolder } from './real-folder.ts';

type Listener = Pick<HostCapabilities, 'onFolderOpened' | 'onRunChange'>;

/** The one folder that is open in this process, for all its windows and tabs. */
export class CurrentFolder {
  readonly events = new Feed<WorkspaceEvent>();
  readonly #listener: Listener;
  readonly #runSlots: number | undefined;
  /** The last opening; serializes openings. */
  #session: Promise<FolderSession | null>;

  /** `first` is the folder to open. Default: the last open folder, or the example at the first start. */
  constructor(listener: Listener, first: string | undefined, runSlots?: number) {
    this.#listener = listener;
    this.#runSlots = runSlots;
    this.#session = this.#openFirst(first);
    // The first caller receives the error.
    this.#session.catch(() => undefined);
  }

  /** Returns the open folder. Throws `NotFound` if none is open. */
  async required(): Promise<FolderSession> {
    const session = await this.#session;
    if (session) return session;
    throw new FlowError('NotFound', 'No folder is open. Open a folder first.', { code: 'CONFIG_NO_FOLDER' });
  }

  async describe(): Promise<Workspace | null> {
    const session = await this.#session;
    return session ? session.describe() : null;
  }

  /** Opens a folder in place of the current one. Throws `NotFound` and keeps the current one if it can't be opened. */
  async open(folder: string): Promise<Workspace> {
    const path = await realFolder(folder);
    const before = this.#session.catch(() => null);
    const opening = before.then(async (open) => {
      if (open?.folder === path) return { session: open, workspace: await open.describe() };
      const session = this.#newSession(path);
      try {
        const workspace = await session.describe();
        await open?.close();
        return { session, workspace };
      } catch (error) {
        await session.close();
        throw error;
      }
    });
    this.#session = opening.then(
      ({ session }) => session,
      () => before,
    );
    const { workspace } = await opening;
    await this.#remember(path);
    this.events.publish({ type: 'opened', workspace });
    return workspace;
  }

  /** Handles a permission that was revoked in a folder: if the folder is open, its runs stop using the permission. */
  async onPermissionsRevoked(folder: string): Promise<void> {
    const session = await this.#session.catch(() => null);
    if (session?.folder !== folder) return;
    await session.onPermissionsRevoked();
    await this.notifyChanged([]);
  }

  /** Notifies all readers of a change in the folder, unless another one was opened before it was described: readers would go back to this one. */
  async notifyChanged(flows: readonly string[]): Promise<void> {
    const session = await this.#session.catch(() => null);
    const workspace = session && (await session.describe().catch(() => null));
    if (workspace && session === (await this.#session.catch(() => null))) {
      this.events.publish({ type: 'changed', workspace, flows: [...flows] });
    }
  }

  async close(): Promise<void> {
    const session = await this.#session.catch(() => null);
    this.#session = Promise.resolve(null);
    await session?.close();
    this.events.end();
  }

  #newSession(folder: string): FolderSession {
    const onRunChange = (run: RunSummary) => this.#listener.onRunChange?.(run);
    return new FolderSession(folder, { onFilesChanged: (flows) => void this.notifyChanged(flows), onRunChange }, { slots: this.#runSlots });
  }

  async #openFirst(first: string | undefined): Promise<FolderSession | null> {
    const folder = await realFolder(first ?? (await this.#lastOrExample()));
    await this.#remember(folder);
    return this.#newSession(folder);
  }

  async #lastOrExample(): Promise<string> {
    for (const { folder } of await recentlyOpened()) {
      const path = await realFolder(folder).catch(() => null);
      if (path !== null) return path;
    }
    return installExamples();
  }

  async #remember(folder: string): Promise<void> {
    await rememberFolder(folder, Date.now());
    this.#listener.onFolderOpened?.(folder);
  }
}
