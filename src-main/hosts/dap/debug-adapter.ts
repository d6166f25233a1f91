import { timingSafeEqual } from 'node:crypto';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { lineage } from '#main/debug/lineage.ts';
import { readableFailure } from '#main/debug/readable-failure.ts';
import type { RecordedStop } from '#main/debug/scan.ts';
import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { linesOf } from '#main/hosts/cli/output/run-output.ts';
import { closeJournals } from '#main/journal/workspace-journals.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import type { RunInspector } from '#main/runner/run-inspector.ts';
import { compareRuns } from '#main/time-travel/compare.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Stop } from '#shared/run/stop.ts';
import { capabilities, exceptionFilters } from './capabilities.ts';
import { type ClientBreakpoints as Breakpoints, ClientBreakpoints } from './client-breakpoints.ts';
import type { Adapter, Reply, SendEvent } from './connection.ts';
import type { DebuggedRun } from './debugged-run.ts';
import { mockOf, pinOf, readJson } from './pin.ts';
import { type Arguments, type Command, isCommand, readArguments } from './requests.ts';
import { RunView } from './run-view.ts';
import { attachTo, type DebugTarget, launch, type TargetOptions } from './targets.ts';
import { wantedData, wantedLines } from './wanted-breakpoints.ts';

const consoleHelp = 'answer {…}, fork, pin {…}, pin off, mock {…}, mock off, or an expression such as states.Order.total';

/** A run is one thread: nothing in it steps by itself. */
const threadId = 1;

export interface DebugAdapterOptions extends TargetOptions {
  /** What a client must know to start or open a run. */
  readonly token?: string;
}

type Handlers = { readonly [C in Command]: (args: Arguments<C>) => Promise<Reply> | Reply };

/** One debugging session of one client, which speaks the Debug Adapter Protocol. */
export class DebugAdapter implements Adapter {
  readonly #options: DebugAdapterOptions;
  readonly #send: SendEvent;
  readonly #breakpoints: Breakpoints = new ClientBreakpoints();
  #linesStartAt1 = true;
  /** Pins and mocks of this session. */
  #supplied: readonly Supplied[] = [];
  #target: DebugTarget | null = null;
  #run: DebuggedRun | null = null;
  #view: RunView | null = null;
  #stopOnEntry = false;
  /** Whether the client has disconnected. */
  #closed = false;
  /** Whether the end of the run was reported. */
  #over = false;
  /** Details of the last failure or question, for the client. */
  #exception: DebugProtocol.ExceptionInfoResponse['body'] | null = null;
  /** The launch that *Restart* repeats. */
  #launch: Arguments<'launch'> | null = null;

  constructor(options: DebugAdapterOptions, send: SendEvent) {
    this.#options = options;
    this.#send = send;
    this.#breakpoints.setFilters({ filters: exceptionFilters.filter((each) => each.default).map(({ filter }) => filter) });
  }

  async handle(command: string, args: unknown): Promise<Reply> {
    if (!isCommand(command)) throw new FlowError('Invalid', `Unknown request "${command}".`);
    const handler = this.#handlers[command] as (args: unknown) => Promise<Reply> | Reply;
    return handler(readArguments(command, args));
  }

  /** Leaves the run paused. */
  async close(): Promise<void> {
    this.#closed = true;
    const [run, target] = [this.#run, this.#target];
    this.#run = null;
    this.#target = null;
    await run?.close();
    if (target) closeJournals(target.journals);
  }

  readonly #handlers: Handlers = {
    initialize: ({ linesStartAt1 }) => {
      this.#linesStartAt1 = linesStartAt1;
      return { body: capabilities };
    },
    launch: async (args) => {
      this.#begin(args.token);
      this.#target = await launch(args, this.#options);
      this.#launch = args;
      this.#stopOnEntry = args.stopOnEntry ?? false;
      return { afterwards: () => this.#send('initialized') };
    },
    attach: async (args) => {
      this.#begin(args.token);
      this.#target = await attachTo(args, this.#options);
      this.#stopOnEntry = args.stopOnEntry ?? true;
      return { afterwards: () => this.#send('initialized') };
    },
    configurationDone: async () => {
      const target = this.#required(this.#target);
      if (this.#run) throw new FlowError('Conflict', 'The run has already begun.');
      await this.#open(target);
      return { afterwards: () => this.#goFirst() };
    },
    restart: async () => {
      if (!this.#launch) throw new FlowError('Invalid', 'Only a run that this session has started can be restarted.');
      const [run, target] = [this.#required(this.#run), this.#target];
      this.#run = null;
      await run.cancel();
      await run.close();
      this.#target = await launch(this.#launch, this.#options);
      if (target) closeJournals(target.journals);
      await this.#open(this.#target);
      return { afterwards: () => this.#goFirst() };
    },
    terminate: async () => {
      const run = this.#required(this.#run);
      await run.cancel();
      return { afterwards: () => this.#end(exitCodes.cancelled) };
    },
    disconnect: async (args) => {
      if (args?.terminateDebuggee) await this.#run?.cancel();
      await this.close();
      return {};
    },
    threads: () => ({ body: { threads: [{ id: threadId, name: this.#view?.name ?? 'run' }] } }),

    setBreakpoints: async (args) => {
      const { graph, sources } = this.#required(this.#target);
      const { list, wanted } = await wantedLines(args, sources, this.#linesStartAt1);
      return this.#placed(this.#breakpoints.replace(list, 'breakpoint', graph, wanted));
    },
    setFunctionBreakpoints: (args) => {
      const { graph, flow_path } = this.#required(this.#target);
      return this.#placed(this.#breakpoints.replaceFunctions(args, flow_path, graph));
    },
    setDataBreakpoints: (args) => {
      const { graph } = this.#required(this.#target);
      return this.#placed(this.#breakpoints.replace('data', 'data breakpoint', graph, wantedData(args)));
    },
    dataBreakpointInfo: (args) => ({ body: this.#stopped.dataInfo(args) }),
    setExceptionBreakpoints: (args) => {
      this.#breakpoints.setFilters(args);
      return this.#placed([]);
    },

    stackTrace: async ({ startFrame, levels }) => ({ body: await this.#stopped.stack(startFrame, levels, this.#linesStartAt1) }),
    scopes: ({ frameId }) => ({ body: { scopes: this.#stopped.scopes(frameId) } }),
    variables: ({ variablesReference, filter, start, count }) => ({
      body: { variables: this.#stopped.values.variables(variablesReference, filter, start, count) },
    }),
    source: ({ sourceReference }) => {
      const { sources } = this.#required(this.#target);
      return { body: { content: sources.textOf(sources.pathOfReference(sourceReference)) } };
    },
    exceptionInfo: () => {
      if (!this.#exception) throw new FlowError('Invalid', 'The run has not stopped at a failure or a question.');
      return { body: this.#exception };
    },

    next: () => this.#step('over'),
    stepIn: ({ targetId }) => {
      if (targetId === undefined) return this.#step('into');
      const target = this.#stopped.callTargets()[targetId - 1];
      if (!target) throw new FlowError('NotFound', 'This call is no longer about to be made.');
      return { afterwards: () => void this.#drive((run) => run.continue([target.until])) };
    },
    stepInTargets: () => {
      const targets = this.#stopped.callTargets().map(({ label }, index) => ({ id: index + 1, label }));
      return { body: { targets } };
    },
    stepOut: () => this.#step('out'),
    continue: () => {
      const { inspector } = this.#stopped;
      const body = { allThreadsContinued: true };
      if (!inspector.isPresent) return { body, afterwards: () => this.#replay(inspector.lookAtNextStop(this.#breakpoints.all)) };
      return { body, afterwards: () => void this.#drive((run) => run.continue()) };
    },
    pause: async () => {
      const run = this.#required(this.#run);
      if (run.isDriven) await run.pause();
      else return { afterwards: () => this.#reportStop({ reason: 'pause' }) };
      return {};
    },
    stepBack: () => {
      const { inspector } = this.#stopped;
      inspector.lookAt(inspector.seq - 1);
      return { afterwards: () => this.#reportStop({ reason: 'step' }) };
    },
    reverseContinue: () => {
      const { inspector } = this.#stopped;
      const found = inspector.lookAtPreviousStop(this.#breakpoints.all);
      if (!found) inspector.lookAt(0);
      return { afterwards: () => this.#reportStop(found ? this.#hitOf(found) : { reason: 'entry', description: 'Start of the run' }) };
    },

    evaluate: async ({ expression, frameId, context }) => {
      if (context === 'repl') {
        const reply = await this.#command(expression.trim());
        if (reply) return reply;
      }
      return { body: this.#stopped.evaluate(expression, frameId, context) };
    },
    setExpression: () => this.#refuseToSet(),
    setVariable: () => this.#refuseToSet(),
    'pravah/fork': (args) => this.#fork(args?.seq ?? this.#stopped.inspector.seq),
    'pravah/compare': ({ run }) => {
      const { journal, runId } = this.#stopped.inspector;
      return { body: compareRuns({ journal, runId }, this.#required(this.#target).find(run)) };
    },
    'pravah/lineage': ({ seq, ...subject }) => {
      const { inspector } = this.#stopped;
      return { body: lineage(inspector.journal, inspector.row, { seq: seq ?? inspector.seq, ...subject }) };
    },
    'pravah/answer': ({ payload }) => this.#answer(payload),
  };

  /** What can be asked while the run is stopped. Throws `FlowError` while it is driven. */
  get #stopped(): RunView {
    const run = this.#required(this.#run);
    if (run.isDriven) throw new FlowError('Conflict', 'The run is in progress. Pause it first.');
    return this.#required(this.#view);
  }

  #required<T>(value: T | null): T {
    if (value === null) throw new FlowError('Invalid', 'No run has been started or opened. Send "launch" or "attach" first.');
    return value;
  }

  #begin(token: string | undefined): void {
    if (this.#options.token !== undefined && !sameText(token ?? '', this.#options.token))
      throw new FlowError('Invalid', 'The token is missing or wrong. Pass the one that "pravah dap" printed as "token".');
    if (this.#target || this.#closed) throw new FlowError('Conflict', 'This session already has a run.');
  }

  async #open(target: DebugTarget): Promise<void> {
    this.#supplied = await target.supplied();
    const debug = () => ({ breakpoints: this.#breakpoints.all, supplied: this.#supplied });
    const run = await target.open({ debug, onEvent: (event) => this.#print(event) });
    this.#show(run, target);
  }

  #show(run: DebuggedRun, target: DebugTarget): void {
    this.#run = run;
    this.#over = false;
    this.#view = new RunView(run.inspector, target.sources, () => run.held);
  }

  #goFirst(): void {
    const { inspector } = this.#required(this.#view);
    const { status } = inspector.row;
    // A run that has ended can be looked at.
    if (status === 'success' || status === 'cancelled') inspector.lookAt(Math.max(0, inspector.lastSeq - 1));
    else if (!this.#stopOnEntry) {
      void this.#drive((run) => run.continue());
      return;
    }
    this.#reportStop({ reason: 'entry' });
  }

  #placed(breakpoints: DebugProtocol.Breakpoint[]): Reply {
    this.#run?.refresh();
    return { body: { breakpoints } };
  }

  #step(mode: 'into' | 'over' | 'out'): Reply {
    const { inspector } = this.#stopped;
    if (inspector.isPresent) return { afterwards: () => void this.#drive((run) => run.step(mode)) };
    inspector.lookAt(inspector.seq + 1);
    return { afterwards: () => this.#replay(null) };
  }

  /** Reports a stop while recorded steps are shown, and says when they end. */
  #replay(found: RecordedStop | null): void {
    const { inspector } = this.#required(this.#view);
    if (inspector.isPresent) this.#output('This is the present again. The next step runs the flow.\n', 'console');
    this.#reportStop(found ? this.#hitOf(found) : { reason: 'step' });
  }

  /** Drives the run until it stops, and reports that. */
  async #drive(act: (run: DebuggedRun) => Promise<DriveResult | Stop>): Promise<void> {
    const run = this.#required(this.#run);
    this.#view?.forget();
    this.#exception = null;
    try {
      const result = await act(run);
      if (this.#run !== run || this.#closed) return;
      if ('point' in result) this.#reportHold(result);
      else this.#afterDriving(result);
    } catch (error) {
      if (this.#run !== run || this.#closed) return;
      // It was refused, and nothing was changed.
      const { message } = toTransferable(error);
      this.#output(`${message}\n`, 'stderr');
      this.#reportStop(run.inspector.waiting ? this.#question(run.inspector) : { reason: 'pause', description: message });
    }
  }

  #afterDriving({ status, output, error: failure, stop }: DriveResult): void {
    const { inspector } = this.#required(this.#view);
    if (status === 'success') {
      this.#output(`${JSON.stringify(output, null, 2)}\n`, 'stdout');
      this.#end(exitCodes.success);
    } else if (status === 'cancelled') this.#end(exitCodes.cancelled);
    else if (status === 'error' && failure) {
      const error = readableFailure(inspector.graph, failure);
      this.#output(`${error.variant}: ${error.message}\n`, 'stderr');
      const asked = stop?.breakpoints.some(({ id }) => id !== 'tool_errors') ?? false;
      if (!asked && !this.#breakpoints.stopsFor('failed')) {
        this.#end(exitCodes.error);
        return;
      }
      this.#exception = { exceptionId: error.variant, description: error.message, breakMode: 'always' };
      this.#reportStop({ reason: 'exception', description: 'A step failed', text: `${error.variant}: ${error.message}` });
    } else if (status === 'suspended') {
      if (this.#breakpoints.stopsFor('waiting')) this.#reportStop(this.#question(inspector));
      else this.#output('The run waits for an answer. Give it with: answer {…}\n', 'console');
    } else if (stop && stop.breakpoints.length > 0) this.#reportStop(this.#hitOf({ seq: inspector.seq, stop }));
    else this.#reportStop({ reason: stop?.reason ?? 'step' });
  }

  #reportHold(stop: Stop): void {
    const body =
      stop.breakpoints.length > 0 ? this.#hitOf({ seq: this.#stopped.inspector.seq, stop }) : { reason: 'step', description: stop.text };
    this.#reportStop({ ...body, text: 'Held inside a step' });
  }

  #question(inspector: RunInspector): DebugProtocol.StoppedEvent['body'] {
    const { waiting } = inspector;
    const text = `${waiting?.tool_id ?? ''} ${JSON.stringify(waiting?.value ?? null)}`.trim();
    const how = 'Answer in the debug console: answer {…}';
    this.#exception = { exceptionId: 'Waiting for an answer', description: `${text}\n${how}`, breakMode: 'always' };
    return { reason: 'exception', description: 'Waiting for an answer', text };
  }

  #hitOf({ stop }: RecordedStop): DebugProtocol.StoppedEvent['body'] {
    const hit = this.#breakpoints.hit(stop);
    if (hit) return { reason: hit.reason, description: stop.text, hitBreakpointIds: hit.ids };
    this.#exception = { exceptionId: 'Tool error', description: stop.text, breakMode: 'always' };
    return { reason: 'exception', description: stop.text };
  }

  #reportStop(body: DebugProtocol.StoppedEvent['body']): void {
    this.#view?.forget();
    this.#send('stopped', { ...body, threadId, allThreadsStopped: true });
  }

  /** Reports the end of the run, once. */
  #end(exitCode: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#send('exited', { exitCode });
    this.#send('terminated');
  }

  /** Performs a command of the debug console; null for an expression. */
  async #command(text: string): Promise<Reply | null> {
    const answer = /^answer\s+(.+)$/s.exec(text)?.[1];
    if (answer !== undefined) return this.#answer(readJson(answer, 'answer'));
    const pin = /^pin\s+(.+)$/s.exec(text)?.[1];
    if (pin !== undefined) return this.#pin(pin);
    const mock = /^mock\s+(.+)$/s.exec(text)?.[1];
    if (mock !== undefined) return this.#mock(mock);
    if (text === 'fork') return this.#fork(this.#stopped.inspector.seq);
    if (text === 'help') return { body: { result: consoleHelp, variablesReference: 0 } };
    return null;
  }

  /** Pins the output of the next node, or with `off` removes all pins. */
  #pin(text: string): Reply {
    const { inspector } = this.#stopped;
    const answer = (result: string) => ({ body: { result, variablesReference: 0 } });
    if (text === 'off') {
      this.#supplied = this.#supplied.filter(({ kind }) => kind !== 'pin');
      this.#run?.refresh();
      return answer('No output is pinned.');
    }
    const pin = pinOf(text, inspector.nextFrames().at(-1), inspector.graph);
    this.#supplied = [...this.#supplied.filter(({ id }) => id !== pin.id), pin];
    this.#run?.refresh();
    return answer(`The output of ${pin.node} of ${pin.flow} is pinned in this session. Remove all pins with: pin off`);
  }

  /** Mocks the calls of a tool or model, or with `off` removes all mocks. */
  #mock(text: string): Reply {
    const { inspector } = this.#stopped;
    const others = this.#supplied.filter(({ kind }) => kind === 'pin');
    const added = text === 'off' ? [] : [...this.#supplied.filter(({ kind }) => kind !== 'pin'), mockOf(text, inspector)];
    this.#supplied = [...others, ...added];
    this.#run?.refresh();
    const result = text === 'off' ? 'No call is mocked.' : 'These calls are mocked in this session. Remove all mocks with: mock off';
    return { body: { result, variablesReference: 0 } };
  }

  #answer(payload: Json): Reply {
    const { inspector } = this.#stopped;
    if (!inspector.waiting || this.#run?.held) throw new FlowError('Invalid', 'Nothing waits for an answer.');
    inspector.showPresent();
    return { body: { result: 'answered', variablesReference: 0 }, afterwards: () => void this.#drive((run) => run.answer(payload)) };
  }

  async #fork(seq: number): Promise<Reply> {
    const { inspector } = this.#stopped;
    const [run, target] = [this.#required(this.#run), this.#required(this.#target)];
    const forked = await run.fork(seq);
    await run.close();
    this.#show(forked, target);
    const text = `Forked from ${inspector.runId} at step ${seq}. This session continues in ${forked.inspector.runId}.`;
    return {
      body: { result: text, variablesReference: 0, run: forked.inspector.runId },
      afterwards: () => this.#reportStop({ reason: 'entry', description: 'Start of the fork' }),
    };
  }

  #refuseToSet(): never {
    throw new FlowError(
      'Invalid',
      'Values of a run cannot be changed. Type "fork" in the debug console to continue from here in a new run.',
    );
  }

  #print(event: RunEvent): void {
    if (event.type === 'node_exit' || event.type === 'end_stream') return;
    const category = event.type === 'log' ? 'stdout' : 'console';
    for (const line of linesOf(event, {})) this.#output(`${line}\n`, category);
  }

  #output(output: string, category: 'stdout' | 'stderr' | 'console'): void {
    this.#send('output', { category, output });
  }
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
