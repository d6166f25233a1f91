import { FlowError } from '#shared/run/error.ts';

/** Reason and remedy for a system error code, as the end of a message. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and try again',
  EDQUOT: 'your disk quota is used up. Free some space and try again',
  EROFS: 'the disk is read-only. Save a copy elsewhere',
  EACCES: 'you do not have permission to write there. Change the permissions, or save a copy elsewhere',
  EPERM: 'you do not have permission to write there. Change the permissions, or save a copy elsewhere',
  ENOENT: 'it no longer exists. Save it under another name, or check whether the folder was moved',
  EISDIR: 'a folder with this name exists. Choose another name',
  ENOTDIR: 'a part of its path is not a folder. Choose another location',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one',
  EMFILE: 'too many files are open. Close some and try again',
};

/** Codes of a folder that is not writable. */
const readOnlyCodes: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR']);

/** Returns a readable error for a failed file operation: what failed, why, and what to do. */
export function fileFailure(what: string, path: string, error: unknown): FlowError {
  if (error instanceof FlowError) return error;
  const code = codeOf(error);
  const why = remedies[code] ?? (error instanceof Error ? error.message : String(error));
  return new FlowError('HandlerError', `${path} ${what}: ${why}.`, {
    code: 'HOST_FILE_FAILED',
    retryable: true,
    details: { path, errno: code },
  });
}

/** Returns the system code of an error (`ENOENT` …), or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

export function isReadOnly(error: unknown): boolean {
  return readOnlyCodes.has(codeOf(error));
}
