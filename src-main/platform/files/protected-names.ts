/**
 * Folds a file name the way the most lenient file systems do: Unicode NFKC, ignoring case, marks and invisible characters (HFS+), trailing
 * dots and spaces, and with the short form of `.git` expanded (NTFS). Names that any of them treats as equal fold to the same string.
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

/** What tools may do with a path: `open` anything, `read_only` only read, `secret` not even read. */
export type Protection = 'open' | 'read_only' | 'secret';

/** Where the user's programs store keys and passwords: relevant when the workspace is (part of) a home folder. */
const keyNames: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.netrc', '.pgpass', '.git-credentials']);

/** Returns the protection of a path relative to the workspace by its names, in any subfolder. A protected folder protects its content. */
export function protectionByName(segments: readonly string[]): Protection {
  // On NTFS the part after a colon names a stream of the same file.
  const folded = segments
    .flatMap((segment) => (segment.includes(':') ? [segment.slice(0, segment.indexOf(':')), segment] : [segment]))
    .map(foldName);
  if (folded.some((segment) => segment.startsWith('.env') || keyNames.has(segment))) return 'secret';
  if (folded.some((segment) => segment === '.git' || segment === '.pravah')) return 'read_only';
  const fixed = folded.some((name) => name === 'pravah.json' || name.includes('.flow.') || name.endsWith('.layout.json'));
  return fixed ? 'read_only' : 'open';
}
