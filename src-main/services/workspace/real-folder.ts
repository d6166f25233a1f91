import { realpath, stat } from 'node:fs/promises';
import { FlowError } from '#shared/run/error.ts';

/** Real path of a folder that can be opened. Throws `NotFound`. */
export async function realFolder(folder: string): Promise<string> {
  const path = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw notFound(folder, error.code === 'EACCES' ? "can't be read: permission denied" : "doesn't exist");
  });
  if (!(await stat(path)).isDirectory()) throw notFound(folder, 'is not a folder');
  return path;
}

function notFound(folder: string, why: string): FlowError {
  return new FlowError('NotFound', `${folder} ${why}. Choose another folder.`, { code: 'CONFIG_FOLDER_NOT_FOUND', details: { folder } });
}
