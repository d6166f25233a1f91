import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files below a folder, which may be missing, that were last written before a time (milliseconds since 1970). */
export function removeOlder(folder: string, time: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const found = statSync(path);
    // Some file systems keep whole seconds only.
    if (found.isFile() && found.mtimeMs < Math.floor(time / 1000) * 1000) rmSync(path);
  }
}
