import type { RE2JS } from 're2js';
import { compileLinear } from '#main/runtime/linear-pattern.ts';
import { ToolError } from '#shared/runtime/error.ts';

const LONGEST = 1000;

/**
 * Compiles a glob over paths with `/`: `*` and `?` stay within a segment, `**` crosses them, `[a-z]`, `[!a]` and `{a,b}` as usual. A pattern
 * without `/` is looked for at any depth. Runs in linear time whatever the pattern. Throws ToolError `Deserialize` when it is malformed.
 */
export async function compileGlob(pattern: string): Promise<(path: string) => boolean> {
  if (pattern.length > LONGEST) throw new ToolError('Deserialize', `the pattern is longer than ${LONGEST} characters`);
  // The same place any number of times is the same place.
  const plain = pattern.replace(/(?:\*\*\/)+/g, '**/');
  const rooted = plain.includes('/') ? plain.replace(/^\.?\//, '') : `**/${plain}`;
  // Loaded at first use: most processes never match a pattern.
  const { RE2JS: engine } = await import('re2js');
  const compiled = compile(engine, rooted, pattern);
  return (path) => compiled.matches(path);
}

function compile(engine: typeof RE2JS, glob: string, written: string): RE2JS {
  try {
    return compileLinear(engine, translate(glob, engine), engine.DOTALL);
  } catch {
    throw new ToolError('Deserialize', `${JSON.stringify(written)} is not a pattern: check its [ ] and { }`, {
      details: { field: 'pattern' },
    });
  }
}

/** Tokens of a glob, each with what it is in a regular expression. */
const token = /\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|[{},]|./gsu;

function translate(glob: string, engine: typeof RE2JS): string {
  let depth = 0;
  const parts = [...glob.matchAll(token)].map(([text]) => {
    if (text === '**/') return '(?:.*/)?';
    if (text === '**') return '.*';
    if (text === '*') return '[^/]*';
    if (text === '?') return '[^/]';
    if (text === '{') {
      depth++;
      return '(?:';
    }
    if (text === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (text === ',' && depth > 0) return '|';
    if (text.length > 1 && text.startsWith('['))
      return `[${text.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\').replaceAll('[', '\\[')}]`;
    return engine.quote(text);
  });
  return parts.join('');
}
