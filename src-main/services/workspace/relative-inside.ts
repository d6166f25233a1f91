import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { FlowError } from '#shared/run/error.ts';

/** Path of a file relative to a folder (its real path), with `/`. Throws `NotFound` if the file does not exist or is outside. */
export async function relativeInside(folder: string, file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const path = real === null ? '' : relative(folder, real);
  if (path !== '' && path !== '..' && !path.startsWith(`..${sep}`)) return path.split(sep).join('/');
  throw new FlowError('NotFound', `There is no file ${file} in ${folder}.`, { details: { file } });
}
