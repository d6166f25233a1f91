import { appendFileSync } from 'node:fs';

/** Prints a line about a test that was retried or skipped, and adds it to the file of lines that `npm test` repeats before its summary. */
export function note(line: string): void {
  console.error(line);
  const file = process.env.PRAVAH_TEST_NOTES;
  if (file) appendFileSync(file, `${line}\n`);
}
