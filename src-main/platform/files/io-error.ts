import { FlowError, ToolError } from '#shared/run/error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder.',
  EACCES: 'permission denied.',
  EPERM: 'operation not permitted.',
  EISDIR: 'it is a folder, not a file.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  EEXIST: 'a file or folder with this name already exists.',
  ELOOP: 'it was replaced by a link while it was being opened. Nothing was changed.',
  ENOSPC: 'the disk is full. The previous content is unchanged.',
  EDQUOT: 'the disk quota is exceeded. The previous content is unchanged.',
  EROFS: 'the disk is read-only.',
  ENAMETOOLONG: 'the name is too long for this disk.',
  EMFILE: 'too many files are open. Try again.',
  ENXIO: 'not a regular file.',
};

/** Converts a file system error into ToolError `Io` with the path as the caller wrote it. Returns engine errors unchanged. */
export function ioError(path: string, thrown: unknown): ToolError | FlowError {
  if (thrown instanceof ToolError || thrown instanceof FlowError) return thrown;
  const code = (thrown as NodeJS.ErrnoException).code ?? '';
  const reason = reasons[code] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new ToolError('Io', `${JSON.stringify(path)}: ${reason}`, { details: { path, code } });
}
