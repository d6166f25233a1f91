import { app } from 'electron';
import { registerAppScheme, serveAppScheme } from '#main/hosts/electron/app-scheme.ts';
import { handOverPorts } from '#main/hosts/electron/port-handover.ts';
import { lockContents, openStudioWindow, refusePermissions } from '#main/hosts/electron/studio-window.ts';
import { loadPageFiles, pageFolder } from '#main/hosts/page-files.ts';
import { createServices } from '#main/services/services.ts';

registerAppScheme();
app.on('web-contents-created', (_event, contents) => lockContents(contents));

async function start(): Promise<void> {
  const files = await loadPageFiles(pageFolder());
  await app.whenReady();
  const services = createServices({ host: 'electron', notice: null });
  refusePermissions();
  serveAppScheme(files);
  handOverPorts(services.router);
  openStudioWindow();
  app.on('window-all-closed', () => app.quit());
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  app.exit(2);
});
