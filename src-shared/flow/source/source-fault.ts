/** An error in a piece of code. Line and column count from 1, within the code itself. */
export interface SourceFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Creates the fault at a position (in UTF-16 units) of `source`. */
export function syntaxFault(source: string, position: number, message: string): SourceFault {
  const before = source.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/);
  return { message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
