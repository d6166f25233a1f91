/** Loads a package that is installed beside this one, synchronously. */
export type LoadPackage = NodeJS.Require;

/**
 * `require` of the module at `url`, where the platform has one: Node, Bun, Deno and Electron. Undefined in browsers and edge runtimes. Asked for through
 * `process`, so that a bundler for browsers finds no import of Node's.
 */
export function packageLoader(url: string): LoadPackage | undefined {
  const node = typeof process === 'object' ? process.getBuiltinModule?.('node:module') : undefined;
  return node?.createRequire?.(url);
}
