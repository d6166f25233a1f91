import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { FlowService } from '#main/server/flow-service.ts';
import type { RunService } from '#main/server/run-service.ts';
import { version } from '#main/version.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import type { ServedRun, ServedRunDetail } from '#shared/contract/server/runs.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import { formOf } from './elicitation.ts';
import { type FlowTool, flowTools } from './flow-tools.ts';
import { readRunResource, runResources, runTemplates } from './run-resources.ts';

export interface McpServerOptions {
  readonly flows: FlowService;
  readonly runs: RunService;
  /** Flows that are offered, by their names; empty: all that have no errors. */
  readonly named: readonly string[];
  /** What the client may do; see `Scope`. Default: everything. */
  readonly scopes?: readonly Scope[];
}

type Question = ServedRun['suspensions'][number];

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** How long a run is waited for at a time, in seconds. */
const waitSeconds = 3600;

const resumeName = 'pravah_resume';

/** Answers what a run waits for, for clients that cannot ask a person themselves. */
const resumeTool: Tool = {
  name: resumeName,
  title: 'Answer a waiting run',
  description: 'Answers what a run of a flow waits for, and returns the run’s output or its next question. Ask the user first.',
  inputSchema: {
    type: 'object',
    properties: {
      run_id: { type: 'string' },
      tool_call_id: { type: 'string', description: 'Of the question, from the result that said that the run waits.' },
      payload: { description: 'The answer, by the schema of the question.' },
    },
    required: ['run_id', 'tool_call_id', 'payload'],
  },
  annotations: { title: 'Answer a waiting run', readOnlyHint: false },
};

/** Offers flows as tools of MCP. A call is a run: it is in the folder's journal like any other. */
export function mcpServer({ flows, runs, named, scopes }: McpServerOptions): Server {
  const server = new Server({ name: 'pravah', title: 'Pravah', version }, { capabilities: { tools: {}, resources: {} } });
  const may = (scope: Scope): boolean => scopes?.includes(scope) ?? true;
  const assertMay = (scope: Scope): void => {
    if (!may(scope)) throw new FlowError('Invalid', `The token does not have the scope “${scope}”.`, { details: { scope } });
  };
  // Who may run a flow does not thereby decide what it may do.
  const scopeOf = ({ reason }: Pick<Question, 'reason'>): Scope =>
    reason === 'approval' || reason === 'unknown_outcome' ? 'approve' : 'run';
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: await runResources(runs) }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: [...runTemplates] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => readRunResource(runs, uri));
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...(await flowTools(flows, named)).map(({ tool }) => tool), resumeTool],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, extra): Promise<CallToolResult> => {
    try {
      assertMay('run');
      if (name === resumeName) return await resume(input as JsonObject, extra);
      const tool = (await flowTools(flows, named)).find((each) => each.tool.name === name);
      if (!tool) throw new FlowError('NotFound', `There is no tool ${name}.`);
      return await call(tool, input as JsonObject, extra);
    } catch (error) {
      const { message, code } = toTransferable(error);
      return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] };
    }
  });

  async function call(tool: FlowTool, input: JsonObject, extra: Extra): Promise<CallToolResult> {
    const runId = runs.newRunId();
    const body = { flow: tool.flow, input: tool.wrapsInput ? (input.input ?? null) : input, paused: true, metadata: {} };
    await runs.start(runId, body);
    const ended = new AbortController();
    void report(runId, extra, ended.signal).catch(() => undefined);
    try {
      await runs.continue(runId);
      return resultOf(await settle(runId, extra), tool);
    } finally {
      ended.abort();
    }
  }

  async function resume(input: JsonObject, extra: Extra): Promise<CallToolResult> {
    const runId = String(input.run_id);
    const waiting = await runs.waiting(runId, String(input.tool_call_id));
    if (!waiting) throw new FlowError('UnexpectedResumption', `Run ${runId} does not wait for ${String(input.tool_call_id)}.`);
    assertMay(scopeOf(waiting));
    await answer(runId, waiting, input.payload ?? null);
    const run = await settle(runId, extra);
    const tool = (await flowTools(flows, named)).find(({ flow }) => flow === run.flow);
    return resultOf(run, tool ?? null);
  }

  /** Waits until a run rests, and asks the user what it asks, if the client can. Cancelling the call cancels the run. */
  async function settle(runId: string, { signal }: Extra): Promise<ServedRunDetail> {
    const cancel = () => void runs.cancel(runId).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const run = await runs.settled(runId, waitSeconds);
        const [question] = run.suspensions;
        if (run.status !== 'suspended' || !question || !server.getClientCapabilities()?.elicitation || !may(scopeOf(question))) return run;
        const form = formOf(question);
        const { action, content } = await server.elicitInput(form.params, { signal, timeout: waitSeconds * 1000 });
        if (action !== 'accept') return run;
        await answer(runId, question, form.payloadOf((content ?? {}) as JsonObject));
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async function answer(runId: string, { tool_id, tool_call_id }: { tool_id: string; tool_call_id: string }, payload: Json): Promise<void> {
    await runs.answer(runId, { tool_id, tool_call_id, payload, then_continue: true });
  }

  /** Notifies the client of each step until `ended`, if it asked for that. */
  async function report(runId: string, { _meta, sendNotification, signal }: Extra, ended: AbortSignal): Promise<void> {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    for await (const event of await runs.events(runId, 0, AbortSignal.any([signal, ended]))) {
      if (event.type === 'node_exit')
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: event.seq, message: event.node } });
    }
  }

  return server;
}

/** What a client is told of a run that rests. */
function resultOf({ run_id, status, output, error, suspensions }: ServedRunDetail, tool: FlowTool | null): CallToolResult {
  if (status === 'success') {
    const structuredContent = (tool?.wrapsOutput ?? true) ? { output } : (output as JsonObject);
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(output) }], _meta: { run_id } };
  }
  if (status === 'suspended') {
    const [question] = suspensions;
    const waiting = {
      waiting: true,
      run_id,
      tool_call_id: question?.tool_call_id,
      question: question?.value,
      payload_schema: question?.payload_schema,
      next: `Ask the user, then call ${resumeName} with the answer as payload.`,
    };
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(waiting) }], _meta: { run_id } };
  }
  const text = error ? `${error.code}: ${error.message}` : `The run is ${status}.`;
  return { isError: true, content: [{ type: 'text', text }], _meta: { run_id } };
}
