import { existsSync } from 'node:fs';
import { z } from 'zod';
import { ServerClient } from '#main/connections/server-client.ts';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { alignedRows, countOf, printLine, shortJson, styled } from '#main/hosts/cli/output/terminal.ts';
import { printingRefusals } from '#main/hosts/cli/session/session.ts';
import { stateAtSchema } from '#shared/contract/runs.ts';
import { pageOf } from '#shared/contract/server/common.ts';
import { type ServedRun, servedRunDetailSchema, servedRunSchema, servedStepSchema } from '#shared/contract/server/runs.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { followRun, pathOf, readRun } from './follow-run.ts';

interface RemoteOptions {
  /** Name of the server. */
  readonly on: string;
  readonly json?: boolean;
}

/** Most items of a page. */
const pageSize = 200;

/** Calls `act` with the client of a server, and prints why it refuses. */
async function onServer(
  runId: string,
  { on, json = false }: RemoteOptions,
  act: (client: ServerClient) => Promise<number>,
): Promise<number> {
  const client = await ServerClient.named(on);
  return printingRefusals(runId, json, () => act(client));
}

export interface RemoteRunOptions extends RemoteOptions {
  readonly input?: string;
  readonly message?: string;
  readonly model: readonly string[];
  readonly maxSteps?: number;
}

/** `pravah run FLOW --on NAME`: starts a run on a server and follows it. */
export function run(flow: string, options: RemoteRunOptions): Promise<number> {
  if (options.input !== undefined && options.message !== undefined) throw new UsageError('Use either --input or --message, not both.');
  const input = options.message === undefined ? inputOf(options.input) : { message: options.message };
  const body = { flow, input, models: modelsOf(options.model), paused: options.maxSteps !== undefined };
  return onServer('', options, async (client) => {
    const started = await client.call(servedRunDetailSchema, 'POST', '/v1/runs', { body }).catch((error: unknown) => {
      if (!(error instanceof FlowError && error.variant === 'NotFound' && existsSync(flow))) throw error;
      throw new FlowError(
        'NotFound',
        `There is no flow ${flow} on ${client.name}. Deploy it first: pravah deploy ${flow} --on ${client.name}`,
      );
    });
    const { run_id: runId } = started;
    if (options.json) printLine(JSON.stringify({ type: 'init_stream', run_id: runId, flow: started.flow, server: client.name }));
    else printLine(`${styled('bold', started.flow)}  ${styled('dim', runId)}`);
    if (options.maxSteps !== undefined) await goOn(client, runId, options.maxSteps);
    return followRun(client, runId, 0, options.json ?? false);
  });
}

/** `pravah step RUN --on NAME` and `pravah continue RUN --on NAME`. */
export function goOnFor(runId: string, maxSteps: number | undefined, options: RemoteOptions): Promise<number> {
  return onServer(runId, options, async (client) => {
    const { seq } = await readRun(client, runId);
    await goOn(client, runId, maxSteps, seq);
    return followRun(client, runId, seq, options.json ?? false);
  });
}

function goOn(client: ServerClient, runId: string, maxSteps: number | undefined, afterSeq?: number): Promise<ServedRun> {
  const body = { ...(maxSteps !== undefined && { max_steps: maxSteps }), ...(afterSeq !== undefined && { after_seq: afterSeq }) };
  return client.call(servedRunSchema, 'POST', `${pathOf(runId)}/continue`, { body });
}

export interface RemoteAnswer extends RemoteOptions {
  readonly toolId: string;
  readonly call?: string;
  readonly payload: string;
}

/** `pravah resume RUN --on NAME`: answers what waits, and follows the run. */
export function resume(runId: string, options: RemoteAnswer): Promise<number> {
  const payload = readJsonArgument(options.payload, '--payload');
  return onServer(runId, options, async (client) => {
    const { seq, suspensions } = await readRun(client, runId);
    const waiting = suspensions.filter(({ tool_id }) => tool_id === options.toolId);
    if (options.call === undefined && waiting.length === 0)
      throw new FlowError(
        'Conflict',
        `Nothing with the tool ID ${options.toolId} waits in run ${runId}. Look at it with: pravah show ${runId} --on ${client.name}`,
      );
    const call = options.call ?? (waiting.length === 1 ? waiting[0]?.tool_call_id : undefined);
    if (call === undefined && waiting.length > 1)
      throw new UsageError(
        `Several calls of ${options.toolId} wait. Choose one with --call: ${waiting.map((each) => each.tool_call_id).join(', ')}.`,
      );
    const body = { tool_id: options.toolId, tool_call_id: call ?? '', payload, then_continue: true, after_seq: seq };
    await client.call(servedRunDetailSchema, 'POST', `${pathOf(runId)}/resume`, { body });
    return followRun(client, runId, seq, options.json ?? false);
  });
}

/** `pravah cancel RUN --on NAME`. */
export function cancel(runId: string, options: RemoteOptions): Promise<number> {
  return onServer(runId, options, async (client) => {
    const { seq } = await readRun(client, runId);
    await client.call(servedRunSchema, 'POST', `${pathOf(runId)}/cancel`);
    const code = await followRun(client, runId, seq, options.json ?? false);
    return code === exitCodes.cancelled ? exitCodes.success : code;
  });
}

/** `pravah runs --on NAME`: prints the newest runs, one per line. */
export function runs(options: RemoteOptions & { readonly limit?: number }): Promise<number> {
  return onServer('', options, async (client) => {
    const found: ServedRun[] = [];
    const limit = options.limit ?? 100;
    for (let token: string | null = ''; token !== null && found.length < limit; ) {
      const query = new URLSearchParams({
        limit: String(Math.min(pageSize, limit - found.length)),
        ...(token !== '' && { page_token: token }),
      });
      const page: { data: ServedRun[]; next_page_token: string | null } = await client.call(
        pageOf(servedRunSchema),
        'GET',
        `/v1/runs?${query}`,
      );
      found.push(...page.data);
      token = page.next_page_token;
    }
    const lines = options.json ? found.map((each) => JSON.stringify(each)) : alignedRows(found.map(runColumns));
    for (const line of lines) printLine(line);
    if (found.length === 0 && !options.json) printLine(`No runs yet. Start one with: pravah run FLOW --on ${client.name}`);
    return exitCodes.success;
  });
}

function runColumns(each: ServedRun): string[] {
  const waiting = each.suspensions[0] ? `waiting for ${each.suspensions[0].tool_id}` : '';
  return [each.run_id, each.created_at.slice(0, 19).replace('T', ' '), each.status, countOf(each.seq, 'step'), each.flow, waiting];
}

/** `pravah show RUN --on NAME`: prints a run with its timeline, or its states after a step. */
export function show(runId: string, options: RemoteOptions & { readonly step?: number }): Promise<number> {
  return onServer(runId, options, async (client) => {
    if (options.step !== undefined) {
      const at = await client.call(stateAtSchema, 'GET', `${pathOf(runId)}/steps/${options.step}`);
      if (options.json) printLine(JSON.stringify(at));
      else for (const { name, value } of at.states) printLine(`${name}  ${shortJson(value, 400)}`);
      return exitCodes.success;
    }
    const detail = await readRun(client, runId);
    const timeline = await timelineOf(client, runId, detail.seq);
    if (options.json) printLine(JSON.stringify({ ...detail, timeline }));
    else printDetail(detail, timeline);
    return exitCodes.success;
  });
}

const stepsSchema = z.object({ data: z.array(servedStepSchema), total: z.number() });
type Steps = z.infer<typeof stepsSchema>['data'];

async function timelineOf(client: ServerClient, runId: string, seq: number): Promise<Steps> {
  const steps: Steps = [];
  while (steps.length < seq) {
    const page = await client.call(stepsSchema, 'GET', `${pathOf(runId)}/steps?from=${steps.length + 1}&limit=${pageSize}`);
    if (page.data.length === 0) break;
    steps.push(...page.data);
  }
  return steps;
}

function printDetail(detail: z.infer<typeof servedRunDetailSchema>, timeline: Steps): void {
  printLine(`${styled('bold', detail.flow_name)}  ${detail.flow}  ${styled('dim', detail.run_id)}`);
  printLine(`${detail.status}  ${countOf(detail.seq, 'step')}, ${countOf(detail.tokens, 'token')}`);
  const rows = timeline.map(({ seq, node, kind, phase, produced, note }) => [
    ...[String(seq), node, [kind, phase].filter(Boolean).join(' ')],
    ...[produced.length > 0 ? `→ ${produced.join(', ')}` : '', note ?? ''],
  ]);
  for (const line of alignedRows(rows)) printLine(`  ${line}`);
  for (const { name, value } of detail.states) printLine(`${name}  ${shortJson(value, 400)}`);
  if (detail.next) printLine(`next: ${detail.next}`);
  for (const { tool_id, value } of detail.suspensions) printLine(`${styled('yellow', `waiting for ${tool_id}`)}  ${shortJson(value, 400)}`);
  if (detail.error) printLine(`${styled('red', detail.error.variant)}  ${detail.error.message}`);
}

function inputOf(text: string | undefined): Json {
  return text === undefined ? {} : readJsonArgument(text, '--input');
}

/** `NODE=URL` for one agent, `URL` for all. */
function modelsOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, node = anyAgent, url] = /^(?:([^=]+)=)?([a-z]+:\/\/.*)$/s.exec(text) ?? [];
      if (url === undefined) throw new UsageError(`--model ${text}: this is not a model URL.`);
      return [node, url];
    }),
  );
}
