import { errorOf, type Journal } from '#main/journal/journal.ts';
import { checked, type EffectRow, outcomeSchema, type RunRow, readModels } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { marksUpTo, readMark } from '#main/journal/supplied-marks.ts';
import { restingStatus } from '#main/runner/drive-result.ts';
import { buildFromSources, recordedSources } from '#main/time-travel/recorded-flow.ts';
import { type RecordedStep, recordedSteps } from '#main/time-travel/recorded-step.ts';
import { version } from '#main/version.ts';
import { capsuleLimit, type Redaction } from '#shared/contract/time-travel.ts';
import type { MaskRule } from '#shared/mask-text.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Capsule, CapsuleBody, CapsuleEffect, CapsuleStep } from './capsule-format.ts';
import { integrityOf } from './integrity.ts';
import { maskCapsule } from './mask-capsule.ts';

/**
 * Exports a run to a capsule, masking every known secret, the requested redactions, and what the workspace's `mask` matches (`rules`). Throws `NotFound` for a missing run or path to redact, and
 * `SnapStoreError` if the run's records exceed `limit` bytes: such a capsule could not be opened.
 */
export function makeCapsule(
  journal: Journal,
  runId: string,
  redaction: Redaction & { readonly rules?: readonly MaskRule[] },
  secrets: ReadonlyMap<string, string>,
  limit = capsuleLimit,
): Capsule {
  const body = maskCapsule(capsuleOf(journal, runId, limit), redaction, secrets, redaction.rules);
  return { ...body, integrity: integrityOf(body) };
}

function capsuleOf(journal: Journal, runId: string, limit: number): CapsuleBody {
  const row = journal.row(runId);
  const reader = new RunReader(journal, row);
  const flow = recordedSources(journal, row);
  const start = reader.foldAt(0);
  const graph = buildFromSources(flow, true).graph ? null : journal.graphOf(row);
  const marks = journal.reading(() => marksUpTo(journal.database, row.run, 0));
  const inherited = marks.map(({ key, mark }) => ({ key, mark: readMark(mark, journal.path) }));
  return {
    pravah_capsule: 1,
    program: version,
    run: {
      run_id: journal.recordedAs(row),
      flow_path: row.flow_path,
      flow_name: row.flow_name,
      status: restingStatus(row),
      created_at: row.created_at,
      updated_at: row.updated_at,
      models: readModels(row.models, journal.path),
      ...(row.engine > 1 && { engine: row.engine }),
      output: row.output === null ? null : journal.values.read(row.output),
      error: errorOf(journal, row),
      forked_from: journal.forkOriginOf(row),
    },
    flow: { text: flow.flow_text, sources: Object.fromEntries(flow.sources), graph: graph && withoutFunctions(graph) },
    input: journal.inputOf(row),
    start: {
      states: [...start.states.values()].map(({ name, value }) => ({ name, value })),
      control: start.control,
      messages: reader.history(0),
      ...(inherited.length > 0 && { supplied: inherited }),
    },
    steps: stepsOf(journal, reader, limit),
    failed_effects: row.status === 'error' ? failedEffects(journal, reader, row) : [],
    masked: [],
  };
}

function stepsOf(journal: Journal, reader: RunReader, limit: number): CapsuleStep[] {
  const events = eventsBySeq(reader);
  // Most records of a long run have neither, so a query for each would take most of the time.
  const [effects, messages] = [new Set(reader.effectSeqs()), new Set(reader.messageSeqs())];
  const steps: CapsuleStep[] = [];
  let size = 0;
  for (const recorded of recordedSteps(reader)) {
    const { seq } = recorded.row;
    const added = {
      messages: messages.has(seq) ? reader.messagesOf(seq) : {},
      effects: effects.has(seq) ? reader.effectsOf(seq).map((effect) => effectOf(journal, effect)) : [],
      events: events.get(seq) ?? [],
    };
    const step = stepOf(recorded, added, journal.path);
    size += Buffer.byteLength(JSON.stringify(step));
    if (size > limit) throw tooLarge(reader.row, seq, limit);
    steps.push(step);
  }
  return steps;
}

function tooLarge({ run_id: runId, last_seq }: RunRow, seq: number, limit: number): FlowError {
  const most = `${Math.floor(limit / 1024 / 1024)} MiB`;
  return new FlowError(
    'SnapStoreError',
    `The run is too large for a capsule: records 1 to ${seq} of ${last_seq} already exceed ${most}. Fork it at a later record, continue the fork, and export that.`,
    { details: { run_id: runId, seq, limit } },
  );
}

function stepOf(
  { row, step }: RecordedStep,
  { messages, effects, events }: Pick<CapsuleStep, 'messages' | 'effects' | 'events'>,
  path: string,
): CapsuleStep {
  const { type, node, kind, phase, started_at, duration_ms, note, supplied } = row;
  return {
    type,
    node,
    kind,
    ...(phase && { phase }),
    consumed: [...step.consumed],
    produced: [...step.produced],
    control: step.control,
    messages,
    effects,
    events,
    started_at,
    duration_ms,
    note,
    ...(supplied !== null && { supplied: readMark(supplied, path) }),
  };
}

function failedEffects(journal: Journal, reader: RunReader, row: RunRow): CapsuleEffect[] {
  return reader.effectsOf(row.last_seq + 1, Math.max(1, row.attempt - 1)).map((effect) => effectOf(journal, effect));
}

function effectOf(journal: Journal, { key, kind, node, name, input, outcome, supplied }: EffectRow): CapsuleEffect {
  const ended = outcome === null ? null : checked(outcomeSchema, journal.values.read(outcome), journal.path);
  const mark = supplied === null ? {} : { supplied: readMark(supplied, journal.path) };
  return { key, kind, node, name, input: journal.values.read(input), outcome: ended, ...mark };
}

function eventsBySeq(reader: RunReader): Map<number, RunEvent[]> {
  const events = new Map<number, RunEvent[]>();
  for (const event of reader.events()) {
    const known = events.get(event.seq);
    if (known) known.push(event);
    else events.set(event.seq, [event]);
  }
  return events;
}

function withoutFunctions(graph: ReturnType<Journal['graphOf']>): ReturnType<Journal['graphOf']> {
  return JSON.parse(JSON.stringify(graph, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value))) as never;
}
