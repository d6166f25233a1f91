import type { Journal } from '#main/journal/journal.ts';
import type { EffectRow, RunRow, TimelineRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { ComparedEffect, ComparedStep, Comparison, StepComparison, WholeComparison } from '#shared/contract/time-travel.ts';
import { isJsonObject, type Json, toJson } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import { withoutCalls } from '#shared/run/node-id.ts';
import { sameValue, valueChanges } from '#shared/value-changes.ts';
import { align } from './align.ts';
import { byName, innerOutcome } from './inner-outcome.ts';
import { type RecordedStep, recordedSteps } from './recorded-step.ts';

/** A run and its journal. */
export interface RunInJournal {
  readonly journal: Journal;
  readonly runId: string;
}

/** Compares two runs record by record. Throws `NotFound`. */
export function compareRuns(first: RunInJournal, second: RunInJournal): WholeComparison {
  const [one, other] = [new ComparedRun(first), new ComparedRun(second)];
  const shared = sharedBeginning(one, other);
  const [start, otherStart] = [shared?.seq ?? 0, shared?.other_seq ?? 0];
  const pairs = align(one.rowsAfter(start).map(keyOf), other.rowsAfter(otherStart).map(keyOf));
  // Values are read pair by pair, because together they may not fit into memory.
  const [records, others] = [one.recordsAfter(start), other.recordsAfter(otherStart)];
  const steps = [beginnings(one, start, other, otherStart)];
  for (const [at, otherAt] of pairs) {
    steps.push(compared(one, at === null ? null : nextOf(records), other, otherAt === null ? null : nextOf(others)));
  }
  const first_divergence = steps.findIndex(({ differs }) => differs.length > 0);
  return {
    run_id: first.runId,
    other_run_id: second.runId,
    shared,
    total: steps.length,
    steps,
    first_divergence: first_divergence < 0 ? null : first_divergence,
    differing: steps.filter(({ differs }) => differs.length > 0).length,
  };
}

/**
 * Returns all differences between two records; null if only one of the runs has one. For record 0, the start, all waiting states are compared. Throws
 * `NotFound` for a missing record.
 */
export function compareSteps(first: RunInJournal, seq: number | null, second: RunInJournal, otherSeq: number | null): StepComparison {
  const [one, other] = [new ComparedRun(first), new ComparedRun(second)];
  if (seq !== null && otherSeq !== null && (seq === 0 || otherSeq === 0)) {
    return { states: stateChanges(one.statesAt(seq), other.statesAt(otherSeq)), effects: [], messages: [] };
  }
  const [record, otherRecord] = [seq === null ? null : one.record(seq), otherSeq === null ? null : other.record(otherSeq)];
  return {
    states: stateChanges(one.statesOf(record), other.statesOf(otherRecord)),
    effects: effectChanges(one, one.effectsOf(record), other, other.effectsOf(otherRecord)),
    messages: valueChanges(one.messagesOf(record), other.messagesOf(otherRecord)),
  };
}

class ComparedRun {
  readonly journal: Journal;
  readonly row: RunRow;
  readonly #reader: RunReader;
  readonly #withEffects: ReadonlySet<number>;

  constructor({ journal, runId }: RunInJournal) {
    this.journal = journal;
    this.row = journal.row(runId);
    this.#reader = new RunReader(journal, this.row);
    this.#withEffects = new Set(this.#reader.effectSeqs());
  }

  rowsAfter(seq: number): TimelineRow[] {
    return this.#reader.timeline(seq + 1);
  }

  recordsAfter(seq: number): Iterator<RecordedStep, void> {
    return recordedSteps(this.#reader, seq + 1);
  }

  record(seq: number): RecordedStep | null {
    // Throws for a number that the run doesn't have.
    this.#reader.foldAt(seq);
    return seq === 0 ? null : (recordedSteps(this.#reader, seq).next().value ?? null);
  }

  /** Returns all states after a record. */
  statesAt(seq: number): Readonly<Record<string, Json>> {
    return byName([...this.#reader.foldAt(seq).states.values()]);
  }

  /** Returns the states that a record produced, for the run or for an item of a list. */
  statesOf(record: RecordedStep | null): Readonly<Record<string, Json>> {
    if (!record) return {};
    const { step } = record;
    if (step.produced.length > 0) return byName(step.produced);
    const { states, ended } = innerOutcome(step.node, step.control.frames ?? {});
    return ended === undefined ? states : { ...states, [step.node]: ended };
  }

  effectsOf(record: RecordedStep | null): EffectRow[] {
    return record && this.#withEffects.has(record.row.seq) ? this.#reader.effectsOf(record.row.seq) : [];
  }

  messagesOf(record: RecordedStep | null): Json {
    return record?.row.kind === 'agent' ? plainMessages(this.#reader.messagesOf(record.row.seq)) : {};
  }
}

/** Returns the common origin of two runs: a fork is aligned with its parent from the record at which it began. */
function sharedBeginning(one: ComparedRun, other: ComparedRun): Comparison['shared'] {
  const [origin, otherOrigin] = [one.journal.forkOriginOf(one.row), other.journal.forkOriginOf(other.row)];
  if (origin?.run_id === other.row.run_id) return { seq: 0, other_seq: origin.seq };
  if (otherOrigin?.run_id === one.row.run_id) return { seq: otherOrigin.seq, other_seq: 0 };
  if (origin && otherOrigin && sameValue(origin, otherOrigin)) return { seq: 0, other_seq: 0 };
  return null;
}

/** Records are aligned by their nodes. Ids of calls are made up by providers, so the same call has another one in each run. */
function keyOf({ type, node, kind, phase }: TimelineRow): string {
  return [type, kind, phase, withoutCalls(node)].join(' ');
}

/** Returns the next record of a run; an alignment lists the records of both in order. */
function nextOf(records: Iterator<RecordedStep, void>): RecordedStep | null {
  return records.next().value ?? null;
}

/** The first line of every comparison: the initial states of both runs. */
function beginnings(one: ComparedRun, seq: number, other: ComparedRun, otherSeq: number): ComparedStep {
  const same = sameValue(one.statesAt(seq), other.statesAt(otherSeq));
  const nothing = { tokens: null, other_tokens: null, duration_ms: null, other_duration_ms: null };
  return { seq, other_seq: otherSeq, node: '', kind: 'start', differs: same ? [] : ['states'], ...nothing };
}

function compared(one: ComparedRun, record: RecordedStep | null, other: ComparedRun, otherRecord: RecordedStep | null): ComparedStep {
  const { node, kind, phase } = (record ?? (otherRecord as RecordedStep)).row;
  return {
    seq: record?.row.seq ?? null,
    other_seq: otherRecord?.row.seq ?? null,
    node,
    kind,
    ...(phase && { phase }),
    differs: record && otherRecord ? differences(one, record, other, otherRecord) : ['missing'],
    tokens: record?.row.tokens ?? null,
    other_tokens: otherRecord?.row.tokens ?? null,
    duration_ms: record?.row.duration_ms ?? null,
    other_duration_ms: otherRecord?.row.duration_ms ?? null,
    ...(isSupplied(record) && { supplied: true }),
    ...(isSupplied(otherRecord) && { other_supplied: true }),
  };
}

function isSupplied(record: RecordedStep | null): boolean {
  return record !== null && (record.row.supplied !== null || record.row.mocked > 0);
}

function differences(one: ComparedRun, record: RecordedStep, other: ComparedRun, otherRecord: RecordedStep): ComparedStep['differs'] {
  const effects = effectChanges(one, one.effectsOf(record), other, other.effectsOf(otherRecord), 1);
  const changed = ({ in: where, input, outcome }: ComparedEffect): boolean => where !== 'both' || input.length + outcome.length > 0;
  return [
    ...(sameValue(one.statesOf(record), other.statesOf(otherRecord)) ? [] : (['states'] as const)),
    ...(effects.some(changed) ? (['effects'] as const) : []),
    ...(sameValue(one.messagesOf(record), other.messagesOf(otherRecord)) ? [] : (['messages'] as const)),
  ];
}

function stateChanges(one: Readonly<Record<string, Json>>, other: Readonly<Record<string, Json>>): StepComparison['states'] {
  return Object.keys({ ...one, ...other }).map((name) => ({ name, changes: valueChanges(one[name], other[name]) }));
}

/** Pairs effects by key, or by kind, name and order if a provider generated the keys. */
function effectChanges(
  one: ComparedRun,
  effects: readonly EffectRow[],
  other: ComparedRun,
  others: readonly EffectRow[],
  limit = 100,
): ComparedEffect[] {
  const left = [...others];
  const take = (matches: (effect: EffectRow) => boolean): EffectRow | undefined => {
    const at = left.findIndex(matches);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const pairs = effects.map((effect): [EffectRow, EffectRow | undefined] => {
    const sameKind = ({ kind, name }: EffectRow): boolean => kind === effect.kind && name === effect.name;
    return [effect, take((found) => sameKind(found) && found.key === effect.key) ?? take(sameKind)];
  });
  const alone = (effect: EffectRow, where: 'first' | 'second', { journal }: ComparedRun): ComparedEffect => {
    const [input, outcome] = [inputOf(journal, effect), outcomeOf(journal, effect)];
    const changes = (value: Json) => (where === 'first' ? valueChanges(value, undefined, limit) : valueChanges(undefined, value, limit));
    return { key: effect.key, kind: effect.kind, name: effect.name, in: where, input: changes(input), outcome: changes(outcome) };
  };
  const both = pairs.map(([effect, found]): ComparedEffect => {
    if (!found) return alone(effect, 'first', one);
    const { key, kind, name } = effect;
    const input = valueChanges(inputOf(one.journal, effect), inputOf(other.journal, found), limit);
    const outcome = valueChanges(outcomeOf(one.journal, effect), outcomeOf(other.journal, found), limit);
    return { key, kind, name, in: 'both', input, outcome };
  });
  return [...both, ...left.map((effect) => alone(effect, 'second', other))];
}

/** Returns an effect's input. Model input is compared message by message. */
function inputOf(journal: Journal, { input, kind }: EffectRow): Json {
  const value = journal.values.read(input);
  if (kind !== 'model' || !isJsonObject(value)) return value;
  const { messages_hash: _compared, ...rest } = value;
  return rest;
}

/** Returns an effect's outcome without meaningless differences: call ids, provider metadata, durations. */
function outcomeOf(journal: Journal, { outcome, name }: EffectRow): Json {
  if (outcome === null) return null;
  const value = journal.values.read(outcome);
  return name === 'ctx.now' ? null : withoutIds(value, new Map());
}

function plainMessages(messages: Readonly<Record<string, readonly Message[]>>): Json {
  return withoutIds(toJson(messages), new Map());
}

/** Replaces call ids with consecutive numbers and drops provider data that is only echoed. */
function withoutIds(value: Json, seen: Map<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, seen));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'vendor' && key !== 'entry');
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key !== 'tool_call_id' || typeof item !== 'string') return [key, withoutIds(item, seen)];
      if (!seen.has(item)) seen.set(item, `call ${seen.size + 1}`);
      return [key, seen.get(item) as string];
    }),
  );
}
