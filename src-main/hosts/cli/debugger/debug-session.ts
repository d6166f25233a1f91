import { evaluateAt } from '#main/debug/evaluate.ts';
import { findInRun } from '#main/debug/find.ts';
import { lineage } from '#main/debug/lineage.ts';
import { previousStop } from '#main/debug/scan.ts';
import { parseLogSpec, parseSpec } from '#main/debug/spec.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { readJsonArgument } from '#main/hosts/cli/options/json-argument.ts';
import { foundText, parseNamedValue, printLineage } from '#main/hosts/cli/output/lineage-output.ts';
import { printLine, shortJson, styled } from '#main/hosts/cli/output/terminal.ts';
import { readSpec } from '#main/hosts/cli/session/breakpoint-options.ts';
import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import type { RunExecutor } from '#main/runner/run-executor.ts';
import { framesAt, nameInText } from '#main/runner/run-frames.ts';
import { stateAt, timelineOf } from '#main/runner/run-views.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { EndStatus } from '#shared/run/event.ts';
import { placeText } from '#shared/run/stop.ts';

/** The longest printed value. */
const longest = 400;
/** Rows that `log` prints. */
const logRows = 20;

export interface DebuggedRun {
  readonly journal: Journal;
  readonly executor: RunExecutor;
}

/** What a session needs from its command. */
export interface DebugSessionOptions {
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
  /** The shown record; null is the present. */
  #shown: number | null = null;
  #next = 1;
  status: EndStatus = 'paused';

  constructor(run: DebuggedRun, breakpoints: readonly Breakpoint[], options: DebugSessionOptions) {
    this.#run = run;
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
        return this.#drive(() => executor.step('over'));
      case 's':
        return this.#drive(() => executor.step('into'));
      case 'o':
        return this.#drive(() => executor.step('out'));
      case 'c':
        return this.#drive(() => executor.continue());
      case 'u':
        return this.#drive(() => executor.continue(undefined, [this.#read(rest, 'here', parseSpec)]));
      case 'answer':
        return this.#drive(() => this.#answer(rest));
      case 'b':
        if (rest === '') this.#look(this.#seq - 1);
        else this.#break(rest);
        return true;
      case 'd':
        this.#delete(rest);
        return true;
      case 'f':
        this.#look(this.#seq + 1);
        return true;
      case 'rc':
        this.#lookAtPreviousStop();
        return true;
      case 'now':
        this.#shown = null;
        this.#printPlace();
        return true;
      case 'bt':
        for (const [index, { flow, node, title }] of this.#frames().toReversed().entries())
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

  get #lastSeq(): number {
    return this.#run.journal.row(this.#run.executor.runId).last_seq;
  }

  get #seq(): number {
    return this.#shown ?? this.#lastSeq;
  }

  get #reader(): RunReader {
    const { journal, executor } = this.#run;
    return new RunReader(journal, journal.row(executor.runId));
  }

  get #graph(): FlowGraph {
    const { journal, executor } = this.#run;
    return journal.graphOf(journal.row(executor.runId));
  }

  async #drive(act: () => Promise<DriveResult>): Promise<boolean> {
    this.#shown = null;
    const { executor } = this.#run;
    executor.setBreakpoints(this.#breakpoints);
    const { status } = await act();
    this.status = status;
    this.printStop();
    return true;
  }

  async #answer(text: string): Promise<DriveResult> {
    const { journal, executor } = this.#run;
    const { suspensions } = this.#reader.foldAt(journal.row(executor.runId).last_seq).control;
    const [first] = suspensions;
    if (!first) throw new UsageError('Nothing waits for an answer.');
    return executor.resume(first.tool_id, readJsonArgument(text, 'answer'), { tool_call_id: first.tool_call_id });
  }

  #read(text: string, id: string, parse: typeof parseSpec): Breakpoint {
    const { journal, executor } = this.#run;
    return readSpec(text, id, journal.row(executor.runId).flow_path, this.#graph, parse);
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
    if (seq < 0) throw new UsageError('This is the start of the run.');
    if (seq > this.#lastSeq) throw new UsageError('This is the present. Use s, n, o or c to run further.');
    this.#shown = seq === this.#lastSeq ? null : seq;
    this.printStop();
  }

  #lookAtPreviousStop(): void {
    const found = previousStop(this.#graph, this.#reader, this.#breakpoints, this.#seq);
    if (!found) throw new UsageError('No breakpoint was passed before this step.');
    this.#shown = found.seq;
    printLine(`${styled('yellow', 'would have stopped')}  ${found.stop.text}`);
    this.#printPlace();
  }

  #find(expression: string, direction: 'forth' | 'back'): void {
    const { journal, executor } = this.#run;
    const row = journal.row(executor.runId);
    const { seq, fault } = findInRun(journal, row, { expression, from: this.#seq, direction, begun: false }, () => true);
    if (seq === null) throw new UsageError(foundText(journal, row.run_id, seq, { expression, direction, fault }));
    this.#look(seq);
  }

  #printLineage(value: string, direction: 'back' | 'forth'): void {
    if (value === '') throw new UsageError(`Name a state: ${direction === 'back' ? 'who' : 'used'} STATE`);
    const { journal, executor } = this.#run;
    printLineage(lineage(journal, journal.row(executor.runId), { ...parseNamedValue(value), seq: this.#seq, direction }), direction);
  }

  #frames() {
    const { journal, executor } = this.#run;
    return this.#shown === null
      ? framesAt(journal, executor.runId, undefined, nameInText)
      : framesAt(journal, executor.runId, this.#shown, nameInText);
  }

  #printPlace(): void {
    const where = placeText(this.#frames());
    if (this.#shown !== null) printLine(`step ${this.#shown} of ${this.#lastSeq}  ${styled('dim', where)}`);
    else printLine(where === '' ? `step ${this.#lastSeq}  ${styled('dim', 'the run has ended')}` : `step ${this.#lastSeq}  next: ${where}`);
  }

  #evaluate(expression: string): void {
    const [result] = evaluateAt(this.#graph, this.#reader, this.#seq, [expression]);
    if (result) printLine('value' in result ? JSON.stringify(result.value) : styled('red', result.error));
  }

  #printWatches(): void {
    const results = evaluateAt(this.#graph, this.#reader, this.#seq, this.#watches);
    for (const [index, result] of results.entries())
      printLine(`  ${this.#watches[index]} = ${'value' in result ? shortJson(result.value, longest) : styled('red', result.error)}`);
  }

  #printStates(): void {
    const { states, items } = stateAt(this.#run.journal, this.#run.executor.runId, this.#seq);
    for (const { name, value, written_at } of states)
      printLine(`${name}  ${styled('dim', `step ${written_at}`)}  ${shortJson(value, longest)}`);
    for (const { node, index, states: inside } of items)
      for (const { name, value } of inside)
        printLine(`${name}  ${styled('dim', `${node}, item ${index + 1}`)}  ${shortJson(value, longest)}`);
  }

  #printChange(): void {
    const at = stateAt(this.#run.journal, this.#run.executor.runId, this.#seq);
    for (const { name, value } of at.consumed) printLine(`- ${name} ${shortJson(value, longest)}`);
    for (const { name, value } of at.states.filter(({ written_at }) => written_at === at.seq))
      printLine(`+ ${name} ${shortJson(value, longest)}`);
  }

  #printLog(): void {
    const { journal, executor } = this.#run;
    const last = this.#seq;
    if (last === 0) return;
    const from = Math.max(1, last - logRows + 1);
    for (const { seq, kind, note } of timelineOf(journal, executor.runId, from, last - from + 1).entries)
      printLine(
        `${String(seq).padStart(4)}  ${placeText(framesAt(journal, executor.runId, seq, nameInText))}  ${styled('dim', [kind, note].filter(Boolean).join(' '))}`,
      );
  }

  async #fork(): Promise<void> {
    const seq = this.#seq;
    const before = this.#run;
    this.#run = await this.#options.fork(before, seq);
    before.executor.close();
    this.#shown = null;
    this.status = 'paused';
    printLine(`${this.#run.executor.runId}  forked from ${before.executor.runId} at step ${seq}`);
    this.printStop();
  }
}
