import { replayRun } from '#main/time-travel/replay.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { CapsuleContents } from '#shared/contract/time-travel.ts';
import type { Message } from '#shared/run/message.ts';
import type { Capsule, CapsuleEffect } from './capsule-format.ts';
import { capsuleText } from './capsule-text.ts';
import { openCapsule } from './open-capsule.ts';

/** Summary of a capsule's contents, shown before it is written or after it is opened. */
export async function contentsOf(capsule: Capsule): Promise<CapsuleContents> {
  const { run, flow, start, steps, failed_effects, masked } = capsule;
  const states = [...start.states, ...steps.flatMap(({ produced }) => produced)];
  const effects = [...steps.flatMap((step) => step.effects), ...failed_effects];
  const said = steps.flatMap(({ messages }) => Object.entries(messages)).concat(Object.entries(start.messages));
  return {
    run_id: run.run_id,
    flow_path: run.flow_path,
    flow_name: run.flow_name,
    status: run.status,
    records: steps.length,
    size: Buffer.byteLength(capsuleText(capsule)),
    states: tally(
      states,
      ({ name }) => [name],
      ({ value }) => value,
    ).map(({ keys: [name = ''], ...rest }) => ({ name, ...rest })),
    effects: tally(effects, ({ kind, name }) => [kind, name], weightOf).map(({ keys: [kind = '', name = ''], ...rest }) => ({
      kind,
      name,
      ...rest,
    })),
    conversations: conversations(said),
    sources: Object.entries({ [run.flow_path]: flow.text, ...flow.sources }).map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
    })),
    masked,
    not_replayable: masked.length === 0 ? null : await whyNotReplayable(capsule),
  };
}

/** Returns why a capsule can't be replayed because of its masked data; null if it can. */
async function whyNotReplayable(capsule: Capsule): Promise<string | null> {
  const { journal, runId } = await openCapsule(capsuleText(capsule), 'The capsule');
  try {
    const options = { folder: '/', trusted: false, settings: defaultSettings };
    const { divergence } = await replayRun(journal, runId, 'recorded', options);
    return divergence && `Masked data is needed to replay step ${divergence.seq}: ${divergence.message}`;
  } finally {
    journal.close();
  }
}

interface Tally {
  readonly keys: readonly string[];
  readonly times: number;
  readonly bytes: number;
}

function tally<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[], heldBy: (item: Item) => unknown): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const item of items) {
    const keys = keysOf(item);
    const known = tallies.get(keys.join(' ')) ?? { keys, times: 0, bytes: 0 };
    tallies.set(keys.join(' '), { keys, times: known.times + 1, bytes: known.bytes + weight(heldBy(item)) });
  }
  return [...tallies.values()];
}

function conversations(said: readonly (readonly [node: string, messages: readonly Message[]])[]): CapsuleContents['conversations'] {
  const nodes = [...new Set(said.map(([node]) => node))];
  return nodes.map((node) => {
    const messages = said.filter(([of]) => of === node).flatMap(([, some]) => some);
    return { node, messages: messages.length, bytes: weight(messages) };
  });
}

function weightOf({ input, outcome }: CapsuleEffect): unknown {
  return [input, outcome];
}

function weight(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
