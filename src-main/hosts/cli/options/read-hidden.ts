import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts for a line on the terminal without echoing it. */
export async function readHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
