import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, ownerText, ownProcess, parseOwner } from '#main/journal/process-owner.ts';
import { fileFailure } from '#main/platform/file-failure.ts';
import { profileFolder } from '#main/platform/profile.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { FlowError } from '#shared/run/error.ts';

/** Where a server stores what is not a folder's, if nothing else is said. */
export function defaultDataFolder(): string {
  return join(profileFolder(), 'server');
}

/** Makes a data folder, for its owner only, if it is missing. Throws `FlowError`. */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileFailure('could not be made', folder, error);
  }
}

/** Returns the id of the server that uses a data folder; the same one each time. Throws `FlowError`. */
export function serverIdOf(folder: string): string {
  const path = join(folder, 'server-id');
  try {
    if (!existsSync(path)) writeFileSync(path, uuidV7(), { mode: 0o600 });
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileFailure('could not be read', path, error);
  }
}

/** Takes a data folder for this server alone, until the returned function is called. Throws `Conflict` while another server has it. */
export function lockDataFolder(folder: string): () => void {
  const path = join(folder, 'server.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, ownerText(ownProcess()));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFailure('could not be written', path, error);
    }
    const owner = readOwner(path);
    if (owner && !hasEnded(owner))
      throw new FlowError('Conflict', `Another server uses ${folder} (process ${owner.pid}). Stop it, or use another --data folder.`, {
        details: { folder, pid: owner.pid },
      });
    rmSync(path, { force: true });
  }
  throw new FlowError('Conflict', `Another server is starting in ${folder}. Try again.`, { details: { folder } });
}

function readOwner(path: string) {
  try {
    return parseOwner(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
