import { setTimeout as wait } from 'node:timers/promises';
import { Feed, latestBy } from '#main/services/host/feed.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import type { FolderSession } from '#main/services/workspace/folder-session.ts';
import type { ServedRunRow, ServerStore } from '#main/store/server-store.ts';
import type { RunStatus, RunSummary } from '#shared/contract/runs.ts';
import type { ServedRun, ServedRunDetail, ServedStep } from '#shared/contract/server/runs.ts';
import type { ForkRequest } from '#shared/contract/time-travel.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { nameAndVersion } from './deployed-folders.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import { servedDetail, servedRun, servedStep } from './run-forms.ts';
import { Serializer } from './serialize.ts';
import type { ServedFolder, ServedFolders } from './served-folders.ts';

export interface StartRequest {
  readonly flow: string;
  readonly input: Json;
  readonly models?: Readonly<Record<string, string>>;
  readonly paused: boolean;
  readonly metadata: JsonObject;
}

export interface AnswerRequest {
  readonly tool_id: string;
  readonly tool_call_id: string;
  readonly payload: Json;
  readonly then_continue: boolean;
}

export interface RunServiceOptions {
  readonly folders: ServedFolders;
  readonly store: ServerStore;
  /** Id of this server; the runs that it drives are marked with it. */
  readonly server: string;
  readonly newId: () => string;
  /** Runs that are driven or queued at once. Default: 1,000. */
  readonly runLimit?: number;
}

/** Where a page of runs begins: after this run, newest first. */
type Place = {
  readonly created_at: number;
  readonly run_id: string;
};

/** A run as its folder has it. */
interface Listed {
  readonly summary: RunSummary;
  readonly nameOf: (path: string) => string;
}

type NamedVersion = NonNullable<ReturnType<typeof nameAndVersion>>;

interface ListRequest {
  readonly limit: number;
  readonly page_token?: string;
  readonly flow?: string;
  readonly status?: RunStatus;
}

/** Runs that a process drives, or that wait for it, at once. */
const mostRuns = 1000;
/** Code of the refusal of one run too many. */
export const tooManyRuns = 'TOO_MANY_RUNS';

/** Interval at which a server looks for runs that another one was asked to pause, in milliseconds. */
const wishInterval = 500;

/** How long to wait until a run that begins is looked at again, in milliseconds. */
const briefly = 20;

/** Statuses in which nothing happens until a caller asks for it. */
const resting: ReadonlySet<RunStatus> = new Set(['paused', 'suspended', 'success', 'error', 'cancelled']);

/** The runs of a server's folders. Requests to one run are performed one after another. */
export class RunService {
  readonly #folders: ServedFolders;
  readonly #store: ServerStore;
  readonly #server: string;
  readonly #newId: () => string;
  readonly #order = new Serializer();
  readonly #marks = new Serializer();
  readonly #runLimit: number;
  /** Runs that are driven or queued. */
  readonly #busy = new Set<string>();
  /** Runs that are being created: their first change says that they are paused, which is no reason not to drive them. */
  readonly #starting = new Set<string>();
  #stopping = false;
  /** Ends what is done at intervals. */
  readonly #looks = new AbortController();
  /** Called with each change of a run. */
  readonly #watchers = new Set<(summary: RunSummary) => void>();

  constructor({ folders, store, server, newId, runLimit = mostRuns }: RunServiceOptions) {
    this.#runLimit = runLimit;
    this.#folders = folders;
    this.#store = store;
    this.#server = server;
    this.#newId = newId;
    folders.onChange((summary) => {
      if (resting.has(summary.status)) this.#busy.delete(summary.run_id);
      else this.#busy.add(summary.run_id);
      for (const watcher of this.#watchers) watcher(summary);
      // A run that is paused without a reason has lost its journal, and is driven on.
      const lost = summary.status === 'paused' && !summary.stop;
      if (resting.has(summary.status) && !lost && !this.#stopping && !this.#starting.has(summary.run_id))
        void this.#mark(summary.run_id, false).catch(() => undefined);
    });
  }

  /** An id for a run that is about to be started, so that a request that is sent again finds it. */
  newRunId(): string {
    return this.#newId();
  }

  /** Starts a run, and drives it unless `paused`. A run that has this id already is left as it is. */
  async start(runId: string, { flow, input, models, paused, metadata }: StartRequest): Promise<void> {
    const earlier = await this.#store.runs.get(runId);
    const begun = earlier && (await this.#summary(runId).catch(() => null));
    // A repeated request finds the version that it began with.
    const begunIn = begun && earlier && (await this.#folders.ofKey(earlier.folder));
    const { folder, path } = begunIn ? { folder: begunIn, path: '' } : await this.#folders.ofFlow(flow);
    const { session } = folder;
    if (!paused) this.#assertRoomFor(runId);
    if (!begun) {
      const text = await session.background.call('textToStart', { path, trusted: await session.trusted() });
      await this.#store.runs.set({ run_id: runId, server: this.#server, folder: folder.key, metadata, driven: !paused });
      this.#starting.add(runId);
      try {
        await session.runs.create({ run_id: runId, flow_path: path, text, input, models });
      } catch (error) {
        await this.#store.runs.remove(runId);
        throw error;
      } finally {
        this.#starting.delete(runId);
      }
    }
    if (paused) return;
    if (begun) await this.#beginAgain(runId, session);
    else await this.#order.run(runId, () => session.runs.begin(runId));
  }

  /** Drives a new run that is found again, unless it was taken up meanwhile. */
  #beginAgain(runId: string, { runs }: FolderSession): Promise<void> {
    return this.#order.run(runId, async () => {
      const { seq, status } = await runs.summary(runId);
      if (seq > 0 || status !== 'paused') return;
      await this.#mark(runId, true);
      await runs.continue(runId).catch((error: unknown) => {
        // A server that starts again takes up the runs that were left, this one perhaps at the same moment.
        if (!(error instanceof FlowError && error.variant === 'Conflict')) throw error;
      });
    });
  }

  /** Returns a run once it rests, or as it is after `seconds`. */
  async settled(runId: string, seconds: number): Promise<ServedRunDetail> {
    const { session } = await this.#folders.ofRun(runId);
    const over = AbortSignal.timeout(seconds * 1000);
    let news = Promise.withResolvers<void>();
    const tell = () => news.resolve();
    const watcher = ({ run_id }: RunSummary) => void (run_id === runId && tell());
    over.addEventListener('abort', tell);
    this.#watchers.add(watcher);
    try {
      while (!over.aborted) {
        news = Promise.withResolvers();
        const { status } = await session.runs.summary(runId);
        // A run that leaves the queue is recorded as paused until its thread begins.
        const isBeginning = status === 'paused' && session.runs.drives(runId);
        if (resting.has(status) && !isBeginning) break;
        await (isBeginning ? wait(briefly) : news.promise);
      }
      return await this.get(runId);
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  /** Newest first. */
  async list({ limit, page_token, flow, status }: ListRequest): Promise<{ data: ServedRun[]; next_page_token: string | null }> {
    const filter = ['runs', flow ?? null, status ?? null];
    let before = readPageToken(filter, page_token) as Place | null;
    const data: ServedRun[] = [];
    for (;;) {
      const page = await this.#page(limit + 1, before, flow);
      for (const { summary, nameOf } of page) {
        if (status !== undefined && summary.status !== status) continue;
        if (data.length === limit) {
          // `before` is the last run that was taken.
          return { data, next_page_token: writePageToken(filter, before) };
        }
        data.push(servedRun(summary, nameOf));
        before = { created_at: summary.created_at, run_id: summary.run_id };
      }
      const last = page.at(-1);
      if (page.length <= limit || !last) return { data, next_page_token: null };
      before = { created_at: last.summary.created_at, run_id: last.summary.run_id };
    }
  }

  /** The newest runs as their folders have them. */
  latest(limit: number): Promise<Listed[]> {
    return this.#page(limit, null, undefined);
  }

  /** The next runs of all folders and deployed flows. */
  async #page(limit: number, before: Place | null, flow: string | undefined): Promise<Listed[]> {
    const wanted = flow === undefined ? null : nameAndVersion(flow);
    const isPath = flow !== undefined && !wanted;
    const pages = await Promise.all([
      wanted ? [] : this.#offeredPage(limit, before, flow),
      isPath ? [] : this.#deployedPage(limit, before, wanted),
    ]);
    return pages
      .flat()
      .sort(({ summary: one }, { summary: other }) => other.created_at - one.created_at || (other.run_id < one.run_id ? -1 : 1))
      .slice(0, limit);
  }

  async #offeredPage(limit: number, before: Place | null, flow: string | undefined): Promise<Listed[]> {
    const wanted = flow === undefined ? null : await this.#folders.ofFlow(flow);
    const folders = wanted ? [wanted.folder] : this.#folders.offered;
    const pages = await Promise.all(
      folders.map(async ({ session, nameOf }) => {
        const rows = await session.runs.list({ limit, ...(before && { before }), ...(wanted && { flow_path: wanted.path }) });
        return rows.map((summary) => ({ summary, nameOf }));
      }),
    );
    return pages.flat();
  }

  async #deployedPage(limit: number, before: Place | null, flow: NamedVersion | null): Promise<Listed[]> {
    const key = flow && `flow:${flow.name}@${flow.version ?? ''}`;
    const rows = await this.#store.runs.deployed(limit, before?.run_id ?? null, key ?? undefined);
    const listed = await Promise.all(rows.map((row) => this.#deployedSummary(row)));
    return listed.filter((each) => each !== null);
  }

  /** Null for a run that was noted, but not begun. */
  async #deployedSummary({ run_id: runId, folder: key }: ServedRunRow): Promise<Listed | null> {
    const folder = await this.#folders.ofKey(key);
    const summary = await folder?.session.runs.summary(runId).catch((error: unknown) => {
      if (error instanceof FlowError && error.variant === 'NotFound') return null;
      throw error;
    });
    return folder && summary ? { summary, nameOf: folder.nameOf } : null;
  }

  /** Throws `NotFound`. */
  async get(runId: string): Promise<ServedRunDetail> {
    const folder = await this.#folders.ofRun(runId);
    const known = await this.#store.runs.get(runId);
    return servedDetail(await folder.session.runs.detail(runId), folder.nameOf, known?.metadata ?? {});
  }

  /** Number of the run's last record. */
  async seqOf(runId: string): Promise<number> {
    return (await this.#summary(runId)).seq;
  }

  /** Throws `NotFound`. */
  async #summary(runId: string): Promise<RunSummary> {
    return (await this.#folders.ofRun(runId)).session.runs.summary(runId);
  }

  step(runId: string, mode: 'into' | 'over' | 'out', afterSeq?: number): Promise<ServedRunDetail> {
    return this.#perform(runId, afterSeq, async ({ session }) => {
      await session.runs.step(runId, mode);
      return this.get(runId);
    });
  }

  continue(runId: string, maxSteps?: number, afterSeq?: number): Promise<ServedRun> {
    return this.#perform(runId, afterSeq, async ({ session, key, nameOf }) => {
      // A run that is limited to some steps ends its drive with them, also after a restart.
      await (maxSteps === undefined ? this.#drive(runId, key) : this.#mark(runId, false));
      return servedRun(await session.runs.continue(runId, undefined, maxSteps), nameOf);
    });
  }

  /** Answers what waits. */
  answer(runId: string, answer: AnswerRequest, afterSeq?: number): Promise<ServedRunDetail> {
    return this.#perform(runId, afterSeq, async ({ session, key }) => {
      if (answer.then_continue) await this.#drive(runId, key);
      await session.runs.resume({ run_id: runId, ...answer });
      return this.get(runId);
    });
  }

  /** What waits with this id; null if nothing does. */
  async waiting(runId: string, toolCallId: string): Promise<RunSummary['suspensions'][number] | null> {
    const { session } = await this.#folders.ofRun(runId);
    const { suspensions } = await session.background.call('summary', { run_id: runId });
    return suspensions.find(({ tool_call_id }) => tool_call_id === toolCallId) ?? null;
  }

  async pause(runId: string): Promise<ServedRun> {
    const { session, nameOf } = await this.#folders.ofRun(runId);
    await this.#mark(runId, false);
    const summary = await session.runs.pause(runId);
    // Another process drives it.
    if (summary.status === 'running' && !session.runs.drives(runId)) await this.#store.runs.askToPause(runId);
    return servedRun(summary, nameOf);
  }

  async cancel(runId: string): Promise<ServedRun> {
    const { session, nameOf } = await this.#folders.ofRun(runId);
    await this.#mark(runId, false);
    const { status } = await session.runs.summary(runId);
    if (status !== 'running' || session.runs.drives(runId)) return servedRun(await session.runs.stop(runId), nameOf);
    // Another process drives it.
    await session.background.call('requestCancel', { run_id: runId });
    return servedRun(await session.runs.summary(runId), nameOf);
  }

  /** Throws `Conflict` for a run that is being driven. */
  remove(runId: string): Promise<void> {
    return this.#perform(runId, undefined, async ({ session }) => {
      const { status } = await session.background.call('summary', { run_id: runId });
      if (!resting.has(status))
        throw new FlowError('Conflict', `Run ${runId} is running. Cancel it first.`, { details: { run_id: runId } });
      await session.runs.remove(runId);
      await this.#store.runs.remove(runId);
      await this.#folders.deployed.removeFolderOfRun(runId);
    });
  }

  async steps(runId: string, from: number, limit: number): Promise<{ data: ServedStep[]; total: number }> {
    const { entries, total } = await (await this.#reading(runId)).call('timeline', { run_id: runId, from, limit });
    return { data: entries.map(servedStep), total };
  }

  async stateAt(runId: string, seq: number) {
    return (await this.#reading(runId)).call('stateAt', { run_id: runId, seq });
  }

  async conversation(runId: string, node: string, seq?: number) {
    return (await this.#reading(runId)).call('conversation', { run_id: runId, node, seq });
  }

  /** Events of consecutive records. */
  async recordedEvents(runId: string, after: number) {
    return (await this.#reading(runId)).call('events', { run_id: runId, after });
  }

  async fork(request: ForkRequest): Promise<ServedRunDetail> {
    const { session, key } = await this.#folders.ofRun(request.run_id);
    const { run_id } = await session.background.call('fork', request);
    await this.#store.runs.set({ run_id, server: this.#server, folder: key, metadata: {}, driven: false });
    await session.runs.announce(run_id);
    return this.get(run_id);
  }

  async replay(runId: string, flow: 'recorded' | 'current') {
    return (await this.#reading(runId)).call('replay', { run_id: runId, flow });
  }

  /** Both runs must be in one folder; otherwise throws `NotFound` for the other. */
  async compare(runId: string, otherId: string, from: number, limit: number) {
    return (await this.#reading(runId)).call('compare', { run_id: runId, other_run_id: otherId, from, limit });
  }

  async capsule(runId: string) {
    return (await this.#reading(runId)).call('exportCapsule', { run_id: runId, redact: { places: [], texts: [] } });
  }

  /** Streams a run's events after a record, then live. Throws `NotFound`. */
  async events(runId: string, afterSeq: number, signal: AbortSignal) {
    const { session } = await this.#folders.ofRun(runId);
    return session.runs.events(runId, afterSeq, signal, { followOthers: true });
  }

  /** Streams runs from now on as they change, those that other processes drive included. */
  async *changes(signal: AbortSignal): AsyncGenerator<ServedRun> {
    for await (const { summary, nameOf } of this.summaries(signal)) yield servedRun(summary, nameOf);
  }

  /** The same runs as their folders have them, each with what names its flow. */
  async *summaries(signal: AbortSignal): AsyncGenerator<Listed> {
    const feed = new Feed<Listed>();
    const read = feed.read(
      signal,
      latestBy(({ summary }) => summary.run_id),
    );
    const follow = async ({ session, nameOf }: ServedFolder) => {
      for await (const summary of await session.runs.changes(signal)) feed.publish({ summary, nameOf });
    };
    // When a folder closes, readers connect again.
    const following = (folder: ServedFolder) =>
      void follow(folder)
        .catch(() => undefined)
        .finally(() => feed.end());
    const stop = this.#folders.onOpened(following);
    signal.addEventListener('abort', stop, { once: true });
    for (const folder of await this.#folders.opened()) following(folder);
    yield* read;
  }

  /** Drives on the runs that were being driven when an earlier process ended. Returns their number. */
  async takeUp(): Promise<number> {
    const left = await this.#store.runs.driven(this.#server);
    for (const { run_id: runId } of left) this.#driveOn(runId);
    return left.length;
  }

  #driveOn(runId: string): void {
    void this.continue(runId)
      .catch((error: unknown) => {
        // Another server has taken it, or the database does not answer. Any other run that can't continue says so itself, or waits for an answer.
        const elsewhere = error instanceof FlowError && ['Conflict', 'SnapStoreError'].includes(error.variant);
        if (!elsewhere) return this.#mark(runId, false);
      })
      .catch(() => undefined);
  }

  /**
   * Drives on the runs of servers that have been silent for `seconds`, and those that this one lost to a failure of the database. Looks for such runs three
   * times in these seconds, until the server stops.
   */
  async lookAfter(seconds: number): Promise<void> {
    const look = async () => {
      await this.#store.runs.takeOver(this.#server, seconds);
      for (const row of await this.#store.runs.driven(this.#server)) if (await this.#isLeft(row)) this.#driveOn(row.run_id);
    };
    await look();
    this.#repeat((seconds * 1000) / 3, look);
    this.#repeat(wishInterval, () => this.#pauseAsAsked());
  }

  /** Acts at an interval in milliseconds, until the server stops. While the database is away, the next time may find it. */
  #repeat(milliseconds: number, act: () => Promise<void>): void {
    const { signal } = this.#looks;
    const turn = async () => {
      await act().catch(() => undefined);
      if (!signal.aborted) later();
    };
    const later = () => {
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        void turn();
      }, milliseconds);
      const stop = () => clearTimeout(timer);
      signal.addEventListener('abort', stop, { once: true });
    };
    later();
  }

  /** Pauses the runs that this process drives and others were asked to pause. */
  async #pauseAsAsked(): Promise<void> {
    if (this.#busy.size === 0) return;
    const asked = await this.#store.runs.toPause();
    for (const runId of asked.filter((id) => this.#busy.has(id))) {
      const { session } = await this.#folders.ofRun(runId);
      if (!session.runs.drives(runId)) continue;
      await session.runs.pause(runId);
      await this.#mark(runId, false);
    }
  }

  /** Whether a run is to be driven on, and no process does. */
  async #isLeft({ run_id: runId, folder: key }: ServedRunRow): Promise<boolean> {
    const folder = await this.#folders.ofKey(key);
    if (!folder || folder.session.runs.drives(runId)) return false;
    const summary = await folder.session.runs.summary(runId).catch(() => null);
    return summary?.status === 'paused';
  }

  /** Pauses the runs that are driven after their steps in progress, for the next process to take up. Waits for them for `seconds` at most. */
  async stop(seconds: number): Promise<void> {
    this.#stopping = true;
    this.#looks.abort();
    const driven = await this.#store.runs.driven(this.#server);
    await Promise.all(
      driven.map(async ({ run_id: runId }) => {
        const { session } = await this.#folders.ofRun(runId);
        await session.runs.pause(runId);
        await this.settled(runId, seconds);
      }),
    );
  }

  /** Throws `LimitExceeded` if as many runs are driven as this process takes. */
  #assertRoomFor(runId: string): void {
    if (this.#busy.size < this.#runLimit || this.#busy.has(runId)) return;
    const limit = this.#runLimit.toLocaleString('en');
    throw new FlowError(
      'LimitExceeded',
      `This server drives ${limit} runs at once, and has no room for another one now. Try again in a moment.`,
      {
        code: tooManyRuns,
        retryable: true,
      },
    );
  }

  /** Notes whether a run is to be driven on, after what was noted of it before: a store with several connections may swap two statements. */
  #mark(runId: string, driven: boolean): Promise<void> {
    return this.#marks.run(runId, () => this.#store.runs.setDriven(runId, driven));
  }

  async #drive(runId: string, folder: string): Promise<void> {
    this.#assertRoomFor(runId);
    await this.#marks.run(runId, async () => {
      const known = await this.#store.runs.get(runId);
      await this.#store.runs.set({ metadata: {}, ...known, run_id: runId, server: this.#server, folder, driven: true });
    });
  }

  async #reading(runId: string): Promise<Background> {
    return (await this.#folders.ofRun(runId)).session.background;
  }

  /** Performs a request after those that came before it. Throws `Conflict` if the run has moved on from what the caller saw. */
  #perform<Result>(runId: string, afterSeq: number | undefined, action: (folder: ServedFolder) => Promise<Result>): Promise<Result> {
    return this.#order.run(runId, async () => {
      const folder = await this.#folders.ofRun(runId);
      if (afterSeq !== undefined) {
        const { seq } = await folder.session.background.call('summary', { run_id: runId });
        if (seq !== afterSeq)
          throw new FlowError('Conflict', `Run ${runId} is at record ${seq}, not ${afterSeq}. Read it again.`, {
            details: { run_id: runId, seq, after_seq: afterSeq },
          });
      }
      return action(folder);
    });
  }
}
