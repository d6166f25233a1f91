import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;
const WITHOUT_OWNER_MS = 5000;

/**
 * Waits until no other process builds into the same folder, and returns a function that releases the lock. The lock is a folder
 * that contains its owner's process id. The lock of a dead owner is taken over.
 */
export async function buildLock(folder: string): Promise<() => void> {
  await mkdir(join(folder, '..'), { recursive: true });
  let hasReported = false;
  for (;;) {
    try {
      await mkdir(folder);
      await writeFile(join(folder, 'pid'), String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true });
    else {
      if (!hasReported) process.stderr.write('Waiting for another build to finish …\n');
      hasReported = true;
      await delay(POLL_MS);
    }
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ESRCH') return true;
    if (code !== 'ENOENT') return false;
  }
  // No process id yet: the owner is just writing it, unless it died in between.
  const made = await stat(folder).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > WITHOUT_OWNER_MS;
}
