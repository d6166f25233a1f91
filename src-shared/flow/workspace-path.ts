/**
 * A path that a document names, relative to the workspace and without `.` and `..`; null when it leaves the workspace or is not a relative path (absolute, with a drive
 * or with backslashes). `from` is the folder that it is relative to (`""` for the workspace itself). Links are for the host to judge, by real path.
 */
export function resolveWorkspacePath(from: string, path: string): string | null {
  if (path === '' || path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.includes('\\') || path.includes('\0')) return null;
  const segments: string[] = [];
  for (const segment of `${from}/${path}`.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join('/');
}

/** The folder of a workspace path; `""` for the workspace itself. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
