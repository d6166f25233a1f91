import { join } from 'node:path';
import { BrowserWindow, dialog, type Session, screen, type WebContents } from 'electron';
import { isOwnPage, pageUrl } from './app-scheme.ts';
import { defaultSize, keepWindowState, readWindowState } from './window-state.ts';

/** A page that crashes again within this time, in milliseconds, is not reloaded automatically. */
const crashPatience = 60_000;

/** Opens the studio's window at its last position, which `stateFile` stores. */
export function openStudioWindow(stateFile: string): BrowserWindow {
  const state = readWindowState(
    stateFile,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...(state?.bounds ?? { ...defaultSize, useContentSize: true }),
    minWidth: 800,
    minHeight: 600,
    show: false,
    title: 'Pravah Studio',
    backgroundColor: '#16181d',
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => {
    if (state?.maximized) window.maximize();
    window.show();
  });
  keepWindowState(window, stateFile);
  recoverFromCrashes(window);
  void window.loadURL(pageUrl);
  return window;
}

/** Reloads a crashed page; asks the user if it crashes repeatedly. Nothing is lost: edits and runs are on disk. */
function recoverFromCrashes(window: BrowserWindow): void {
  let lastCrash = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', async (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const again = performance.now() - lastCrash < crashPatience;
    lastCrash = performance.now();
    if (again) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'error',
        message: 'The Pravah Studio window crashed twice.',
        detail: `Reason: ${reason}. Your edits and runs are saved. Reload the window, or close it and restart the studio.`,
        buttons: ['Reload', 'Close'],
        defaultId: 0,
        cancelId: 1,
      });
      if (window.isDestroyed()) return;
      if (response === 1) {
        window.destroy();
        return;
      }
    }
    window.webContents.reload();
  });
}

/** Blocks what our page never does: navigating away, opening windows, hosting webviews. */
export function lockContents(contents: WebContents): void {
  contents.on('will-navigate', (event, url) => {
    if (!isOwnPage(url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Refuses every permission (camera, notifications, clipboard reading, …) and every device, except writing text to the clipboard. */
export function refusePermissions(target: Session): void {
  target.setPermissionRequestHandler((_contents, permission, answer) => answer(mayUse(permission)));
  target.setPermissionCheckHandler((_contents, permission) => mayUse(permission));
  target.setDevicePermissionHandler(() => false);
}

const mayUse = (permission: string): boolean => permission === 'clipboard-sanitized-write';
