import { join } from 'node:path';
import { app, type BrowserWindow, dialog, session } from 'electron';
import { loadPageFiles, pageFolder } from '#main/hosts/page-files.ts';
import { profileFolder } from '#main/platform/profile.ts';
import { Feed } from '#main/services/host/feed.ts';
import { cipherOf, shareKeychain } from '#main/services/keychain.ts';
import { createServices, type Services } from '#main/services/services.ts';
import type { HostCommand } from '#shared/contract/app.ts';
import { registerAppScheme, serveAppScheme } from './app-scheme.ts';
import { electronKeychain } from './keychain.ts';
import { setMenu } from './menu.ts';
import { notifier } from './notifications.ts';
import { type OpenRequest, requestOfArguments, requestOfLink } from './open-requests.ts';
import { handOverPorts } from './port-handover.ts';
import { lockContents, openStudioWindow, refusePermissions } from './studio-window.ts';

/** The desktop application: one process, one window, the services behind it. */
class Desktop {
  readonly #commands = new Feed<HostCommand>({ keep: true });
  readonly #services: Services;
  readonly #stateFile = join(profileFolder(), 'window.json');
  #window: BrowserWindow | undefined;
  #ended = false;

  constructor(first: OpenRequest | null) {
    this.#services = createServices(
      {
        host: 'electron',
        notice: null,
        commands: this.#commands,
        keyCipher: cipherOf(electronKeychain),
        chooseFolder: () => this.#chooseFolder(),
        onFolderOpened: (folder) => app.addRecentDocument(folder),
        onRunChange: notifier({
          isWatched: () => this.#window?.isFocused() === true,
          onClick: (runId) => void this.open({ type: 'run', run_id: runId }),
        }),
      },
      { folder: first?.type === 'folder' ? first.folder : undefined },
    );
  }

  async start(first: OpenRequest | null): Promise<void> {
    const files = await loadPageFiles(pageFolder());
    await app.whenReady();
    await shareKeychain(electronKeychain);
    refusePermissions(session.defaultSession);
    serveAppScheme(files);
    handOverPorts(this.#services.router);
    setMenu((command) => this.#commands.publish({ command }));
    this.#window = openStudioWindow(this.#stateFile);
    app.on('activate', () => {
      if (this.#window?.isDestroyed()) this.#window = openStudioWindow(this.#stateFile);
    });
    app.on('window-all-closed', () => app.quit());
    app.on('will-quit', (event) => this.#endServices(event));
    if (first && first.type !== 'folder') await this.open(first);
  }

  /** Brings the window to the front and opens the request. An unknown link or file is ignored. */
  async open(request: OpenRequest | null): Promise<void> {
    if (this.#window?.isMinimized()) this.#window.restore();
    this.#window?.focus();
    if (request?.type === 'run') this.#commands.publish({ command: 'show_run', argument: request.run_id });
    try {
      if (request?.type === 'folder') await this.#services.openFolder(request.folder);
      if (request?.type !== 'flow') return;
      const path = await this.#services.openFlowFile(request.file);
      this.#commands.publish({ command: 'open_flow', argument: path });
    } catch (error) {
      await this.#showError("Can't open this item.", error);
    }
  }

  /** Uses a message box: an error box would block the process until the user closes it. */
  async #showError(message: string, error: unknown): Promise<void> {
    const options = { type: 'error' as const, message, detail: error instanceof Error ? error.message : String(error) };
    await (this.#window ? dialog.showMessageBox(this.#window, options) : dialog.showMessageBox(options));
  }

  async #chooseFolder(): Promise<string | null> {
    const options = { title: 'Open Folder', properties: ['openDirectory' as const, 'createDirectory' as const] };
    const { canceled, filePaths } = await (this.#window ? dialog.showOpenDialog(this.#window, options) : dialog.showOpenDialog(options));
    return canceled ? null : (filePaths[0] ?? null);
  }

  /** Closes runs and journals before the process exits. */
  #endServices(event: { preventDefault(): void }): void {
    if (this.#ended) return;
    this.#ended = true;
    event.preventDefault();
    void this.#services.close().finally(() => app.quit());
  }
}

app.setName('Pravah Studio');
// One Chromium folder per profile, so that tests and several installations do not share it.
app.setPath('userData', join(profileFolder(), 'electron'));
registerAppScheme();
app.on('web-contents-created', (_event, contents) => lockContents(contents));

/** The unchanged arguments that a second instance hands to the first: Chromium itself passes them on reordered. */
interface SecondStart {
  readonly args: readonly string[];
  readonly cwd: string;
}

const start: SecondStart = { args: process.argv.slice(1), cwd: process.cwd() };

if (app.requestSingleInstanceLock({ ...start })) {
  if (app.isPackaged) app.setAsDefaultProtocolClient('pravah');
  const first = requestOfArguments(start.args, start.cwd);
  const desktop = new Desktop(first);
  app.on('second-instance', (_event, _args, _cwd, second) => {
    const { args, cwd } = second as SecondStart;
    void desktop.open(requestOfArguments(args, cwd));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    void desktop.open(requestOfLink(link));
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    void desktop.open(requestOfArguments([file], '/'));
  });
  desktop.start(first).catch((error: unknown) => {
    dialog.showErrorBox('Pravah Studio could not start', error instanceof Error ? error.message : String(error));
    app.exit(2);
  });
} else {
  app.quit();
}
