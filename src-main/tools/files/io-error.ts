import { FlowError, ToolError } from '#shared/runtime/error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this is not permitted',
  EPERM: 'this is not permitted',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'something of this name is in the way',
  ELOOP: 'it became a link while it was being opened; nothing was done',
  ENOSPC: 'the disk is full; the former content is untouched',
  EDQUOT: 'the disk quota is used up; the former content is untouched',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long for this disk',
  EMFILE: 'too many files are open; try again',
  ENXIO: 'it is not a regular file',
};

/** Turns what the file system threw into ToolError `Io` that names the path as the caller wrote it; what is known already passes unchanged. */
export function ioError(path: string, thrown: unknown): ToolError | FlowError {
  if (thrown instanceof ToolError || thrown instanceof FlowError) return thrown;
  const code = (thrown as NodeJS.ErrnoException).code ?? '';
  const reason = reasons[code] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new ToolError('Io', `${JSON.stringify(path)}: ${reason}`, { details: { path, code } });
}
