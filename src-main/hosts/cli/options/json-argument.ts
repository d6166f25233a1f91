import { readFileSync } from 'node:fs';
import type { Json } from '#shared/json.ts';
import { UsageError } from './exit-codes.ts';

/** Reads a value given as JSON text, as `@FILE`, or as `-` for standard input. `option` names it in messages. */
export function readJsonArgument(given: string, option: string): Json {
  const text =
    given === '-'
      ? readText(0, option, 'standard input')
      : given.startsWith('@')
        ? readText(given.slice(1), option, given.slice(1))
        : given;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option} is not valid JSON: ${reason}. Put text in double quotes: ${option} '"text"'.`);
  }
}

function readText(from: string | 0, option: string, name: string): string {
  try {
    return readFileSync(from, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: can't read ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads an option that is a whole number of 1 or more. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`"${text}" is not a whole number of 1 or more.`);
  return Number(text);
}
