import { createRequire } from 'node:module';
import { type Context, createContext, Script } from 'node:vm';
import type { transformSync } from 'amaro';
import type { StrippedTypes } from '#shared/flow/source/strip-types.ts';

/** Milliseconds that one source may take. A million characters take 50; only ambiguities that nest in each other take longer. */
const longestTime = 2000;

/** What the stripper throws for a source that it cannot read; lines count from 1, columns from 0. */
interface StripError {
  readonly code: 'InvalidSyntax' | 'UnsupportedSyntax';
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

// Loaded at the first TypeScript.
const load = createRequire(import.meta.url);
const call = new Script('call()');
let frame: Context | undefined;

/**
 * Strips the types from TypeScript with Node's own stripper, as a package: the same on every host. Syntax that computes something (enums, namespaces
 * with values, parameter properties) is a fault, and so is what takes too long: some short texts would take minutes.
 */
export function stripTypes(source: string): StrippedTypes {
  try {
    return { ok: true, code: strip(source) };
  } catch (error) {
    if (isStripError(error))
      return { ok: false, fault: { message: plainMessage(error.message), line: error.startLine, column: error.startColumn + 1 } };
    discardStripper();
    const timedOut = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const message = timedOut
      ? `its types take longer than ${longestTime / 1000} seconds to read; nest arrow functions and type arguments less deep`
      : 'the code is nested too deep';
    return { ok: false, fault: { message, line: 1, column: 1 } };
  }
}

/** The stripper never yields, so its time is bounded by a watchdog that ends it from outside. */
function strip(source: string): string {
  const { transformSync: transform } = load('amaro') as { transformSync: typeof transformSync };
  let code = '';
  frame ??= createContext({});
  frame.call = () => {
    code = transform(source, { mode: 'strip-only' }).code;
  };
  call.runInContext(frame, { timeout: longestTime });
  return code;
}

/** Ended in the middle, or out of stack, its memory is in disorder, and every later source would fail. The next source gets a new one. */
function discardStripper(): void {
  for (const path of Object.keys(load.cache)) if (/[\\/]amaro[\\/]dist[\\/]/.test(path)) delete load.cache[path];
}

function isStripError(error: unknown): error is StripError {
  return typeof error === 'object' && error !== null && 'startLine' in error && 'startColumn' in error;
}

function plainMessage(message: string): string {
  const unsupported = /^(.*?),? is not supported in (?:strip-only|type strip) mode\.?\s*(.*)$/s.exec(message);
  // The message becomes part of a sentence, which has its own full stop.
  return (unsupported ? `${unsupported[1]} cannot be used, since types are only stripped. ${unsupported[2] ?? ''}` : message)
    .trim()
    .replace(/\.$/, '');
}
