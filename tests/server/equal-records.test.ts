import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { StepRecord } from '#main/engine/ports/recorder.ts';
import { MemoryRecorder } from '#main/engine/testing/memory-recorder.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { RunStore } from '#main/journal/run-store.ts';
import { RunStoreCalls } from '#main/journal/run-store-calls.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { connectPostgres } from '#main/store/postgres/connection.ts';
import { migratePostgres } from '#main/store/postgres/migrations.ts';
import { RunStoreThread } from '#main/store/postgres/run-store-client.ts';
import { PostgresServer, withoutPostgres } from '#main/testing/postgres-server.ts';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { comparable } from '#main/time-travel/comparable.ts';
import { recordedSteps } from '#main/time-travel/recorded-step.ts';
import { createContext } from '#main/workspace/create-context.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { type Json, type JsonObject, toJson } from '#shared/json.ts';

/** The cases lie beside the checkout. */
const shared = join(import.meta.dirname, '..', '..', '..', 'shared');
const oracle = join(shared, 'conformance-oracle', 'cases.jsonl');
const conformance = join(shared, 'conformance');
const noCases = skipUnless(existsSync(oracle), 'equal records of the conformance cases', 'the cases do not lie beside the checkout');
const noPostgres = withoutPostgres('equal records on PostgreSQL');

/** One run of a flow in a folder of its own. */
interface Case {
  readonly name: string;
  readonly flow: string;
  readonly input: Json;
  readonly maxSteps: number;
  readonly fill: (folder: string) => void;
}

/** Every nth case is run; all of them in the long tests. */
const stride = process.env.PRAVAH_SOAK ? 1 : 8;
const some = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => index % stride === 0);

function write(folder: string, path: string, content: Json): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

interface OracleCase {
  readonly id: string;
  readonly flow: Json;
  readonly files?: Readonly<Record<string, Json>>;
  readonly input: Json;
  readonly max_steps?: number;
  readonly expect: JsonObject;
}

function oracleCases(): Case[] {
  const lines = readFileSync(oracle, 'utf8').trim().split('\n');
  const cases = lines.map((line) => JSON.parse(line) as OracleCase).filter(({ expect: { problems } }) => problems === undefined);
  return some(cases).map(({ id, flow, files = {}, input, max_steps: maxSteps = 200 }) => ({
    name: id,
    flow: 'flow.flow.json',
    input,
    maxSteps,
    fill: (folder) => {
      for (const [path, content] of Object.entries({ ...files, 'flow.flow.json': flow })) write(folder, path, content);
    },
  }));
}

/** The first run of each case that begins with one, in an untrusted folder. */
function conformanceCases(): Case[] {
  const names = readdirSync(conformance).filter((name) => existsSync(join(conformance, name, 'case.json')));
  const cases = names.flatMap((name): Case[] => {
    const { setup, do: steps } = JSON.parse(readFileSync(join(conformance, name, 'case.json'), 'utf8'));
    const run = steps.find(({ cmd }: { cmd: Json[] }) => cmd[0] === 'run');
    if (setup || !run) return [];
    const { cmd } = run as { cmd: Json[] };
    const option = (option: string) => (cmd.includes(option) ? cmd[cmd.indexOf(option) + 1] : undefined);
    const [, flow] = cmd;
    const input = option('--input') ?? null;
    if (typeof flow !== 'string' || !flow.endsWith('.flow.json') || (typeof input === 'string' && input.startsWith('@'))) return [];
    const fill = (folder: string) => cpSync(join(conformance, name), folder, { recursive: true });
    return [{ name, flow, input, maxSteps: Number(option('--max-steps') ?? 500), fill }];
  });
  return some(cases);
}

let postgres: PostgresServer | undefined;
let thread: RunStoreThread | undefined;
beforeAll(async () => {
  if (noPostgres || noCases) return;
  postgres = await PostgresServer.start();
  const url = await postgres.database();
  const connection = await connectPostgres(url);
  await migratePostgres(connection);
  await connection.close();
  thread = await RunStoreThread.start(url);
});
afterAll(async () => {
  await thread?.close();
  await postgres?.[Symbol.asyncDispose]();
});

const root = mkdtempSync(join(tmpdir(), 'pravah-equal-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
function folderOf({ fill }: Case): string {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  fill(folder);
  return folder;
}

async function prepared(theCase: Case) {
  const folder = folderOf(theCase);
  const settings = await loadSettings(folder);
  const loaded = await openFlow(theCase.flow, { folder, trusted: false, settings });
  if (!loaded.graph) return null;
  const context = await createContext({ folder, settings, trusted: false, consented: true, models: createModelClients({ folder }) });
  return { folder, graph: loaded.graph, text: loaded.text, context };
}

/** What is compared of a record: all but its times. */
const recordOf = ({ seq, type, node, kind, phase, consumed, produced, control }: StepRecord): Json =>
  toJson({ seq, type, node, kind, phase: phase ?? null, consumed, produced, control: comparable(toJson(control)) });

/** Drives a run without a journal. Returns its records; null if the flow does not build or the input is refused. */
async function inProcess(theCase: Case, runId: string): Promise<Json[] | null> {
  const ready = await prepared(theCase);
  if (!ready) return null;
  const recorder = new MemoryRecorder();
  try {
    const runtime = FlowRuntime.new(ready.graph, theCase.input, { recorder, run_id: runId });
    for (let made = 0; made < theCase.maxSteps; made += 1) if ((await runtime.next(ready.context)).type !== 'continue') break;
  } catch {
    // The failure of a handler is not a record.
  }
  return recorder.records.map(recordOf);
}

/** Drives a run with a journal. Returns its records as another journal with the same store has them. */
async function onDisk(theCase: Case, runId: string, store: RunStore | undefined): Promise<{ records: Json[]; events: Json } | null> {
  const ready = await prepared(theCase);
  if (!ready) return null;
  const path = join(ready.folder, 'runs.db');
  const options = store ? { store } : {};
  const journal = Journal.open(path, options);
  try {
    const executor = RunExecutor.start(
      { journal, context: ready.context, token: runId },
      { run_id: runId, graph: ready.graph, flow_path: theCase.flow, flow_text: ready.text, input: theCase.input },
    );
    await executor.continue(theCase.maxSteps);
    executor.close();
  } catch {
    // The input was refused: there is no run.
  }
  journal.close();
  const reader = Journal.open(store ? `${path}.copy` : path, options);
  try {
    reader.fetch(runId);
    return reader.has(runId) ? recordsIn(reader, runId) : { records: [], events: [] };
  } finally {
    reader.close();
  }
}

function recordsIn(journal: Journal, runId: string): { records: Json[]; events: Json } {
  const reader = new RunReader(journal, journal.row(runId));
  let control = reader.foldAt(0).control;
  const records = [...recordedSteps(reader)].map(({ row, step }) => {
    control = { ...control, ...step.control };
    const { type, kind, phase } = row;
    const { seq, node, consumed, produced } = step;
    return toJson({ seq, type, node, kind, phase, consumed, produced, control: comparable(toJson(control)) });
  });
  return { records, events: withoutTimes(toJson([...reader.events()])) };
}

function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !['timestamp', 'duration_ms', 'seconds'].includes(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutTimes(item as Json)]));
}

describe.skipIf(noCases)('the same run', () => {
  it.each([
    ['conformance cases', conformanceCases],
    ['traces of the reference', oracleCases],
  ] as const)(
    'has equal records in process, on SQLite and on PostgreSQL: %s',
    async (_name, cases) => {
      let compared = 0;
      const store = thread && new RunStoreCalls(thread.connect());
      for (const theCase of cases()) {
        const runId = uuidV7();
        const recorded = await inProcess(theCase, runId);
        const sqlite = await onDisk(theCase, runId, undefined);
        expect(sqlite?.records ?? null, theCase.name).toEqual(recorded);
        if (store) expect(await onDisk(theCase, runId, store), theCase.name).toEqual(sqlite);
        if (recorded && recorded.length > 0) compared += 1;
      }
      expect(compared).toBeGreaterThan(stride === 1 ? 50 : 5);
      store?.close();
    },
    600_000,
  );
});
