import type { MessagePort } from 'node:worker_threads';
import type { RunThread } from '#main/driver/run-thread.ts';
import type { McpHolder } from '#main/mcp/access.ts';
import { shareServers } from '#main/mcp/shared-servers.ts';
import type { Background } from '#main/services/background/background.ts';
import { Feed, latestBy } from '#main/services/feed.ts';
import { agreedHosts } from '#main/services/runs/agreed-hosts.ts';
import { runEvents } from '#main/services/runs/event-stream.ts';
import { LiveRun } from '#main/services/runs/live-run.ts';
import { OtherWriters } from '#main/services/runs/other-writers.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { RunDetail, RunSummary } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

/** Threads that rest are kept for the next command, this many. */
const restingLimit = 3;

export interface NewRun {
  readonly flow_path: string;
  readonly text: string;
  readonly input: Json;
  readonly models?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly run_id: string;
  readonly tool_id: string;
  readonly tool_call_id: string;
  readonly payload: Json;
  readonly then_continue: boolean;
}

/** The runs of one folder: drives each in a thread of its own, and tells what changes. */
export class RunRegistry {
  readonly #folder: string;
  readonly #reading: Background;
  readonly #mcp: McpHolder;
  readonly #changes = new Feed<RunSummary>();
  readonly #onChange: (summary: RunSummary) => void;
  readonly #others: OtherWriters;
  /** Runs that were driven or followed. The one used last comes last. */
  readonly #live = new Map<string, LiveRun>();

  constructor(folder: string, reading: Background, mcp: McpHolder, onChange: (summary: RunSummary) => void) {
    this.#folder = folder;
    this.#reading = reading;
    this.#mcp = mcp;
    this.#onChange = onChange;
    this.#others = new OtherWriters(
      reading,
      () => this.#changes.hasReaders,
      (summary) => this.#tell(summary),
    );
  }

  /** Starts a run and leaves it paused before its first transition. */
  async start(run: NewRun): Promise<RunDetail> {
    const path = await this.#reading.call('journal');
    const live = this.#newRun(path);
    try {
      const { flow_path, text } = run;
      await live.agree(async () =>
        agreedHosts(await this.#reading.call('reachOfFlow', { path: flow_path, text, trusted: await this.#trusted() })),
      );
      const { run_id } = await live.during((thread) => thread.start(run));
      this.#live.set(run_id, live);
      return await this.#told(run_id);
    } catch (error) {
      await live.close();
      throw error;
    } finally {
      this.#trim();
    }
  }

  async step(runId: string, mode: 'into' | 'over' | 'out'): Promise<RunDetail> {
    const live = await this.#agreed(runId);
    await live.during((thread) => thread.call({ type: 'step', mode })).finally(() => this.#trim());
    return this.#reading.call('detail', { run_id: runId });
  }

  /** Lets the run go on; resolves once it does. Rejects when it cannot (it waits, it was cancelled). */
  async continue(runId: string): Promise<RunSummary> {
    const live = await this.#agreed(runId);
    const { status } = await this.#reading.call('summary', { run_id: runId });
    const goOn = (thread: RunThread) => thread.call({ type: 'continue' });
    const done = () => this.#trim();
    if (status === 'paused' || status === 'error') await live.begin(goOn, ({ type }) => type === 'init_stream', done);
    else await live.during(goOn).finally(done);
    return this.#reading.call('summary', { run_id: runId });
  }

  async pause(runId: string): Promise<RunSummary> {
    const live = this.#live.get(runId);
    if (live?.busy) await live.thread.call({ type: 'pause' });
    return this.#reading.call('summary', { run_id: runId });
  }

  /** Cancels for good. Stopping what is cancelled already is nothing. */
  async stop(runId: string): Promise<RunSummary> {
    const live = await this.#running(runId);
    const stopped = live
      .during((thread) => thread.stop())
      .finally(() => {
        this.#mcp.forget(runId);
        this.#trim();
      });
    const failure: unknown = await stopped.then(
      () => null,
      (error: unknown) => error,
    );
    const summary = await this.#reading.call('summary', { run_id: runId });
    if (failure && summary.status !== 'cancelled') throw failure;
    return summary;
  }

  /** Answers what waits. With `then_continue` it resolves once the answer is taken, else when the run pauses. */
  async resume({ run_id, tool_id, tool_call_id, payload, then_continue }: Answer): Promise<RunDetail> {
    const live = await this.#agreed(run_id);
    const request = { type: 'resume', tool_id, tool_call_id, payload, then_continue } as const;
    if (then_continue) {
      await live.begin(
        (thread) => thread.call(request),
        (event) => event.type === 'resumed' && event.tool_call_id === tool_call_id,
        () => this.#trim(),
      );
    } else {
      await live.during((thread) => thread.call(request)).finally(() => this.#trim());
    }
    return this.#reading.call('detail', { run_id });
  }

  async preview(runId: string, toolCallId: string, input: Json) {
    const live = await this.#running(runId);
    return live.during((thread) => thread.call({ type: 'preview', tool_call_id: toolCallId, input })).finally(() => this.#trim());
  }

  /** A run's events after a record, then live. Throws `NotFound` at the first reading. */
  async *events(runId: string, afterSeq: number, signal: AbortSignal | undefined): AsyncGenerator<RunEvent, void> {
    const run = await this.#running(runId).catch((error: unknown) => {
      if (error instanceof FlowError && error.variant === 'Conflict') return null;
      throw error;
    });
    yield* runEvents({ runId, afterSeq, reading: this.#reading, run, signal });
  }

  /** Summaries as they change, from this call on, also by other processes. */
  async changes(signal: AbortSignal | undefined): Promise<AsyncGenerator<RunSummary, void>> {
    const changes = this.#changes.read(
      signal,
      latestBy(({ run_id }) => run_id),
    );
    await this.#others.begin();
    return changes;
  }

  /** Tells everybody of a run that was made without being driven. */
  async announce(runId: string): Promise<void> {
    this.#tell(await this.#reading.call('summary', { run_id: runId }));
  }

  async remove(runId: string): Promise<void> {
    const live = this.#live.get(runId);
    if (live && !live.busy) await live.rest();
    await this.#reading.call('remove', { run_id: runId });
    this.#mcp.forget(runId);
    this.#live.delete(runId);
    await live?.close();
  }

  /** Ends threads that rest, so that the next command reads settings and trust anew. */
  async renew(): Promise<void> {
    await Promise.all([...this.#live.values()].filter(({ busy }) => !busy).map((live) => live.rest()));
  }

  /** Something that was allowed is so no more: the same, and runs under way pause before their next transition. */
  async withdraw(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.withdraw()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()));
    this.#others.end();
    this.#changes.end();
  }

  #newRun(journalPath: string, runId?: string): LiveRun {
    const onMcpPort = (port: MessagePort) => shareServers(port, this.#mcp);
    return new LiveRun({ folder: this.#folder, journalPath, runId, onChange: (summary) => this.#tell(summary), onMcpPort });
  }

  /** The run, ready for commands. Throws `NotFound`, and `Conflict` for one that may only be looked at. */
  async #running(runId: string): Promise<LiveRun> {
    const path = this.#live.has(runId) ? '' : await this.#reading.call('journalOf', { run_id: runId });
    const live = this.#live.get(runId) ?? this.#newRun(path, runId);
    this.#live.delete(runId);
    this.#live.set(runId, live);
    return live;
  }

  /** The same, for commands with which the run does something: what it can reach must have been agreed to. */
  async #agreed(runId: string): Promise<LiveRun> {
    const live = await this.#running(runId);
    await live.agree(async () => agreedHosts(await this.#reading.call('reachOfRun', { run_id: runId, trusted: await this.#trusted() })));
    return live;
  }

  #trusted(): Promise<boolean> {
    return isTrusted(this.#folder);
  }

  /** Ends the threads that have rested longest, beyond a few. */
  #trim(): void {
    const resting = [...this.#live.values()].filter((live) => !live.busy);
    for (const live of resting.slice(0, -restingLimit)) void live.rest();
  }

  async #told(runId: string): Promise<RunDetail> {
    const detail = await this.#reading.call('detail', { run_id: runId });
    const { flow_text, input, output, timeline, current, agents, conversations, ...summary } = detail;
    this.#tell(summary);
    return detail;
  }

  #tell(summary: RunSummary): void {
    this.#others.note(summary);
    this.#changes.publish(summary);
    this.#onChange(summary);
  }
}
