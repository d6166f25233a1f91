import type { RE2JS } from 're2js';
import { compileLinear } from '#main/engine/values/linear-pattern.ts';
import { ToolError } from '#shared/run/error.ts';

const longestPattern = 1000;

/**
 * Compiles a glob over paths with `/`: `*` and `?` match within a segment, `**` across segments, `[a-z]`, `[!a]` and `{a,b}` as usual. A
 * pattern without `/` matches at any depth. Matching takes linear time. Throws ToolError `Deserialize` for a malformed pattern.
 */
export async function compileGlob(pattern: string): Promise<(path: string) => boolean> {
  if (pattern.length > longestPattern) throw new ToolError('Deserialize', `The pattern is longer than ${longestPattern} characters.`);
  // Repeated separators and `./` do not change the path.
  const plain = pattern.replace(/(?:\*\*\/)+/g, '**/');
  const rooted = plain.includes('/') ? plain.replace(/^\.?\//, '') : `**/${plain}`;
  // Loaded lazily: most processes never match a pattern.
  const { RE2JS: engine } = await import('re2js');
  const compiled = compile(engine, rooted, pattern);
  return (path) => compiled.matches(path);
}

function compile(engine: typeof RE2JS, glob: string, written: string): RE2JS {
  try {
    return compileLinear(engine, translate(glob, engine), engine.DOTALL);
  } catch {
    throw new ToolError('Deserialize', `${JSON.stringify(written)} is not a valid glob. Check its [ ] and { }.`, {
      details: { field: 'pattern' },
    });
  }
}

/** Tokens of a glob and their regular expressions. */
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
