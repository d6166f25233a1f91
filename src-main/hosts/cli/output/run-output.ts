import { Correlation } from '#shared/run/correlation.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';
import type { SuppliedMark } from '#shared/run/supplied.ts';
import { printLine, printNote, shortJson, styled } from './terminal.ts';

/** How events are printed as readable lines. */
export interface EventPrinterOptions {
  /** Returns what a node of a run is called. Default: its id. */
  readonly nameOf?: (runId: string, node: string) => string;
  /** Returns a failure with titles in the place of ids. */
  readonly readable?: (runId: string, error: TransferableError) => TransferableError;
  /** Says at the end which command goes on. Default: true. */
  readonly advice?: boolean;
}

/** Returns a printer of run events: one JSON object per line, or readable lines. */
export function eventPrinter(json: boolean, options: EventPrinterOptions = {}): (event: RunEvent) => void {
  if (json) {
    const correlation = new Correlation();
    return (event) => printLine(JSON.stringify(correlation.add(event)));
  }
  let waiting = '';
  return (event) => {
    if (event.type === 'suspended' && waiting === '') waiting = event.tool_id;
    for (const line of linesOf(event, options)) printLine(line);
    if (event.type !== 'end_stream') return;
    if (event.error) printFailure(options.readable?.(event.run_id, event.error) ?? event.error, options.nameOf?.bind(null, event.run_id));
    if (options.advice ?? true) for (const line of adviceAfter(event, waiting)) printNote(line);
  };
}

/** Returns the readable lines of an event. */
export function linesOf(event: RunEvent, options: EventPrinterOptions): string[] {
  switch (event.type) {
    case 'init_stream':
      return [`${styled('bold', event.flow)}  ${styled('dim', event.run_id)}`];
    case 'node_exit':
      return [transition(event, options.nameOf?.(event.run_id, event.node) ?? event.node)];
    case 'tool_call':
      return [`      ${styled('cyan', event.tool_name)} ${shortJson(event.arguments)}`];
    case 'tool_call_edited':
      return [`      ${styled('yellow', 'edited by the user')} ${shortJson(event.arguments)}`];
    case 'tool_result':
      return [`      ${event.is_error ? styled('red', '✗') : '→'} ${shortJson(event.result)}${suppliedSuffix(event)}`];
    case 'guard':
      return [`      ${event.pass ? '✓' : styled('red', '✗')} ${event.name}${event.pass ? '' : `: ${event.reason ?? ''}`}`];
    case 'control':
      return event.do === 'continue' ? [] : [`      ${styled('yellow', `controller: ${event.do}`)} ${event.guidance ?? ''}`.trimEnd()];
    case 'message':
      return [`      ${shortJson(event.content)}`];
    case 'log':
      return [`      ${styled('dim', `log ${event.level}`)} ${event.values.map((value) => shortJson(value)).join(' ')}`];
    case 'suspended':
      return [`      ${styled('yellow', `waiting for ${event.tool_id}`)} ${shortJson(event.value, 400)}`];
    case 'end_stream':
      return endLines(event);
    default:
      return [];
  }
}

function transition(event: RunEventOf<'node_exit'>, name: string): string {
  const names = Array.isArray(event.produced) ? event.produced : Object.keys(event.produced);
  const produced = names.length > 0 ? `→ ${names.join(', ')}` : '';
  const what = event.phase ? `${event.kind} ${event.phase}` : event.kind;
  return `${String(event.seq).padStart(4)}  ${name.padEnd(20)} ${styled('dim', what.padEnd(12))} ${produced}${suppliedSuffix(event)}`.trimEnd();
}

function suppliedSuffix({ supplied }: { readonly supplied?: SuppliedMark }): string {
  return supplied ? `  ${styled('yellow', suppliedText(supplied))}` : '';
}

/** Says that an output or result was supplied: `supplied by pin p1`. */
export function suppliedText({ by, id }: SuppliedMark): string {
  return `supplied by ${by} ${id}`;
}

function endLines(event: RunEventOf<'end_stream'>): string[] {
  const { status } = event;
  if (status === 'success') return [`${styled('green', 'done')}  ${JSON.stringify(event.output, null, 2)}`];
  if (status === 'error') return [];
  const left = status === 'cancelled' ? [] : event.states.map(({ name, value }) => `      ${name} ${shortJson(value)}`);
  const stopped = event.stop && event.stop.breakpoints.length > 0 ? [`${styled('yellow', 'stopped')}  ${event.stop.text}`] : [];
  return [...left, ...stopped, styled('yellow', status)];
}

function adviceAfter(event: RunEventOf<'end_stream'>, waiting: string): string[] {
  if (event.status === 'paused') return [`Continue with: pravah continue ${event.run_id}`];
  if (event.status === 'suspended') return [`Answer with: pravah resume ${event.run_id} --tool-id '${waiting}' --payload JSON`];
  return [];
}

/** Prints a failure in readable form: what, where, why. */
export function printFailure(error: TransferableError, nameOf: (node: string) => string = (node) => node): void {
  const where = error.node ? ` in ${nameOf(error.node)}` : '';
  printNote(`${styled('red', `${error.variant}${where}`, 'stderr')}  ${error.message}`);
  for (let cause = error.cause; cause; cause = cause.cause) printNote(`  caused by ${cause.variant}: ${cause.message}`);
}
