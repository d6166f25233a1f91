import { type Breakpoint, breakpointSchema } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import { BreakpointSet } from './breakpoint-set.ts';

/**
 * Reads a breakpoint as it is written on a command line: `Order`, `item.flow.yaml#Order:after`, `Rated->Urgent`, `state:Order:written`,
 * `state:Order/total:changed`, `tool:write_file:error`, `model`, `error:HandlerError`; then ` if EXPR` and ` hits %5`. `flow` is the file of what names none.
 * Throws `FlowError` `Invalid`.
 */
export function parseSpec(text: string, id: string, flow: string): Breakpoint {
  const [head, condition, hits] = parts(text);
  const more = { id, ...(condition !== undefined && { condition }), ...(hits !== undefined && { hits }) };
  const place = placeIn(head, flow);
  const parsed = breakpointSchema.safeParse({ ...more, ...place });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(text, `${issue?.message ?? 'it is not a breakpoint'}${issue?.path.length ? ` (${issue.path.join('.')})` : ''}`);
}

/** A log point: a breakpoint as above, and ` => ` with its text. Without a text it logs the input of the node. */
export function parseLogSpec(text: string, id: string, flow: string): Breakpoint {
  const at = text.indexOf(' => ');
  const log = at < 0 ? '{input}' : text.slice(at + 4);
  return { ...parseSpec(at < 0 ? text : text.slice(0, at), id, flow), log };
}

/** Throws `FlowError` `Invalid` for a breakpoint at which a run of this flow can never stop. `holds`: it can also be held inside a step. */
export function checkMatches(graph: FlowGraph, breakpoint: Breakpoint, text: string, holds = false): void {
  const set = new BreakpointSet(graph, [breakpoint]);
  if (!set.matched.has(breakpoint.id)) throw invalid(text, 'nothing in the flow matches it');
  if (holds || !set.needsHold(breakpoint)) return;
  throw invalid(
    text,
    `it is reached only inside a step, where this command can't hold the run`,
    'Use pravah debug, or add --hold SECONDS.',
  );
}

function parts(text: string): [string, string | undefined, string | undefined] {
  const at = text.indexOf(' if ');
  let [head, condition] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 4)];
  let hits: string | undefined;
  const take = (from: string): string => {
    const match = /\s+hits\s+(\S+)\s*$/.exec(from);
    if (!match) return from;
    hits = match[1];
    return from.slice(0, match.index);
  };
  head = take(head);
  if (condition !== undefined) condition = take(condition);
  return [head.trim(), condition?.trim(), hits];
}

function placeIn(head: string, flow: string): object {
  const state = /^state:(?:(.+)#)?([^:/#]+)(\/[^:]*)?(?::(written|consumed|changed))?$/.exec(head);
  if (state) {
    const [, file, name, path, on] = state;
    return { kind: 'state', flow: fileOf(file, flow), state: name, on: on ?? (path ? 'changed' : 'written'), ...(path && { path }) };
  }
  const tool = /^tool:(.+?)(?::(before|after|error))?$/.exec(head);
  if (tool) return { kind: 'tool', tool: tool[1], on: tool[2] ?? 'before' };
  const model = /^model(?::(before|after))?$/.exec(head);
  if (model) return { kind: 'model', on: model[1] ?? 'before' };
  const error = /^error(?::(\w+))?$/.exec(head);
  if (error) return { kind: 'error', ...(error[1] === 'tool_results' ? { tool_results: true } : error[1] && { variant: error[1] }) };
  const branch = /^(?:(.+)#)?(.+)->(\w+)$/.exec(head);
  if (branch) return { kind: 'branch', flow: fileOf(branch[1], flow), node: branch[2], state: branch[3] };
  const [, file, node, when] = /^(?:(.+)#)?([^#:]+)(?::(before|after|turns))?$/.exec(head) ?? [];
  const at = { flow: fileOf(file, flow), node: node ?? '' };
  return when === 'after' ? { kind: 'after', ...at } : { kind: 'before', ...at, ...(when === 'turns' && { turns: true }) };
}

function fileOf(file: string | undefined, flow: string): string {
  return file === undefined ? flow : file.replace(/^\.\//, '');
}

function invalid(
  text: string,
  why: string,
  hint = 'Examples: Order, item.flow.yaml#Order:after, Rated->Urgent, state:Order:written, tool:write_file, error.',
): FlowError {
  return new FlowError('Invalid', `Invalid breakpoint "${text}": ${why}. ${hint}`, { details: { spec: text } });
}
