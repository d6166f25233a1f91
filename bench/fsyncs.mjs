// node bench/fsyncs.mjs: how often a durable step asks the disk to write for good, counted by strace. Needs strace and the built runtime
// (npm run build -- runtime). Counts are those of a run of 200 steps less those of 100, so that what a run costs once is left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** A chain of so many steps, written down. @param {string} kind @param {number} n */
async function drive(kind, n) {
  const { createContext, defineFlow, jsonSchema, openJournal, state } = await import('pravah-studio/runtime');
  const folder = mkdtempSync(join(tmpdir(), 'pravah-fsyncs-'));
  const states = Array.from({ length: n + 1 }, (_, index) => state(`S${index}`, jsonSchema({ type: 'object' })));
  /** @param {any} flow @param {any} to @param {number} index */
  const add = (flow, to, index) =>
    flow.work(states[index], to, (/** @type {{ i: number }} */ s) => ({ i: s.i + 1 }), { pure: kind === 'pure' });
  const [input, output] = /** @type {any[]} */ ([states[0], states[n]]);
  const flow = states
    .slice(1)
    .reduce(add, /** @type {any} */ (defineFlow({ input, output, limits: { steps: n } })))
    .build();
  const journal = await openJournal(join(folder, 'runs.db'));
  const ctx = await createContext();
  const run = journal.start(flow, { i: 0 });
  while ((await run.next(ctx)).type !== 'done');
  journal.close();
  rmSync(folder, { recursive: true });
}
