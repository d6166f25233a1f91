const prefix = 'try:';
const suffix = '.flow.json';

/** Path of the flow that runs when a tool or a node is tried; no file has such a name. The user's consent is stored under it. */
export function triedPath(name: string): string {
  return `${prefix}${name.replaceAll('/', ':')}${suffix}`;
}

/** Whether a path belongs to a tool or node that was tried, and not to a file. */
export function isTriedPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** What was tried, as the path names it. */
export function triedName(path: string): string {
  return path.slice(prefix.length, -suffix.length);
}
