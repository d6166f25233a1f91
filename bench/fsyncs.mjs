// node bench/fsyncs.mjs: how often a durable step asks the disk to write for good, counted by strace. Needs strace and the built runtime
// (npm run build -- runtime). Counts are those of a run of 200 steps less those of 100, so that what a run costs once is left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Built before this runs; the compiler need not find it. @type {string} */
const RUNTIME = 'pravah-studio/runtime';

const [mode, steps] = process.argv.slice(2);
if (mode !== undefined) await drive(mode, Number(steps));
else
  for (const kind of ['pure', 'effect'])
    console.log(`${kind} steps: ${((count(kind, 200) - count(kind, 100)) / 100).toFixed(2)} fsyncs a step`);

/** @param {string} kind @param {number} n */
function count(kind, n) {
  const script = fileURLToPath(import.meta.url);
  const args = ['-f', '-c', '-e', 'trace=fsync,fdatasync', process.execPath, script, kind, String(n)];
  const { status, stderr, error } = spawnSync('strace', args, { encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`strace failed: ${error?.message ?? stderr}`);
  // A row of the table: share, seconds, microseconds a call, calls, errors if any, name.
  const rows = stderr.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.reduce((sum, row) => (/^f(data)?sync$/.test(row.at(-1) ?? '') ? sum + Number(row[3]) : sum), 0);
}

/**
 * A chain of N counting nodes, recorded.
 * @param {string} kind
 * @param {number} n
 */
async function drive(kind, n) {
  const { createContext, defineFlow, left, openJournal, right, state } = await import(RUNTIME);
  const count = z.object({ i: z.number() });
  const [Counting, Counted] = [state('Counting', count), state('Counted', count)];
  const flow = defineFlow({ input: Counting, output: Counted, limits: { steps: n } })
    .either(Counting, [Counting, Counted], (/** @type {{ i: number }} */ { i }) => (i + 1 < n ? left({ i: i + 1 }) : right({ i: i + 1 })), {
      pure: kind === 'pure',
    })
    .build();
  const folder = mkdtempSync(join(tmpdir(), 'pravah-fsyncs-'));
  const journal = await openJournal(join(folder, 'runs.db'));
  const ctx = await createContext();
  const run = journal.start(flow, { i: 0 });
  while ((await run.next(ctx)).type !== 'done');
  journal.close();
  rmSync(folder, { recursive: true });
}
