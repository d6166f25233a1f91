/** Path of a flow relative to the folder of the document at `from`, starting with `./` or `../`. */
export function flowPathFrom(from: string | null, to: string): string {
  const here = (from ?? '').split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  const up = here.slice(shared).map(() => '..');
  const path = [...up, ...there.slice(shared)].join('/');
  return up.length === 0 ? `./${path}` : path;
}

/** Workspace path of a flow that the document at `from` refers to, or null if it is outside the workspace. */
export function flowPathIn(from: string, named: string): string | null {
  const parts = from.split('/').slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.length === 0) return null;
      parts.pop();
    } else parts.push(part);
  }
  return parts.join('/');
}
