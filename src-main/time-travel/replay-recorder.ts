import type { ConversationRequest, OpenedConversation } from '#main/engine/ports/conversation-store.ts';
import {
  type CallDecision,
  type DecidedCall,
  type Effect,
  type EffectOutcome,
  type MarkedOutcome,
  marked,
  type Recorder,
  type StepRecord,
  UnknownOutcome,
} from '#main/engine/ports/recorder.ts';
import type { Journal } from '#main/journal/journal.ts';
import { checked, type EffectRow, outcomeSchema } from '#main/journal/rows.ts';
import type { RunReader } from '#main/journal/run-reader.ts';
import { changedParts, StateFold } from '#main/journal/state-fold.ts';
import { readMark } from '#main/journal/supplied-marks.ts';
import type { Divergence } from '#shared/contract/time-travel.ts';
import { type Json, toJson } from '#shared/json.ts';
import { ToolError, type ToolErrorVariant, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { ConversationEntry, Message } from '#shared/run/message.ts';
import type { Control, PendingCall } from '#shared/run/snapshot.ts';
import { valueChanges } from '#shared/value-changes.ts';
import { comparable } from './comparable.ts';
import { byName, callErrorOf, innerOutcome, producedBy } from './inner-outcome.ts';
import type { RecordedStep } from './recorded-step.ts';
import type { RecordedOutcome } from './replay-graph.ts';
import type { SuppliedRecord } from './replay-supply.ts';

/** Thrown to abort a step that has diverged or reached the end of the recording. The recorder has the details. */
export class ReplayStopped extends Error {}

type What = Divergence['what'];

/** A recorded failure after the last step. */
export interface RecordedFailure {
  readonly error: TransferableError;
  readonly attempt: number;
}

/**
 * Replaces the journal during a replay: returns recorded outcomes instead of performing effects, and compares each step
 * with the recorded one. The first difference ends the run.
 */
export class ReplayRecorder implements Recorder {
  readonly #journal: Journal;
  readonly #reader: RunReader;
  readonly #records: Iterator<RecordedStep, void>;
  readonly #failure: RecordedFailure | null;
  /** Records with effects, and with messages: a query for each record would take most of the time. */
  readonly #withEffects: ReadonlySet<number>;
  readonly #withMessages: ReadonlySet<number>;
  /** The recorded run, and the control of the replayed run. */
  readonly #fold: StateFold;
  #control: Control;
  #next: RecordedStep | null = null;
  /** The recorded control after the next record, from which decisions are read. */
  #after: Control;
  #effects: Map<string, EffectRow> | undefined;
  #used = new Set<string>();
  /** A difference that a later one in the same step may explain better. */
  #pending: Divergence | null = null;
  #divergence: Divergence | null = null;
  #seq = 0;
  #effectCount = 0;

  constructor(journal: Journal, reader: RunReader, records: Iterator<RecordedStep, void>, failure: RecordedFailure | null) {
    this.#journal = journal;
    this.#reader = reader;
    this.#records = records;
    this.#failure = failure;
    this.#withEffects = new Set(reader.effectSeqs());
    this.#withMessages = new Set(reader.messageSeqs());
    this.#fold = new StateFold(reader.foldAt(0));
    this.#control = this.#fold.control;
    this.#after = this.#control;
    this.#advance();
  }

  get divergence(): Divergence | null {
    return this.#divergence;
  }

  /** Number of identical records. */
  get steps(): number {
    return this.#seq;
  }

  /** Number of recorded outcomes used. */
  get effectCount(): number {
    return this.#effectCount;
  }

  /** The next record; null at the end. */
  get next(): RecordedStep | null {
    return this.#next;
  }

  /** The answer that the next record consumes, or null. */
  get answer(): Control['answers'][number] | null {
    return this.#next?.row.type === 'resumed' ? (this.#after.answers[0] ?? null) : null;
  }

  /** The recorded result of the next record's node. */
  get outcome(): RecordedOutcome {
    const { step } = this.#next ?? {};
    if (!step) return { states: {} };
    return step.produced.length > 0 ? { states: byName(step.produced) } : innerOutcome(step.node, this.#after.frames);
  }

  diverge(what: What, message: string, more: Partial<Divergence> = {}): ReplayStopped {
    const node = this.#next?.row.node ?? null;
    this.#divergence ??= this.#pending ?? { seq: this.#seq + 1, what, node, path: '', message, ...more };
    return new ReplayStopped(message);
  }

  async effect(seq: number, effect: Effect): Promise<MarkedOutcome> {
    this.#assertAt(seq);
    const recorded = this.#effectsHere().get(effect.key);
    const made = { kind: effect.kind, node: effect.node, name: effect.name, input: effect.input };
    if (!recorded) {
      throw this.diverge('effect', `${effect.node} now uses ${effect.name}, which it didn't in the recording.`, {
        path: `/${effect.name}`,
        actual: made,
      });
    }
    this.#used.add(effect.key);
    const { kind, node, name } = recorded;
    const [change] = valueChanges({ kind, node, name, input: this.#journal.values.read(recorded.input) }, made, 1);
    if (change) this.#differs(effect, recorded, change);
    if (recorded.outcome === null) throw new UnknownOutcome(effect);
    this.#effectCount += 1;
    const outcome = checked(outcomeSchema, this.#journal.values.read(recorded.outcome), this.#journal.path);
    if (effect.again && recorded.supplied === null) await this.#expectSameResult(effect, effect.again, outcome);
    return marked(outcome, { supplied: recorded.supplied === null ? undefined : readMark(recorded.supplied, this.#journal.path) });
  }

  /** Computes a result once more and compares it with the recorded one. Failures are compared by their texts. */
  async #expectSameResult({ node, name }: Effect, again: NonNullable<Effect['again']>, outcome: EffectOutcome): Promise<void> {
    const [before, after] = [this.#fold.control, this.#after].map(({ agents }) => agents[node]?.seconds ?? 0) as [number, number];
    const now: EffectOutcome = await again({ before, after }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: toTransferable(error) }),
    );
    const read = (one: EffectOutcome): Json => ('error' in one ? { failed: one.error.message } : { result: one.result });
    const [change] = valueChanges(read(outcome), read(now), 1);
    if (!change) return;
    throw this.diverge('effect', `The ${name} of ${node} now gives another result (at ${change.path}).`, {
      path: `/${name}${change.path}`,
      ...(change.before !== undefined && { expected: change.before }),
      ...(change.after !== undefined && { actual: change.after }),
    });
  }

  /** The next record's values that pins and mocks supplied. */
  get suppliedHere(): SuppliedRecord | null {
    if (!this.#next && !this.#failure) return null;
    const { row, step } = this.#next ?? {};
    const mark = row?.supplied ? readMark(row.supplied, this.#journal.path) : null;
    return {
      seq: this.#seq + 1,
      output:
        row && step && mark
          ? {
              node: row.node,
              mark,
              produced: producedBy(step, this.#after.frames, this.#eventsHere()),
              error: callErrorOf(row.node, this.#after.frames),
            }
          : null,
      call: (key: string) => {
        const effect = this.#effectsHere().get(key);
        if (!effect?.supplied || effect.outcome === null) return undefined;
        const outcome = checked(outcomeSchema, this.#journal.values.read(effect.outcome), this.#journal.path);
        return { mark: readMark(effect.supplied, this.#journal.path), outcome };
      },
    };
  }

  decided(seq: number, call: DecidedCall): CallDecision {
    this.#assertAt(seq);
    const asked = questionOf(this.#after, call.tool_call_id);
    if (asked !== undefined) return { type: 'asked', question: asked };
    if (call.effect === 'none' || call.effect === 'flow' || this.#effectsHere().has(call.tool_call_id)) return { type: 'made' };
    const error = this.#refusalOf(call);
    if (error) return { type: 'refused', error };
    throw this.diverge('effect', `${call.tool} is now called, which it wasn't in the recording.`, {
      path: `/${call.tool}`,
      actual: call.tool_call_id,
    });
  }

  askedAgain(_seq: number, node: string): Message | undefined {
    const [answer, reply] = this.#messagesHere()[node]?.slice(-2) ?? [];
    return answer?.role === 'assistant' && reply?.role === 'user' ? reply : undefined;
  }

  /** What the record read of a conversation, and nothing that was said in it later. */
  openConversation({ id, expected }: ConversationRequest): OpenedConversation {
    if (expected !== undefined) return { type: 'open', reads: [expected + 1, expected], entries: [] };
    const [first] = this.recordedEntries(0, id) ?? [];
    const reads = first?.entry.reads ?? [1, 0];
    const entries = this.#entriesHere(id).filter(({ entry }) => entry.position <= reads[1]);
    return { type: 'open', reads, entries };
  }

  recordedEntries(_seq: number, id: string): readonly ConversationEntry[] | undefined {
    const entries = this.#entriesHere(id);
    const { exchange } = entries.at(-1)?.entry ?? {};
    const own = entries.filter(({ entry }) => entry.exchange === exchange);
    return own.length > 0 ? own : undefined;
  }

  #entriesHere(id: string): readonly ConversationEntry[] {
    return (this.#messagesHere()[id] ?? []) as readonly ConversationEntry[];
  }

  omitsEdit(_seq: number, tool_call_id: string): boolean {
    return !this.#eventsHere().some((event) => event.type === 'tool_call_edited' && event.tool_call_id === tool_call_id);
  }

  commit(made: StepRecord): void {
    if (this.#divergence) throw new ReplayStopped(this.#divergence.message);
    const recorded = this.#next;
    if (!recorded) {
      if (this.#failure)
        throw this.diverge('end', `${made.node} failed in the recording; now it succeeds.`, failureFields(this.#failure.error));
      throw new ReplayStopped('the recording ends here');
    }
    this.#compare(recorded, made);
    if (this.#pending) throw this.diverge('effect', this.#pending.message);
    this.#control = made.control;
    this.#fold.apply(recorded.step);
    this.#seq = recorded.row.seq;
    this.#advance();
  }

  #compare({ row, step }: RecordedStep, made: StepRecord): void {
    const expected = { type: row.type, node: row.node, kind: row.kind, phase: row.phase };
    const actual = { type: made.type, node: made.node, kind: made.kind, phase: made.phase ?? null };
    const [shape] = valueChanges(expected, actual, 1);
    if (shape) {
      const message = `Expected ${labelOf(expected)} next, but got ${labelOf(actual)}.`;
      throw this.diverge('node', message, { path: shape.path, expected, actual, node: made.node });
    }
    this.#expectSame('messages', this.#messagesHere(), messagesOf(made), `${row.node} has different messages`);
    this.#expectSame('states', byName(step.produced), byName(made.produced), `${row.node} produces different states`);
    this.#expectSame('states', [...step.consumed], [...made.consumed], `${row.node} consumes different states`);
    this.#expectAllEffects(row.node);
    const changed = { ...step.control, ...changedParts(this.#control, made.control) };
    for (const part of Object.keys(changed) as (keyof Control)[]) {
      const [before, now] = [this.#after[part], made.control[part]].map((value) => comparable(toJson(value)));
      this.#expectSame('control', { [part]: before as Json }, { [part]: now as Json }, `${row.node} leaves a different run state`);
    }
  }

  #expectSame(what: What, expected: unknown, actual: unknown, message: string): void {
    const [change] = valueChanges(expected as Json, actual as Json, 1);
    if (!change) return;
    this.#pending = null;
    throw this.diverge(what, `${message} (at ${change.path}).`, {
      path: change.path,
      ...(change.before !== undefined && { expected: change.before }),
      ...(change.after !== undefined && { actual: change.after }),
    });
  }

  #expectAllEffects(node: string): void {
    const effects = this.#effectsHere();
    // A pin takes the place of calls that the step had begun before it was interrupted.
    if (this.#next?.row.supplied) return;
    // A handler's side effects are part of its own outcome.
    if (effects.get('handler')?.kind === 'handler' && this.#used.has('handler')) return;
    const unused = [...effects.values()].find(({ key }) => !this.#used.has(key));
    if (!unused) return;
    const { kind, name } = unused;
    throw this.diverge('effect', `${node} used ${name} in the recording; now it doesn't.`, {
      path: `/${name}`,
      expected: { kind, node: unused.node, name, input: this.#journal.values.read(unused.input) },
    });
  }

  /** Model input is recorded as a hash; its differences show when the step's messages are compared. */
  #differs(effect: Effect, recorded: EffectRow, change: { path: string; before?: Json; after?: Json }): void {
    const message = `${effect.node} uses ${effect.name} differently (at ${change.path}).`;
    const more = {
      path: `/${recorded.name}${change.path}`,
      ...(change.before !== undefined && { expected: change.before }),
      ...(change.after !== undefined && { actual: change.after }),
    };
    if (effect.kind !== 'model' || !change.path.startsWith('/input')) throw this.diverge('effect', message, more);
    this.#pending ??= { seq: this.#seq + 1, what: 'effect', node: effect.node, message, ...more };
  }

  /** A call that was refused before it ran has no recorded effect; its result contains the reason. */
  #refusalOf({ tool_call_id, tool }: DecidedCall): TransferableError | null {
    if (!this.#next) return this.#failure?.error.tool_id?.endsWith(`::${tool}`) ? this.#failure.error : null;
    const id = tool_call_id.slice(tool_call_id.lastIndexOf('/') + 1);
    for (const event of this.#eventsHere()) {
      if (event.type === 'tool_result' && event.tool_call_id === id && event.is_error) return errorOf(event.result, event.error_code);
    }
    return null;
  }

  /** What the next record added to conversations, by node. */
  #messagesHere(): Readonly<Record<string, readonly Message[]>> {
    const { seq } = this.#next?.row ?? { seq: 0 };
    return this.#withMessages.has(seq) ? this.#reader.messagesOf(seq) : {};
  }

  #eventsHere(): RunEvent[] {
    const { seq } = this.#next?.row ?? { seq: 0 };
    const events: RunEvent[] = [];
    for (const event of this.#reader.events(seq - 1)) {
      if (event.seq > seq) break;
      events.push(event);
    }
    return events;
  }

  #effectsHere(): Map<string, EffectRow> {
    this.#effects ??= new Map(this.#readEffects().map((row) => [row.key, row]));
    return this.#effects;
  }

  #readEffects(): EffectRow[] {
    if (this.#next) return this.#withEffects.has(this.#next.row.seq) ? this.#reader.effectsOf(this.#next.row.seq) : [];
    return this.#failure ? this.#reader.effectsOf(this.#seq + 1, this.#failure.attempt) : [];
  }

  #assertAt(seq: number): void {
    if (this.#divergence) throw new ReplayStopped(this.#divergence.message);
    if (seq !== this.#seq + 1 || !(this.#next || this.#failure)) throw new ReplayStopped('the recording ends here');
  }

  #advance(): void {
    const { value } = this.#records.next();
    this.#next = value ?? null;
    this.#effects = undefined;
    this.#used = new Set();
    this.#after = { ...this.#fold.control, ...this.#next?.step.control };
  }
}

function labelOf({ type, node, phase }: { type: string; node: string; phase: string | null }): string {
  if (type === 'suspended') return `${node} waiting`;
  if (type === 'resumed') return `an answer to ${node}`;
  return phase ? `${node} (${phase})` : node;
}

function messagesOf({ history }: StepRecord): Record<string, readonly Message[]> {
  return Object.fromEntries(Object.entries(history).filter(([, messages]) => messages.length > 0));
}

export function failureFields(error: TransferableError): Partial<Divergence> {
  return { path: '/error', expected: { variant: error.variant, code: error.code, message: error.message } };
}

/** Returns the pending approval question of a call in this control, also inside a flow that it calls (`call/seq/call`). */
function questionOf(control: Control, id: string): Json | undefined {
  const own = control.suspensions.find(({ tool_call_id, reason }) => tool_call_id === id && reason === 'approval');
  if (own) return own.value;
  for (const call of callsOf(control)) {
    const { flow } = call;
    const prefix = flow && `${call.tool_call_id}/${flow.snapshot.seq}/`;
    if (flow && prefix && id.startsWith(prefix)) return questionOf(flow.snapshot.control, id.slice(prefix.length));
  }
  return undefined;
}

function callsOf({ agents, handlers }: Control): PendingCall[] {
  return [...Object.values(agents).flatMap(({ pending }) => pending), ...Object.values(handlers).flatMap(({ calls }) => calls)];
}

/** Parses the refusal in a result: `Denied: why`. */
function errorOf(result: Json, code: string | undefined): TransferableError {
  const [, variant = 'Other', message = ''] = /^(\w+): (.*)$/s.exec(typeof result === 'string' ? result : '') ?? [];
  return new ToolError(variant as ToolErrorVariant, message, code === undefined ? {} : { code }).toJSON();
}
