import { askForFolder } from './folder-picker-store.ts';
import { texts } from './texts.ts';
import { openFolder } from './workspace.ts';

/** Asks for a folder and opens it. */
export async function chooseAndOpenFolder(): Promise<void> {
  const folder = await askForFolder(texts.open.title);
  if (folder !== null) await openFolder(folder);
}
