/** One thing that is measured, of ours and of others. */
export interface Case {
  readonly name: string;
  /** What the harness measures; null: the start of a process. */
  readonly measure: Readonly<Record<string, unknown>> | null;
  /** Ours first. A peer with a mode is written `peer/mode`. */
  readonly peers: readonly string[];
  /** The ratio to reach, by peer: at least this many times as fast (of a start-up: at most this many times as long). */
  readonly goals: Readonly<Record<string, number>>;
}

const memory = ['pravah', 'xstate', 'xstate-invoke', 'mastra', 'langgraph'];
const durable = ['pravah/pure', 'pravah/effect', 'bare/full', 'xstate/full', 'mastra/default', 'langgraph/default'];
const megabyte = 1024 * 1024;

/** Handlers of ours return at once, as XState's with events do. */
export const cases: readonly Case[] = [
  { name: 'chain of 100', measure: { kind: 'chain', n: 100 }, peers: memory, goals: { xstate: 4, mastra: 15 } },
  { name: 'chain of 1,000', measure: { kind: 'chain', n: 1000, warmMs: 100 }, peers: memory, goals: { xstate: 4, mastra: 15 } },
  { name: 'loop of 10,000', measure: { kind: 'loop', k: 10_000 }, peers: memory, goals: { xstate: 4 } },
  { name: 'fork and join', measure: { kind: 'forkJoin', runs: 1000 }, peers: memory, goals: { xstate: 4 } },
  { name: 'durable chain of 100', measure: { kind: 'durable', n: 100 }, peers: durable, goals: { 'bare/full': 4 } },
  {
    name: 'durable chain of 100 with 1 MiB',
    measure: { kind: 'durable', n: 100, bytes: megabyte, budgetMs: 500, maxRuns: 5 },
    peers: ['pravah/pure', 'bare/full', 'xstate/normal', 'langgraph/default'],
    goals: { 'bare/full': 20 },
  },
  { name: 'start', measure: null, peers: ['pravah', 'xstate', 'mastra', 'langgraph'], goals: { xstate: 2.5 } },
];
