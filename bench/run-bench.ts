// Called by bench.mjs. Each sample is a process of its own; within a round the entries of a case follow each other, in turning order.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Case, cases, type Entry, type Row } from './cases.ts';
import { Harness, type Result } from './harness.ts';
import { userLines } from './user-lines.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    harness: { type: 'string', default: join(root, '..', 'shared', 'peers', 'bench') },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
const quickly = values.quick ? { warmMs: 100, budgetMs: 200 } : {};

using harness = Harness.copyOf(values.harness, root);
const lines = cases.filter(({ name }) => name.includes(values.only)).flatMap((one) => rowsOf(one, measure(harness, one)));
const load = loadavg()[0]?.toFixed(1);
const table = [
  `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, Node ${process.versions.node}, load ${load} at the end. Figures are of two samples of the same round.`,
  '',
  '| work | to | min | median | max | to reach |',
  '|---|---|---:|---:|---:|---:|',
  ...lines,
  '',
  userLines(harness.peers, ['pravah', 'xstate', 'xstate-invoke', 'mastra', 'langgraph']),
].join('\n');
console.log(table);
if (values.write) writePage(table);

function measure(from: Harness, { name, entries }: Case): Map<string, Result>[] {
  const labels = Object.keys(entries);
  return Array.from({ length: rounds }, (_, round) => {
    const results = new Map<string, Result>();
    for (let at = 0; at < labels.length; at += 1) {
      const label = labels[(at + round) % labels.length] as string;
      const { peer, measure: what } = entries[label] as Entry;
      try {
        // Of loops and of what is on disk, the harness makes one run: shorter it cannot be.
        results.set(label, from.sample(peer, what && { ...what, ...(what.kind === 'durable' || what.kind === 'loop' ? {} : quickly) }));
      } catch (error) {
        console.error(`${name}: ${(error as Error).message}`);
      }
      const { perSec, ms } = results.get(label) ?? {};
      console.error(
        `${round + 1}/${rounds} ${name}: ${label} ${perSec ? `${perSec.toFixed(0)}/s` : ms ? `${ms.toFixed(0)} ms` : 'failed'}`,
      );
    }
    return results;
  });
}

function rowsOf({ rows }: Case, rounds: readonly Map<string, Result>[]): string[] {
  return rows.map(({ ours, other, title, figure, goal }: Row) => {
    const figures = rounds.flatMap((round) => {
      const [one, two] = [round.get(ours), round.get(other)];
      const value = one && two ? figure(one, two) : Number.NaN;
      return Number.isFinite(value) ? [value] : [];
    });
    const [min, median, max] = spread(figures);
    return `| ${title} | ${other} | ${min} | ${median} | ${max} | ${goal} |`;
  });
}

function spread(figures: readonly number[]): [string, string, string] {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (index: number) => {
    const figure = sorted[index];
    return figure === undefined ? '–' : Math.abs(figure) >= 100 ? figure.toFixed(0) : figure.toPrecision(2);
  };
  return [at(0), at(Math.floor((sorted.length - 1) / 2)), at(sorted.length - 1)];
}

/** Puts the table between the markers of docs/benchmarks.md. */
function writePage(text: string): void {
  const page = join(root, 'docs', 'benchmarks.md');
  const [before, after] = ['<!-- measured -->', '<!-- /measured -->'];
  const old = readFileSync(page, 'utf8');
  writeFileSync(page, `${old.slice(0, old.indexOf(before) + before.length)}\n${text}\n${old.slice(old.indexOf(after))}`);
}
