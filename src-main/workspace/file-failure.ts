import { FlowError } from '#shared/runtime/error.ts';

/** What to do about a system's error code, as the end of a message. */
const mends: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and try again',
  EDQUOT: 'your disk quota is used up. Free some space and try again',
  EROFS: 'the disk can only be read. Save a copy elsewhere',
  EACCES: 'you may not write there. Change its permissions, or save a copy elsewhere',
  EPERM: 'you may not write there. Change its permissions, or save a copy elsewhere',
  ENOENT: 'it is not there any more. Save it under another name, or look whether the folder was moved',
  EISDIR: 'there is a folder of this name. Choose another name',
  ENOTDIR: 'a part of its path is no folder. Choose another place',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one',
  EMFILE: 'too many files are open. Close some and try again',
};

/** Codes that say: this folder does not take files from us. */
const readOnlyCodes: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR']);

/** The failure of a file operation as people read it: what failed, where, and what to do. Nothing was lost by it. */
export function fileFailure(what: string, path: string, error: unknown): FlowError {
  if (error instanceof FlowError) return error;
  const code = codeOf(error);
  const why = mends[code] ?? (error instanceof Error ? error.message : String(error));
  return new FlowError('HandlerError', `${path} ${what}: ${why}.`, {
    code: 'HOST_FILE_FAILED',
    retryable: true,
    details: { path, errno: code },
  });
}

/** The system's code of an error (`ENOENT` …), or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

export function isReadOnly(error: unknown): boolean {
  return readOnlyCodes.has(codeOf(error));
}
