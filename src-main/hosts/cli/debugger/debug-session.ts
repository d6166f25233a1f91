import { findInRun } from '#main/debug/find.ts';
import { lineage } from '#main/debug/lineage.ts';
import { nameInText } from '#main/debug/readable-failure.ts';
import { parseLogSpec, parseSpec } from '#main/debug/spec.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { foundText, parseNamedValue, printLineage } from '#main/hosts/cli/output/lineage-output.ts';
import { printLine, shortJson, styled } from '#main/hosts/cli/output/terminal.ts';
import { readSpec } from '#main/hosts/cli/session/breakpoint-options.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import type { RunExecutor } from '#main/runner/run-executor.ts';
import { framesAt } from '#main/runner/run-frames.ts';
import { RunInspector } from '#main/runner/run-inspector.ts';
import type { StepMode } from '#main/runner/step-target.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { EndStatus } from '#shared/run/event.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import { placeText, type Stop } from '#shared/run/stop.ts';

/** The longest printed value. */
const longest = 400;
/** Rows that `log` prints. */
const logRows = 20;

export interface DebuggedRun {
  readonly journal: Journal;
  readonly executor: RunExecutor;
}

/** Tells a session when its run is held inside a step. */
export class HoldWatch {
  #notify: ((stop: Stop) => void) | undefined;

  /** For `ExecutorOptions.onHold`. */
  readonly onHold = (stop: Stop | null): void => {
    if (stop) this.#notify?.(stop);
  };

  /** Resolves at the next hold. */
  next(): Promise<Stop> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

/** What a session needs from its command. */
export interface DebugSessionOptions {
  readonly prices: Prices;
  readonly holds: HoldWatch;
  /** Forks the run at a record and returns the new run. */
  readonly fork: (run: DebuggedRun, seq: number) => Promise<DebuggedRun>;
}

/** Commands of `pravah debug` with their help. */
export const debugCommands: readonly (readonly [string, string])[] = [
  ['n', 'step over: until the next node has finished'],
  ['s', 'step into: one transition'],
  ['o', 'step out: until the agent, nested flow or item has finished'],
  ['c', 'continue to a breakpoint, a question, a failure or the end'],
  ['u SPEC', 'continue until a place, once'],
  ['b SPEC', 'set a breakpoint; "b SPEC => TEXT" logs instead'],
  ['d [ID]', 'delete a breakpoint; without ID, list them'],
  ['b', 'go back one step, to look'],
  ['f', 'go forth one step, to look'],
  ['rc', 'go back to the last breakpoint, to look'],
  ['now', 'look at the present again'],
  ['bt', 'print where the run is'],
  ['p EXPR', 'evaluate an expression'],
  ['w [EXPR]', 'print an expression at every stop; without EXPR, print all'],
  ['states', 'print the waiting states'],
  ['diff', 'print what the shown step changed'],
  ['log', 'print the last steps'],
  ['find EXPR', 'go to the next step after which an expression is true; "rfind EXPR" goes back'],
  ['who STATE', 'print where a state, or STATE/PATH in it, came from; "used STATE" what used it'],
  ['answer JSON', 'answer what waits'],
  ['fork', 'continue in a new run from the shown step'],
  ['q', 'quit; the run stays paused'],
];

/** One session of the line debugger. It drives a run, and looks at its records without changing it. */
export class DebugSession {
  readonly #options: DebugSessionOptions;
  #run: DebuggedRun;
  #breakpoints: Breakpoint[];
  readonly #watches: string[] = [];
  #inspector: RunInspector;
  /** The call that drives the run, while the run is held inside a step. */
  #held: Promise<DriveResult> | undefined;
  #next = 1;
  status: EndStatus = 'paused';

  constructor(run: DebuggedRun, breakpoints: readonly Breakpoint[], options: DebugSessionOptions) {
    this.#run = run;
    this.#inspector = inspectorOf(run, options.prices);
    this.#breakpoints = [...breakpoints];
    this.#options = options;
  }

  get run(): DebuggedRun {
    return this.#run;
  }

  /** Performs one command. Returns false after `q`. Throws `UsageError` for a command that can't be given, and `FlowError`. */
  async perform(line: string): Promise<boolean> {
    const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line) ?? [];
    const { executor } = this.#run;
    switch (name) {
      case '':
        return true;
      case 'q':
        return false;
      case 'n':
        return this.#drive(() => executor.step('over'), 'over');
      case 's':
        return this.#drive(() => executor.step('into'), 'into');
      case 'o':
        return this.#drive(() => executor.step('out'), 'out');
      case 'c':
        return this.#drive(() => executor.continue(), 'continue');
      case 'u':
        this.#assertNotHeld();
        return this.#drive(() => executor.continue(undefined, [this.#read(rest, 'here', parseSpec)]), 'continue');
      case 'answer':
        this.#assertNotHeld();
        return this.#drive(() => this.#answer(rest), 'into');
      case 'b':
        if (rest === '') this.#look(this.#inspector.seq - 1);
        else this.#break(rest);
        return true;
      case 'd':
        this.#delete(rest);
        return true;
      case 'f':
        this.#look(this.#inspector.seq + 1);
        return true;
      case 'rc':
        this.#lookAtPreviousStop();
        return true;
      case 'now':
        this.#inspector.showPresent();
        this.#printPlace();
        return true;
      case 'bt':
        for (const [index, { flow, node, title }] of this.#inspector.frames(nameInText).toReversed().entries())
          printLine(`  #${index}  ${title}  ${styled('dim', `${flow}#${node}`)}`);
        return true;
      case 'p':
        this.#evaluate(rest);
        return true;
      case 'w':
        if (rest !== '') this.#watches.push(rest);
        this.#printWatches();
        return true;
      case 'states':
        this.#printStates();
        return true;
      case 'diff':
        this.#printChange();
        return true;
      case 'log':
        this.#printLog();
        return true;
      case 'find':
      case 'rfind':
        this.#find(rest, name === 'find' ? 'forth' : 'back');
        return true;
      case 'who':
      case 'used':
        this.#printLineage(rest, name === 'who' ? 'back' : 'forth');
        return true;
      case 'fork':
        this.#assertNotHeld();
        await this.#fork();
        return true;
      case 'help':
      case 'h':
        for (const [command, help] of debugCommands) printLine(`  ${command.padEnd(12)} ${help}`);
        return true;
      default:
        throw new UsageError(`Unknown command "${name}". Type help for the list.`);
    }
  }

  /** Prints where the run is, and the watches. */
  printStop(): void {
    this.#printPlace();
    if (this.#watches.length > 0) this.#printWatches();
  }

  /** Leaves a run that is held inside a step. It is then paused before that step. */
  async end(): Promise<void> {
    await this.#run.executor.leaveHeld();
    await this.#held?.catch(() => undefined);
  }

  async #drive(act: () => Promise<DriveResult>, mode: StepMode | 'continue'): Promise<boolean> {
    this.#inspector.showPresent();
    const { executor } = this.#run;
    executor.setBreakpoints(this.#breakpoints);
    const held = this.#options.holds.next();
    if (this.#held) executor.continueHeld(mode);
    const driving = this.#held ?? act();
    // While the session waits for the next command, a held run may fail or be continued by --hold.
    driving.catch(() => undefined);
    const stop = await Promise.race([driving, held]);
    this.#held = 'point' in stop ? driving : undefined;
    if ('point' in stop) {
      this.#printHold(stop);
      return true;
    }
    this.status = stop.status;
    this.printStop();
    return true;
  }

  #assertNotHeld(): void {
    if (this.#held) throw new UsageError('The run is held inside a step. Continue it first: c, n, s or o.');
  }

  #printHold({ text, values }: Stop): void {
    printLine(`${styled('yellow', 'held')}  ${text}`);
    if (values !== undefined) printLine(`  ${shortJson(values, longest)}`);
    if (this.#watches.length > 0) this.#printWatches();
  }

  async #answer(text: string): Promise<DriveResult> {
    const { waiting } = this.#inspector;
    if (!waiting) throw new UsageError('Nothing waits for an answer.');
    const { tool_id, tool_call_id } = waiting;
    return this.#run.executor.resume(tool_id, readJsonArgument(text, 'answer'), { tool_call_id });
  }

  #read(text: string, id: string, parse: typeof parseSpec): Breakpoint {
    const { row, graph } = this.#inspector;
    return readSpec(text, id, row.flow_path, graph, parse, true);
  }

  #break(text: string): void {
    const taken = new Set(this.#breakpoints.map(({ id }) => id));
    while (taken.has(`b${this.#next}`)) this.#next += 1;
    const breakpoint = this.#read(text, `b${this.#next}`, text.includes(' => ') ? parseLogSpec : parseSpec);
    this.#breakpoints.push(breakpoint);
    printLine(`${breakpoint.id}  ${text}`);
  }

  #delete(id: string): void {
    if (id === '') {
      if (this.#breakpoints.length === 0) printLine('No breakpoints. Set one with: b SPEC');
      for (const { id: each, anchor: _anchor, ...rest } of this.#breakpoints as (Breakpoint & { anchor?: unknown })[])
        printLine(`${each}  ${shortJson(rest)}`);
      return;
    }
    const kept = this.#breakpoints.filter((each) => each.id !== id);
    if (kept.length === this.#breakpoints.length) throw new UsageError(`There is no breakpoint ${id}. List them with: d`);
    this.#breakpoints = kept;
  }

  #look(seq: number): void {
    this.#inspector.lookAt(seq);
    this.printStop();
  }

  #lookAtPreviousStop(): void {
    const found = this.#inspector.lookAtPreviousStop(this.#breakpoints);
    if (!found) throw new UsageError('No breakpoint was passed before this step.');
    printLine(`${styled('yellow', 'would have stopped')}  ${found.stop.text}`);
    this.#printPlace();
  }

  #find(expression: string, direction: 'forth' | 'back'): void {
    const { journal, row, seq: from } = this.#inspector;
    const { seq, fault } = findInRun(journal, row, { expression, from, direction, begun: false }, () => true);
    if (seq === null) throw new UsageError(foundText(journal, row.run_id, seq, { expression, direction, fault }));
    this.#look(seq);
  }

  #printLineage(value: string, direction: 'back' | 'forth'): void {
    if (value === '') throw new UsageError(`Name a state: ${direction === 'back' ? 'who' : 'used'} STATE`);
    const { journal, row, seq } = this.#inspector;
    printLineage(lineage(journal, row, { ...parseNamedValue(value), seq, direction }), direction);
  }

  #printPlace(): void {
    const { seq, lastSeq, isPresent } = this.#inspector;
    const where = placeText(this.#inspector.frames(nameInText));
    if (!isPresent) printLine(`step ${seq} of ${lastSeq}  ${styled('dim', where)}`);
    else printLine(where === '' ? `step ${lastSeq}  ${styled('dim', 'the run has ended')}` : `step ${lastSeq}  next: ${where}`);
  }

  #evaluate(expression: string): void {
    const [result] = this.#inspector.evaluate([expression]);
    if (result) printLine('value' in result ? JSON.stringify(result.value) : styled('red', result.error));
  }

  #printWatches(): void {
    const results = this.#inspector.evaluate(this.#watches);
    for (const [index, result] of results.entries())
      printLine(`  ${this.#watches[index]} = ${'value' in result ? shortJson(result.value, longest) : styled('red', result.error)}`);
  }

  #printStates(): void {
    const { states, items } = this.#inspector.states();
    for (const { name, value, written_at } of states)
      printLine(`${name}  ${styled('dim', `step ${written_at}`)}  ${shortJson(value, longest)}`);
    for (const { node, index, states: inside } of items)
      for (const { name, value } of inside)
        printLine(`${name}  ${styled('dim', `${node}, item ${index + 1}`)}  ${shortJson(value, longest)}`);
  }

  #printChange(): void {
    const at = this.#inspector.states();
    for (const { name, value } of at.consumed) printLine(`- ${name} ${shortJson(value, longest)}`);
    for (const { name, value } of at.states.filter(({ written_at }) => written_at === at.seq))
      printLine(`+ ${name} ${shortJson(value, longest)}`);
  }

  #printLog(): void {
    const { journal, runId } = this.#inspector;
    for (const { seq, kind, note } of this.#inspector.timeline(logRows))
      printLine(
        `${String(seq).padStart(4)}  ${placeText(framesAt(journal, runId, seq, nameInText))}  ${styled('dim', [kind, note].filter(Boolean).join(' '))}`,
      );
  }

  async #fork(): Promise<void> {
    const { seq } = this.#inspector;
    const before = this.#run;
    this.#run = await this.#options.fork(before, seq);
    before.executor.close();
    this.#inspector = inspectorOf(this.#run, this.#options.prices);
    this.status = 'paused';
    printLine(`${this.#run.executor.runId}  forked from ${before.executor.runId} at step ${seq}`);
    this.printStop();
  }
}

function inspectorOf({ journal, executor }: DebuggedRun, prices: Prices): RunInspector {
  return new RunInspector(journal, executor.runId, prices);
}
