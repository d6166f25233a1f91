/** Path of a flow as the document at `from` names it: relative to that document's folder, beginning with `./` or `../`. */
export function flowPathFrom(from: string | null, to: string): string {
  const here = (from ?? '').split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  const up = here.slice(shared).map(() => '..');
  const path = [...up, ...there.slice(shared)].join('/');
  return up.length === 0 ? `./${path}` : path;
}

/** The workspace path of a flow that the document at `from` names; null when it leaves the workspace. */
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
