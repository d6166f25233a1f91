import { styleText } from 'node:util';
import { escapeControls, escapeInvisible } from '#shared/invisible-characters.ts';

/** Styles of the human output; plain text if standard output is not a terminal or `NO_COLOR` is set. */
type Style = Parameters<typeof styleText>[0];

export function styled(style: Style, text: string, stream: StreamName = 'stdout'): string {
  return output.isTerminal(stream) && !process.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
}

/** Writes one line to standard output. */
export function printLine(text: string): void {
  print('stdout', text);
}

/** Asks for a line in a terminal; prints nothing elsewhere. */
export function printPrompt(text: string): void {
  if (output.isTerminal('stdout')) output.write('stdout', text);
}

/** Writes one line to standard error. */
export function printNote(text: string): void {
  print('stderr', text);
}

/** Piped output ends on a terminal, too (`less -R`, the log of a build). JSON holds few control characters unescaped, and means the same with them escaped. */
function print(stream: StreamName, text: string): void {
  output.write(stream, `${output.isTerminal(stream) ? forTerminal(text) : escapeControls(text)}\n`);
}

export type StreamName = 'stdout' | 'stderr';

/** Where commands print: the streams of this process, unless they run in a thread of it. */
export interface Output {
  isTerminal(stream: StreamName): boolean;
  write(stream: StreamName, text: string): void;
}

let output: Output = {
  isTerminal: (stream) => process[stream].isTTY,
  write: (stream, text) => {
    process[stream].write(text);
  },
};

/** Redirects everything that commands of this thread print. */
export function printTo(other: Output): void {
  output = other;
}

/** Codes of the styles that are used here. */
const ownStyle = new RegExp(`(${'\u001b'}\\[(?:1|2|22|3[1-6]|39)m)`);

/**
 * Makes a text from files, servers or models safe for a terminal: control and bidirectional characters are escaped. JSON
 * keeps its meaning.
 */
export function forTerminal(text: string): string {
  return text
    .split(ownStyle)
    .map((part, index) => (index % 2 === 0 ? escapeInvisible(part) : part))
    .join('');
}

/** Ignores a closed standard output (`pravah … | head`), so that the command still finishes. */
export function tolerateClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Rows with their columns aligned, two spaces apart. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns "1 error" or "2 errors". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns a value as JSON, cut to `limit` characters. */
export function shortJson(value: unknown, limit = 100): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
