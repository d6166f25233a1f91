import type { CodePosition } from './graph.ts';

/** Global, since the process that loads a workspace's flows and the builder that those import may be bundled apart. */
const locator = Symbol.for('pravah.call-position');

type Located = { [locator]?: () => CodePosition | undefined };

/** Returns where the program's call of the builder is written; undefined where nothing has asked for positions. */
export function callPosition(): CodePosition | undefined {
  return (globalThis as Located)[locator]?.();
}

/** Makes builders record where they are called from, in files that `fileOf` knows by their URL in a stack. */
export function recordCallPositions(fileOf: (url: string) => string | undefined): void {
  (globalThis as Located)[locator] = () => {
    for (const [, url = '', line, column] of (new Error().stack ?? '').matchAll(/(file:\/\/[^\s()]+?):(\d+):(\d+)/g)) {
      const file = fileOf(url);
      if (file !== undefined) return { file, line: Number(line), column: Number(column), last: Number(line) };
    }
    return undefined;
  };
}
