import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { RPCHandler } from '@orpc/server/fetch';
import type { RunService } from '#main/server/run-service.ts';
import type { ServedFolder, ServedFolders } from '#main/server/served-folders.ts';
import { debugRouter } from '#main/services/debug.ts';
import { type CallContext, studio } from '#main/services/implementer.ts';
import { runsRouter } from '#main/services/runs.ts';
import type { TokenRow } from '#main/store/server-store.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import { attachedPath } from '#shared/contract/servers.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import { assertScope } from './access.ts';
import { problemOf, RequestProblem } from './problems.ts';
import { parseBody, readBody } from './request-body.ts';

/** What an attached studio may do. It runs no flows of its own here, and restores no files. */
const scopes: ReadonlyMap<string, Scope> = new Map([
  ...scopeOf('read', 'runs', [
    ...['list', 'watch', 'get', 'timeline', 'stateAt', 'frames', 'conversation', 'turns', 'preview', 'events'],
    ...['iterations', 'folds', 'rounds', 'findRound', 'iteration', 'findIteration', 'ranBetween', 'lastInside', 'readAnswerDraft'],
    ...['forkCheck', 'sources', 'replay', 'compare', 'compareStep', 'capsulePreview', 'exportCapsule'],
  ]),
  ...scopeOf('read', 'debug', ['evaluate', 'lineage', 'find', 'writesAround', 'plot']),
  ...scopeOf('run', 'runs', ['step', 'continue', 'pause', 'stop', 'resume', 'fork', 'remove', 'saveAnswerDraft']),
]);

function scopeOf(scope: Scope, part: string, names: readonly string[]): (readonly [string, Scope])[] {
  return names.map((name) => [`${part}/${name}`, scope]);
}

type Handler = RPCHandler<CallContext>;

export interface AttachedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly token: TokenRow;
}

/**
 * The calls of studios that are attached to this server, in the studio's own contract: their timelines, canvases and panels work on a run here as
 * on one of their own. A call about a run goes to the folder of the run.
 */
export class AttachedStudio {
  readonly #folders: ServedFolders;
  readonly #runs: RunService;
  readonly #ofFolder = new Map<ServedFolder, Handler>();
  readonly #ofAll: Handler;
  /** Answers under way, each with the token that asked. */
  readonly #open = new Map<ServerResponse, string>();

  constructor(folders: ServedFolders, runs: RunService) {
    this.#folders = folders;
    this.#runs = runs;
    this.#ofAll = new RPCHandler({ runs: allRuns(runs) });
  }

  /** Ids of the tokens with answers under way. */
  get tokenIds(): Iterable<string> {
    return this.#open.values();
  }

  /** Ends the streams of a revoked token. */
  revoke(tokenId: string): void {
    for (const [response, id] of this.#open) if (id === tokenId) response.destroy();
  }

  /** Ends all streams. */
  close(): void {
    for (const response of this.#open.keys()) response.destroy();
  }

  /** Answers a call. */
  async answer(asked: AttachedRequest): Promise<void> {
    try {
      await this.#answer(asked);
    } catch (thrown) {
      sendFailure(asked.response, thrown);
    }
  }

  async #answer({ request, response, url, token }: AttachedRequest): Promise<void> {
    const name = url.pathname.slice(attachedPath.length + 1);
    const scope = scopes.get(name);
    if (request.method !== 'POST' || scope === undefined)
      throw new RequestProblem(404, 'NOT_FOUND', `A studio can't do “${name}” on a server. Update the one that is older.`);
    assertScope(token, scope);
    const text = String(await readBody(request, false));
    const input = inputOf(parseBody(text));
    if (name === 'runs/resume') await this.#assertMayAnswer(token, input);
    const handler = typeof input.run_id === 'string' ? this.#handlerOf(await this.#folders.ofRun(input.run_id)) : this.#ofAll;
    const abort = new AbortController();
    this.#open.set(response, token.id);
    response.once('close', () => {
      this.#open.delete(response);
      abort.abort();
    });
    const call = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text, signal: abort.signal });
    const { response: answer } = await handler.handle(call, { prefix: attachedPath, context: { drained: () => Promise.resolve() } });
    if (!answer) throw new RequestProblem(404, 'NOT_FOUND', `“${name}” needs a run.`);
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'cache-control': 'no-store' });
    if (!answer.body) return void response.end();
    const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
    body.on('error', () => response.destroy());
    response.once('close', () => body.destroy());
    body.pipe(response);
  }

  /** Who may run a flow does not thereby decide what it may do. */
  async #assertMayAnswer(token: TokenRow, { run_id, tool_call_id }: JsonObject): Promise<void> {
    const waiting = await this.#runs.waiting(String(run_id), String(tool_call_id));
    if (waiting?.reason === 'approval' || waiting?.reason === 'unknown_outcome') assertScope(token, 'approve');
  }

  #handlerOf(folder: ServedFolder): Handler {
    const known = this.#ofFolder.get(folder);
    if (known) return known;
    const handler: Handler = new RPCHandler(folderRouter(folder, this.#runs));
    this.#ofFolder.set(folder, handler);
    return handler;
  }
}

/** Calls about all runs of the server. */
function allRuns(runs: RunService) {
  return {
    list: studio.runs.list.handler(async ({ input: { limit, flow_path } }) => {
      const listed = await runs.latest(limit);
      return listed.map(({ summary }) => summary).filter((summary) => flow_path === undefined || summary.flow_path === flow_path);
    }),
    watch: studio.runs.watch.handler(async function* ({ signal = new AbortController().signal }) {
      for await (const { summary } of runs.summaries(signal)) yield summary;
    }),
  };
}

/** The studio's calls about the runs of one folder. What drives a run goes through the server's service, which takes it up after a restart. */
function folderRouter({ session }: ServedFolder, served: RunService) {
  const current = { required: async () => session };
  const { runs } = session;
  return {
    debug: debugRouter(current),
    runs: {
      ...runsRouter(current),
      step: studio.runs.step.handler(async ({ input: { run_id, mode } }) => {
        await served.step(run_id, mode);
        return runs.detail(run_id);
      }),
      continue: studio.runs.continue.handler(async ({ input: { run_id, until } }) => {
        if (until) return runs.continue(run_id, until);
        await served.continue(run_id);
        return runs.detail(run_id);
      }),
      pause: studio.runs.pause.handler(async ({ input: { run_id } }) => {
        await served.pause(run_id);
        return runs.detail(run_id);
      }),
      stop: studio.runs.stop.handler(async ({ input: { run_id } }) => {
        await served.cancel(run_id);
        return runs.detail(run_id);
      }),
      resume: studio.runs.resume.handler(async ({ input: { run_id, ...answer } }) => {
        await served.answer(run_id, answer);
        await session.background.call('discardAnswerDraft', { run_id, tool_call_id: answer.tool_call_id });
        return runs.detail(run_id);
      }),
      fork: studio.runs.fork.handler(async ({ input }) => ({ run_id: (await served.fork(input)).run_id })),
      remove: studio.runs.remove.handler(async ({ input: { run_id } }) => {
        await served.remove(run_id);
        return {};
      }),
    },
  };
}

/** Answers a refused call in the form that the studio's client reads. */
function sendFailure(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, error } = problemOf(thrown, '');
  const data = toTransferable(new FlowError('Invalid', error.message, { code: error.code, details: error.details as JsonObject }));
  const failed = { defined: true, code: 'FAILED', status, message: error.message, data: 'variant' in error ? error : data };
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ json: failed, meta: [] }));
}

/** The input of a call, as the studio's client encodes it. */
function inputOf(body: unknown): JsonObject {
  const { json } = isJsonObject(body as Json) ? (body as JsonObject) : {};
  return json !== undefined && isJsonObject(json) ? json : {};
}
