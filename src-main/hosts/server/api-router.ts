import { implement, ORPCError } from '@orpc/server';
import type { FlowService } from '#main/server/flow-service.ts';
import { readPageToken, writePageToken } from '#main/server/page-token.ts';
import type { RunService } from '#main/server/run-service.ts';
import type { ServedFolders } from '#main/server/served-folders.ts';
import type { TokenService } from '#main/server/token-service.ts';
import type { TokenRow } from '#main/store/server-store.ts';
import { version } from '#main/version.ts';
import { timeText } from '#shared/contract/server/common.ts';
import { serverContract } from '#shared/contract/server/index.ts';
import type { Token } from '#shared/contract/server/tokens.ts';
import { assertScope } from './access.ts';
import { problemOf, RequestProblem } from './problems.ts';
import type { Intent } from './repeated-requests.ts';

export interface ServerServices {
  readonly flows: FlowService;
  readonly runs: RunService;
  readonly tokens: TokenService;
  readonly folders: ServedFolders;
}

/** What a request brings along. */
export interface RequestContext {
  readonly token: TokenRow;
  readonly requestId: string;
  readonly intent: Intent;
  /** The active version of the flow in question, as the caller's `If-Match` has it. */
  readonly expected?: number | undefined;
}

const server = implement(serverContract)
  .$context<RequestContext>()
  .use(async ({ context, procedure, next }) => {
    try {
      assertScope(context.token, procedure['~orpc'].meta.scope);
      return await next();
    } catch (thrown) {
      const problem = problemOf(thrown, context.requestId);
      throw new ORPCError('PROBLEM', { status: problem.status, data: problem, cause: thrown });
    }
  });

const body = <Value>(value: Value) => ({ status: 200, body: value }) as const;
const withStatus = <Status extends 201 | 202, Value>(status: Status, value: Value) => ({ status, body: value }) as const;
const removed = { status: 204 } as const;

/** The handlers of `serverContract`. */
export function apiRouter({ flows, runs, tokens, folders }: ServerServices) {
  return server.router({
    server: {
      info: server.server.info.handler(async () =>
        body({
          version,
          backend: 'process',
          folders: folders.offered.map(({ prefix }) => prefix),
          running: (await runs.list({ limit: 200, status: 'running' })).data.length,
        }),
      ),
      me: server.server.me.handler(({ context: { token } }) => body({ token_id: token.id, name: token.name, scopes: [...token.scopes] })),
    },
    flows: {
      list: server.flows.list.handler(async ({ input: { query } }) => body(await flows.list(query.limit, query.page_token))),
      get: server.flows.get.handler(async ({ input: { params } }) => body(await flows.get(params.name))),
      deploy: server.flows.deploy.handler(async ({ input: { query, body: bundle } }) => {
        const { name, dry_run, allow_unsound } = query;
        const packed = new Uint8Array(await bundle.arrayBuffer());
        const deploying = { name, dryRun: dry_run === 'true', allowUnsound: allow_unsound === 'true' };
        const { deployment, created } = await flows.deploy(packed, deploying);
        return created ? withStatus(201, deployment) : body(deployment);
      }),
      versions: server.flows.versions.handler(async ({ input: { params } }) => body({ data: await flows.versions(params.name) })),
      activate: server.flows.activate.handler(async ({ input: { params, body: request }, context: { expected } }) =>
        body(await flows.activate(params.name, request.version, expected)),
      ),
      remove: server.flows.remove.handler(async ({ input: { params }, context: { expected } }) => {
        await flows.remove(params.name, expected);
        return removed;
      }),
    },
    tokens: {
      list: server.tokens.list.handler(async ({ input: { query } }) => {
        const rows = await tokens.list(query.limit + 1, readPageToken('tokens', query.page_token) as string | null);
        const data = rows.slice(0, query.limit);
        return body({
          data: data.map(tokenForm),
          next_page_token: rows.length > query.limit ? writePageToken('tokens', data.at(-1)?.id ?? '') : null,
        });
      }),
      create: server.tokens.create.handler(async ({ input, context }) => {
        await assertKnownOutcome(context.intent);
        const { name, scopes, expires_at } = input.body;
        const { row, text } = await tokens.create({ name, scopes, expires_at: expires_at === undefined ? null : Date.parse(expires_at) });
        return withStatus(201, { ...tokenForm(row), token: text });
      }),
      revoke: server.tokens.revoke.handler(async ({ input }) => {
        await tokens.revoke(input.params.id);
        return removed;
      }),
    },
    runs: {
      start: server.runs.start.handler(async ({ input, context: { intent } }) => {
        const runId = typeof intent.earlier?.run_id === 'string' ? intent.earlier.run_id : runs.newRunId();
        await intent.note({ run_id: runId });
        await runs.start(runId, input.body);
        const seconds = input.query?.wait;
        const run = await (seconds === undefined || input.body.paused ? runs.get(runId) : runs.settled(runId, seconds));
        return { status: 201, headers: { location: `/v1/runs/${runId}` }, body: run } as const;
      }),
      list: server.runs.list.handler(async ({ input }) => body(await runs.list(input.query))),
      get: server.runs.get.handler(async ({ input }) => body(await runs.get(input.params.run_id))),
      remove: server.runs.remove.handler(async ({ input }) => {
        await runs.remove(input.params.run_id);
        return removed;
      }),
      steps: server.runs.steps.handler(async ({ input: { params, query } }) =>
        body(await runs.steps(params.run_id, query.from, query.limit)),
      ),
      stateAt: server.runs.stateAt.handler(async ({ input: { params } }) => body(await runs.stateAt(params.run_id, params.seq))),
      conversation: server.runs.conversation.handler(async ({ input: { params, query } }) =>
        body({ data: await runs.conversation(params.run_id, query.node, query.seq) }),
      ),
      events: server.runs.events.handler(async ({ input: { params, query } }) => {
        const { events, next } = await runs.recordedEvents(params.run_id, query.after_seq);
        return body({ data: [...events], next_after_seq: next });
      }),
      step: server.runs.step.handler(async ({ input: { params, body: request }, context: { intent } }) => {
        if (await hasMoved(runs, params.run_id, intent)) return body(await runs.get(params.run_id));
        return body(await runs.step(params.run_id, request?.mode ?? 'into', request?.after_seq));
      }),
      continue: server.runs.continue.handler(async ({ input: { params, body: request }, context: { intent } }) => {
        if (await hasMoved(runs, params.run_id, intent)) return withStatus(202, await runs.get(params.run_id));
        return withStatus(202, await runs.continue(params.run_id, request?.max_steps, request?.after_seq));
      }),
      pause: server.runs.pause.handler(async ({ input }) => withStatus(202, await runs.pause(input.params.run_id))),
      cancel: server.runs.cancel.handler(async ({ input }) => withStatus(202, await runs.cancel(input.params.run_id))),
      resume: server.runs.resume.handler(async ({ input: { params, body: request }, context: { token, intent } }) => {
        const waiting = await runs.waiting(params.run_id, request.tool_call_id);
        // Who may run a flow does not thereby decide what it may do.
        if (waiting?.reason === 'approval' || waiting?.reason === 'unknown_outcome') assertScope(token, 'approve');
        if (intent.repeated && !waiting) return body(await runs.get(params.run_id));
        const { after_seq, ...answer } = request;
        return body(await runs.answer(params.run_id, answer, after_seq));
      }),
      fork: server.runs.fork.handler(async ({ input: { params, body: request }, context: { intent } }) => {
        await assertKnownOutcome(intent);
        return withStatus(201, await runs.fork({ ...request, run_id: params.run_id }));
      }),
      replay: server.runs.replay.handler(async ({ input: { params, body: request } }) =>
        body(await runs.replay(params.run_id, request?.flow ?? 'recorded')),
      ),
      compare: server.runs.compare.handler(async ({ input: { params, query } }) =>
        body(await runs.compare(params.run_id, params.other_run_id, query.from, query.limit)),
      ),
      capsule: server.runs.capsule.handler(async ({ input }) => body(await runs.capsule(input.params.run_id))),
    },
  });
}

function tokenForm({ id, name, scopes, created_at, expires_at }: TokenRow): Token {
  return {
    id,
    name,
    scopes: [...scopes],
    created_at: timeText(created_at),
    expires_at: expires_at === null ? null : timeText(expires_at),
  };
}

/** Whether an earlier try of this request, whose process died, has moved the run. Else notes where the run is. */
async function hasMoved(runs: RunService, runId: string, intent: Intent): Promise<boolean> {
  const seq = await runs.seqOf(runId);
  if (typeof intent.earlier?.seq === 'number' && intent.earlier.seq < seq) return true;
  await intent.note({ seq });
  return false;
}

/** Throws `RequestProblem` for a repeated request if it is unknown whether the first try was performed. */
async function assertKnownOutcome(intent: Intent): Promise<void> {
  if (intent.earlier)
    throw new RequestProblem(
      409,
      'OUTCOME_UNKNOWN',
      'The server ended while it performed this request. Look whether it was done; if not, send it with a new Idempotency-Key.',
    );
  await intent.note({});
}
