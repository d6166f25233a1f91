// Called by bench.mjs. Each sample is a process of its own; within a round ours and the others follow each other, in turning order.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Case, cases } from './cases.ts';
import { Harness, type Sample } from './harness.ts';

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
const lines: string[] = [];
for (const one of cases.filter(({ name }) => name.includes(values.only))) {
  const samples = measure(harness, one);
  lines.push(...rowsOf(one, samples));
}
const load = loadavg()[0]?.toFixed(1);
const table = [
  `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, Node ${process.versions.node}, load ${load} at the end. Ratios are taken within a round.`,
  '',
  '| work | ours, to | min | median | max | to reach |',
  '|---|---|---:|---:|---:|---:|',
  ...lines,
].join('\n');
console.log(table);
if (values.write) writePage(table);

function measure(from: Harness, { name, measure: what, peers }: Case): Map<string, Sample>[] {
  return Array.from({ length: rounds }, (_, round) => {
    const samples = new Map<string, Sample>();
    for (let at = 0; at < peers.length; at += 1) {
      const peer = peers[(at + round) % peers.length] as string;
      try {
        samples.set(peer, from.sample(peer, what && { ...what, ...(what.kind === 'durable' || what.kind === 'loop' ? {} : quickly) }));
      } catch (error) {
        console.error(`${name}: ${(error as Error).message}`);
      }
      console.error(`${round + 1}/${rounds} ${name}: ${peer} ${samples.get(peer)?.toFixed(0) ?? 'failed'}`);
    }
    return samples;
  });
}

/** One row for every other peer, and for each of ours. */
function rowsOf({ name, measure: what, peers, goals }: Case, rounds: readonly Map<string, Sample>[]): string[] {
  const ours = peers.filter((peer) => peer.startsWith('pravah'));
  const others = peers.filter((peer) => !ours.includes(peer));
  return ours.flatMap((our) =>
    others.map((other) => {
      const ratios = rounds.map((round) => (round.get(our) ?? Number.NaN) / (round.get(other) ?? Number.NaN)).filter(Number.isFinite);
      const [min, median, max] = spread(ratios);
      const goal = goals[other] === undefined || our.endsWith('/effect') ? '' : `${what ? '≥' : '≤'} ${goals[other]}`;
      const title = our.includes('/') ? `${name}, ${our.split('/')[1]} steps` : what ? name : 'process start to first step, time';
      return `| ${title} | ${other} | ${min} | ${median} | ${max} | ${goal} |`;
    }),
  );
}

function spread(ratios: readonly number[]): [string, string, string] {
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (index: number) => sorted[index]?.toPrecision(2) ?? '–';
  return [at(0), at(Math.floor((sorted.length - 1) / 2)), at(sorted.length - 1)];
}

/** Puts the table between the markers of docs/benchmarks.md. */
function writePage(text: string): void {
  const page = join(root, 'docs', 'benchmarks.md');
  const [before, after] = ['<!-- measured -->', '<!-- /measured -->'];
  const old = readFileSync(page, 'utf8');
  writeFileSync(page, `${old.slice(0, old.indexOf(before) + before.length)}\n${text}\n${old.slice(old.indexOf(after))}`);
}
