import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** The muted line of a node card: what the node runs. */
export interface NodeDetail {
  readonly type: 'tool' | 'code' | 'expr' | 'module' | 'model' | 'flow' | 'person' | 'gate' | 'group';
  readonly text: string;
  /** The model URL of an agent. */
  readonly model?: string;
  /** The key of the state that an agent of a PyFlow workflow writes. */
  readonly writes?: string;
}

/**
 * A short description of what a node runs. Null if it passes its input through or runs inline code, which has no short
 * name.
 */
export function nodeDetail({ kind, raw }: OutlineNode): NodeDetail | null {
  const session = isJsonObject(raw.session) ? sessionDetail(raw.session) : null;
  if (session) return session;
  if (kind === 'agent') return isJsonObject(raw.agent) ? agentDetail(raw.agent, raw.session) : { type: 'model', text: 'no model yet' };
  if (kindFacts[kind].runs_flow) return { type: 'flow', text: text(raw.flow) };
  if (kind === 'suspend') return { type: 'person', text: 'waits for an answer' };
  if (typeof raw.tool === 'string') return { type: 'tool', text: toolCall(raw.tool, raw.with) };
  if (raw.expr !== undefined) return { type: 'expr', text: text(raw.expr) };
  if (raw.run_file !== undefined) return { type: 'code', text: text(raw.run_file) };
  if (raw.module !== undefined) return { type: 'module', text: text(raw.module) };
  return null;
}

/** What a node of a PyFlow workflow runs, or the rule by which a helper node decides. Null for an agent with a model. */
function sessionDetail(session: JsonObject): NodeDetail | null {
  const { expr, code, tool } = session;
  if (typeof expr === 'string') return { type: 'expr', text: text(expr), ...outputOf(session) };
  if (typeof code === 'string') return { type: 'code', text: text(code), ...outputOf(session) };
  if (typeof tool === 'string') return { type: 'tool', text: toolCall(tool, session.with), ...outputOf(session) };
  const rule = gateRule(session);
  return rule === null ? null : { type: 'gate', text: rule };
}

/** An agent's model; of an agent of a PyFlow workflow also the key that it writes and the first line of its instruction. */
function agentDetail({ model: url, preamble }: JsonObject, session: Json | undefined): NodeDetail {
  // The input chooses one of several models, by the value of a field.
  if (isJsonObject(url)) return { type: 'model', text: `model by ${text(url.by)}`, model: text(url[String(url.else)]) };
  const model = text(url);
  if (!isJsonObject(session)) return { type: 'model', text: model, model };
  const [first = ''] = typeof preamble === 'string' ? preamble.trim().split('\n') : [];
  const said = first === '' ? '' : ` · ${text(first)}`;
  return { type: 'model', text: `${model.replace(/^\w+:\/\//, '')}${said}`, model, ...outputOf(session) };
}

function outputOf({ output }: JsonObject): Pick<NodeDetail, 'writes'> {
  return typeof output === 'string' ? { writes: output } : {};
}

/** The rule of a helper node of a workflow (`begin`, `end`, a fork, a join, the way around a loop, a router's choice); null for an agent. */
function gateRule({ begin, end, branches, merge, leave, max, check, transfer }: JsonObject): string | null {
  if (begin !== undefined) return 'begin';
  if (end !== undefined) return 'end';
  if (Array.isArray(branches)) return `${branches.length} branches`;
  if (typeof merge === 'string') return merge === 'last' ? 'merge all' : 'merge';
  if (typeof leave === 'string') return check === 'round' && max !== undefined ? `again < ${String(max)}` : 'again until exit_loop';
  return typeof transfer === 'string' ? `transfer = ${transfer}` : null;
}

/** A tool's name with the first words of its arguments (`run_command git log`). */
function toolCall(tool: string, args: Json | undefined): string {
  const words = Object.values(isJsonObject(args) ? args : {})
    .flat()
    .filter((value) => typeof value === 'string');
  return [tool, ...words.slice(0, 2)].join(' ');
}

function text(value: Json | undefined): string {
  return String(value ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, 80);
}
