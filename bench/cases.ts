import type { Result } from './harness.ts';

/** Who is measured, and by what the harness measures it; without `measure`, the start of a process. A peer with a mode is written `peer/mode`. */
export interface Entry {
  readonly peer: string;
  readonly measure?: Readonly<Record<string, unknown>>;
}

/** One figure of two entries of the same round, by their names. */
export interface Row {
  readonly ours: string;
  readonly other: string;
  readonly title: string;
  readonly figure: (ours: Result, other: Result) => number;
  /** What is to be reached, as the table says it; empty where nothing is. */
  readonly goal: string;
}

/** What is measured in one turn: within a round its entries follow each other. */
export interface Case {
  readonly name: string;
  readonly entries: Readonly<Record<string, Entry>>;
  readonly rows: readonly Row[];
}

const megabyte = 1024 * 1024;
const speed = (ours: Result, other: Result) => ours.perSec / other.perSec;

/** Everybody at the same graph; ours with handlers of the same kind as the other's. Goals by the other's name. */
function inMemory(name: string, measure: Entry['measure'], goals: Readonly<Record<string, number>>): Case {
  const pairs = [
    ['pravah', 'xstate'],
    ['pravah-async', 'xstate-invoke'],
    ['pravah-async', 'mastra'],
    ['pravah-async', 'langgraph'],
  ] as const;
  const row = ([ours, other]: readonly [string, string]): Row => {
    const title = ours === 'pravah-async' ? `${name}, async handlers` : name;
    return { ours, other, title, figure: speed, goal: goals[other] === undefined ? '' : `≥ ${goals[other]}` };
  };
  return { name, entries: entriesOf([...new Set(pairs.flat())], measure), rows: pairs.map(row) };
}

function durable(name: string, measure: Entry['measure'], peers: readonly string[], goals: Readonly<Record<string, number>>): Case {
  const [ours, others] = [peers.filter((peer) => peer.startsWith('pravah')), peers.filter((peer) => !peer.startsWith('pravah'))];
  const rows = ours.flatMap((our) =>
    others.map((other) => {
      const goal = goals[`${our} ${other}`];
      return { ours: our, other, title: `${name}, ${our.split('/')[1]} steps`, figure: speed, goal: goal === undefined ? '' : `≥ ${goal}` };
    }),
  );
  return { name, entries: entriesOf(peers, measure), rows };
}

function entriesOf(peers: readonly string[], measure: Entry['measure']): Record<string, Entry> {
  return Object.fromEntries(peers.map((peer) => [peer, { peer, ...(measure && { measure }) }]));
}

/** Bytes on disk of one run. */
const written = (result: Result, steps: number) => result.bytesPerStep * steps;
const onDisk = (n: number): Entry => ({ peer: 'pravah/pure', measure: { kind: 'durable', n, bytes: megabyte, budgetMs: 0 } });
const chainOf = (n: number): Entry => ({ peer: 'pravah', measure: { kind: 'chain', n, warmMs: 500 } });
const body = { kind: 'chain', n: 100 };

export const cases: readonly Case[] = [
  inMemory('chain of 100', { kind: 'chain', n: 100 }, { xstate: 4, mastra: 15 }),
  inMemory('chain of 1,000', { kind: 'chain', n: 1000, warmMs: 100 }, { xstate: 4, mastra: 15 }),
  {
    name: 'long chain',
    entries: { short: chainOf(100), long: chainOf(10_000) },
    rows: [
      {
        ours: 'long',
        other: 'short',
        title: 'cost a step of a chain of 10,000, to one of 100',
        figure: (a, b) => b.perSec / a.perSec,
        goal: '≤ 1.3',
      },
    ],
  },
  inMemory('loop of 10,000', { kind: 'loop', k: 10_000 }, { xstate: 4 }),
  inMemory('fork and join', { kind: 'forkJoin', runs: 1000 }, { xstate: 4 }),
  durable(
    'durable chain of 100',
    { kind: 'durable', n: 100 },
    ['pravah/pure', 'pravah/effect', 'bare/full', 'xstate/full', 'mastra/default', 'langgraph/default'],
    { 'pravah/pure bare/full': 4, 'pravah/effect bare/full': 0.4 },
  ),
  durable(
    'durable chain of 100 with 1 MiB',
    { kind: 'durable', n: 100, bytes: megabyte, budgetMs: 500, maxRuns: 5 },
    ['pravah/pure', 'bare/full', 'xstate/normal', 'langgraph/default'],
    { 'pravah/pure bare/full': 20 },
  ),
  {
    name: 'bytes on disk',
    entries: { 'chain of 200': onDisk(200), 'chain of 100': onDisk(100) },
    rows: [
      {
        ours: 'chain of 200',
        other: 'chain of 100',
        title: 'bytes a step on disk with 1 MiB, beyond the first copy',
        figure: (long, short) => (written(long, 200) - written(short, 100)) / 100,
        goal: '< 2048',
      },
    ],
  },
  {
    name: 'sandboxed bodies',
    entries: entriesOf(['pravah-run', 'pravah-expr', 'quickjs', 'quickjs-prepared'], body),
    rows: ['run', 'expr'].flatMap((kind) =>
      ['quickjs', 'quickjs-prepared'].map((other) => ({
        ours: `pravah-${kind}`,
        other,
        title: `\`${kind}\` bodies, chain of 100`,
        figure: speed,
        goal: other === 'quickjs' ? '≥ 0.5' : '',
      })),
    ),
  },
  {
    name: 'start',
    entries: entriesOf(['pravah', 'xstate', 'mastra', 'langgraph'], undefined),
    rows: ['xstate', 'mastra', 'langgraph'].flatMap((other) => [
      {
        ours: 'pravah',
        other,
        title: 'process start to first step, time',
        figure: (a, b) => a.ms / b.ms,
        goal: other === 'xstate' ? '≤ 2.5' : '',
      },
      { ours: 'pravah', other, title: 'memory after it', figure: (a, b) => a.rss / b.rss, goal: '' },
    ]),
  },
];
