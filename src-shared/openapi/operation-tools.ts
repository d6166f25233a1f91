import type { OpenApiSettings } from './openapi-settings.ts';
import type { ApiDescription, ApiOperation } from './read-operations.ts';

/** An operation that a folder offers as the tool `openapi:API/NAME`. */
export interface OfferedOperation {
  /** The operation's name, with the API's prefix. */
  readonly name: string;
  readonly operation: ApiOperation;
}

/** The operations of an API that its settings offer. */
export function offeredOperations({ operations }: ApiDescription, { name_prefix, tool_filter }: OpenApiSettings): OfferedOperation[] {
  const chosen = Array.isArray(tool_filter) ? operations.filter(({ name }) => tool_filter.includes(name)) : operations;
  return chosen.map((operation) => ({ name: name_prefix ? `${name_prefix}_${operation.name}` : operation.name, operation }));
}

/** Whether a call only reads, by the operation's method. */
export function readsOnly({ method }: ApiOperation): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}

/** Whether a name matches a pattern of Python's `fnmatch`: `*`, `?`, `[abc]`, `[!abc]`. */
export function matchesPattern(name: string, pattern: string): boolean {
  const source = pattern.replace(/\[!?\]?[^\]]*\]|[\s\S]/g, (piece) => {
    if (piece === '*') return '[\\s\\S]*';
    if (piece === '?') return '[\\s\\S]';
    if (piece.length === 1) return escaped(piece);
    const negated = piece.startsWith('[!');
    return `[${negated ? '^' : ''}${piece.slice(negated ? 2 : 1, -1).replace(/[\\\]^]/g, '\\$&')}]`;
  });
  return new RegExp(`^${source}$`).test(name);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
