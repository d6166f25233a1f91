import { RE2JS } from 're2js';
import { ToolError } from '#shared/runtime/error.ts';

const LONGEST = 1000;

/**
 * Compiles a glob over paths with `/`: `*` and `?` stay within a segment, `**` crosses them, `[a-z]`, `[!a]` and `{a,b}` as usual. A pattern
 * without `/` is looked for at any depth. Runs in linear time whatever the pattern. Throws ToolError `Deserialize` when it is malformed.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > LONGEST) throw new ToolError('Deserialize', `the pattern is longer than ${LONGEST} characters`);
  const rooted = pattern.includes('/') ? pattern.replace(/^\.?\//, '') : `**/${pattern}`;
  const compiled = compile(rooted, pattern);
  return (path) => compiled.matches(path);
}

function compile(glob: string, written: string): RE2JS {
  try {
    return RE2JS.compile(translate(glob), RE2JS.DOTALL);
  } catch {
    throw new ToolError('Deserialize', `${JSON.stringify(written)} is not a pattern: check its [ ] and { }`, {
      details: { field: 'pattern' },
    });
  }
}

/** Tokens of a glob, each with what it is in a regular expression. */
const token = /\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|[{},]|./gsu;

function translate(glob: string): string {
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
    return RE2JS.quote(text);
  });
  return parts.join('');
}
