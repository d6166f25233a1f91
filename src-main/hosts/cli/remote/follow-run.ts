import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ServerClient } from '#main/connections/server-client.ts';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { eventPrinter } from '#main/hosts/cli/output/run-output.ts';
import { printNote } from '#main/hosts/cli/output/terminal.ts';
import { onInterrupt } from '#main/hosts/cli/session/session.ts';
import { endStream } from '#main/runner/drive-result.ts';
import { type ServedRunDetail, servedRunDetailSchema, servedRunSchema } from '#shared/contract/server/runs.ts';
import { type EndStatus, type RunEvent, runEventSchema } from '#shared/run/event.ts';

/** How often a run that is driven is looked at, in milliseconds. */
const interval = 250;

const eventsSchema = z.object({ data: z.array(runEventSchema), next_after_seq: z.number().nullable() });
const endStatus = (status: ServedRunDetail['status']): EndStatus | null => (status === 'running' || status === 'queued' ? null : status);

export const pathOf = (runId: string): string => `/v1/runs/${encodeURIComponent(runId)}`;

export function readRun(client: ServerClient, runId: string): Promise<ServedRunDetail> {
  return client.call(servedRunDetailSchema, 'GET', pathOf(runId));
}

/** Prints what a run does after a record until it rests, and returns the exit code. Ctrl+C cancels the run. */
export async function followRun(client: ServerClient, runId: string, afterSeq: number, json: boolean): Promise<number> {
  const print = eventPrinter(json, { advice: false });
  let interrupted = false;
  const forget = onInterrupt(() => {
    interrupted = true;
  });
  try {
    for (let seq = afterSeq; ; await wait(interval)) {
      if (interrupted) {
        interrupted = false;
        await client.call(servedRunSchema, 'POST', `${pathOf(runId)}/cancel`);
      }
      // Read before the events, so that none is missing when it rests.
      const run = await readRun(client, runId);
      seq = await printEvents(client, runId, seq, print);
      const status = endStatus(run.status);
      if (status === null) continue;
      printEnd(run, status, print);
      if (!json) printAdvice(client, run);
      return exitCodes[status];
    }
  } finally {
    forget();
  }
}

/** Prints the recorded events after a record. Returns the last record. */
async function printEvents(client: ServerClient, runId: string, afterSeq: number, print: (event: RunEvent) => void): Promise<number> {
  let last = afterSeq;
  for (let next: number | null = afterSeq; next !== null; ) {
    const page: z.infer<typeof eventsSchema> = await client.call(eventsSchema, 'GET', `${pathOf(runId)}/events?after_seq=${next}`);
    for (const event of page.data) {
      print(event);
      last = Math.max(last, event.seq);
    }
    next = page.next_after_seq;
  }
  return last;
}

function printEnd(run: ServedRunDetail, status: EndStatus, print: (event: RunEvent) => void): void {
  const { error, states, tokens, output } = run;
  const end = endStream({
    status,
    ...(error && { error }),
    states,
    duration_ms: 0,
    tokens,
    stop: null,
    ...(status === 'success' && { output }),
  });
  print({ run_id: run.run_id, seq: run.seq, timestamp: Date.parse(run.updated_at), ...end } as RunEvent);
}

function printAdvice({ name }: ServerClient, { run_id: runId, status, suspensions: [first] }: ServedRunDetail): void {
  if (status === 'paused') printNote(`Continue with: pravah continue ${runId} --on ${name}`);
  if (status === 'suspended' && first)
    printNote(`Answer with: pravah resume ${runId} --tool-id '${first.tool_id}' --payload JSON --on ${name}`);
}
