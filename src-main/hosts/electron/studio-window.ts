import { join } from 'node:path';
import { BrowserWindow, type Session, session, type WebContents } from 'electron';
import { isOwnPage, pageUrl } from '#main/hosts/electron/app-scheme.ts';

/** Opens the studio's window. */
export function openStudioWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(pageUrl);
  return window;
}

/** Refuses what a page of ours never does: leave, open windows, host webviews. */
export function lockContents(contents: WebContents): void {
  contents.on('will-navigate', (event, url) => {
    if (!isOwnPage(url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Refuses every permission (camera, notifications, clipboard reading, …) and every device. */
export function refusePermissions(target: Session = session.defaultSession): void {
  target.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  target.setPermissionCheckHandler(() => false);
  target.setDevicePermissionHandler(() => false);
}
