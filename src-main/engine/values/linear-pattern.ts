import type { RE2JS } from 're2js';

/** Instructions of a compiled pattern beyond which each character of a text would take too long: repetitions side by side multiply them. */
const largest = 20_000;

/** Compiles a pattern from outside, for the engine whose time is linear in the text. Throws for one that it cannot express or that is too large. */
export function compileLinear(engine: typeof RE2JS, pattern: string, flags = 0): RE2JS {
  const compiled = engine.compile(pattern, flags);
  if (compiled.programSize() > largest) throw new Error('the pattern is too large; use fewer or smaller repetitions');
  return compiled;
}
