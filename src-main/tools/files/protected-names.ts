/**
 * A file name as the most forgiving file system would see it: Unicode NFKC, without case, marks and invisible characters (HFS+), without
 * trailing dots and spaces, and the short form of `.git` as its long one (NTFS). Names that any of them takes for one fold to the same.
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{Mark}\p{Format}]/gu, '')
    .replace(/[. ]+$/, '');
  return /^git~\d+$/.test(folded) ? '.git' : folded;
}

/** What may be done with a path: `open` anything, `read_only` protected, `secret` not even read. */
export type Protection = 'open' | 'read_only' | 'secret';

/** Where programs of the user keep keys and passwords: of concern where somebody opens a home folder, or a part of one. */
const keyNames: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.netrc', '.pgpass', '.git-credentials']);

/** Protection by name of a path relative to the workspace, in whatever subfolder it lies; a folder of such a name protects what is in it. */
export function protectionByName(segments: readonly string[]): Protection {
  // NTFS takes what follows a colon for the name of a stream of the same file.
  const folded = segments
    .flatMap((segment) => (segment.includes(':') ? [segment.slice(0, segment.indexOf(':')), segment] : [segment]))
    .map(foldName);
  if (folded.some((segment) => segment.startsWith('.env') || keyNames.has(segment))) return 'secret';
  if (folded.some((segment) => segment === '.git' || segment === '.pravah')) return 'read_only';
  const fixed = folded.some((name) => name === 'pravah.json' || name.includes('.flow.') || name.endsWith('.layout.json'));
  return fixed ? 'read_only' : 'open';
}
