import { openFolder } from '#renderer/stores/workspace.ts';
import { askForFolder } from './folder-picker-store.ts';

/** Asks for a folder and opens it. */
export async function chooseAndOpenFolder(): Promise<void> {
  const folder = await askForFolder('Open a folder');
  if (folder !== null) await openFolder(folder);
}
