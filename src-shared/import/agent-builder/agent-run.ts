import type { AnyNode, CallExpression } from 'acorn';
import type { Deed } from '#shared/import/foreign-graph.ts';
import type { GraphWriter } from './graph-writer.ts';
import { propertiesOf } from './literal.ts';
import type { CodeReader, PlainCode } from './plain-code.ts';
import type { Declarations } from './read-agents.ts';

/** A run of an agent: what must be computed before it, and the node. */
export interface AgentRun {
  readonly title: string;
  readonly key: string;
  readonly does: Deed;
  readonly prepare: readonly PlainCode[];
  /** The variables that `prepare` declares. */
  readonly prepared: readonly string[];
}

/** `runner.run(agent, items)`, `run(agent, items)`, awaited or not. */
export function runCall(node: AnyNode): CallExpression | null {
  const call = node.type === 'AwaitExpression' ? node.argument : node;
  if (call.type !== 'CallExpression' || call.arguments[0]?.type !== 'Identifier') return null;
  const { callee } = call;
  if (callee.type === 'Identifier') return callee.name === 'run' ? call : null;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'run' ? call : null;
}

/** The text of a conversation: a lone message as it is, else each with who said it. */
const conversationText = `const textOfItems = (items) => {
  if (typeof items === 'string') return items;
  const texts = items.map(({ role, content }) => [role, typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('')]);
  return texts.length === 1 ? texts[0][1] : texts.map(([role, text]) => role + ': ' + text).join('\\n\\n');
};`;

/** Names the values that the agent is given; `missing` names what prevents that. */
export function agentRun(
  call: CallExpression,
  { agents }: Declarations,
  writer: GraphWriter,
  code: CodeReader,
): AgentRun | { readonly missing: string } {
  const [first, items, options] = call.arguments;
  const agent = first?.type === 'Identifier' ? agents.get(first.name) : undefined;
  if (!agent) return { missing: first?.type === 'Identifier' ? first.name : 'the agent' };
  const key = writer.key(`${agent.name} answer`);
  const prompt = writer.key(`${agent.name} prompt`);
  const prepare: PlainCode[] = [];
  const read = items && code.read(items);
  if (read && 'missing' in read) return read;
  prepare.push(
    read
      ? { ...read, before: [...read.before, conversationText], source: `let ${prompt} = textOfItems(${read.source});` }
      : { source: `let ${prompt} = '';`, before: [], variables: [] },
  );
  const prepared = [prompt];
  let preamble = agent.instructions;
  const context = contextOf(options);
  for (const name of agent.context) {
    const value = context.get(name);
    const given = value && code.read(value);
    if (given && 'missing' in given) return given;
    const field = writer.key(`${agent.name} ${name}`);
    prepare.push(
      given ? { ...given, source: `let ${field} = ${given.source} ?? '';` } : { source: `let ${field} = '';`, before: [], variables: [] },
    );
    prepared.push(field);
    preamble = preamble.replaceAll(`\u0000${name}\u0000`, `{${field}}`);
  }
  const settings = { ...agent.settings, ...(preamble !== '' && { preamble }), prompt: `{${prompt}}` };
  const does: Deed =
    agent.schema === null
      ? { kind: 'agent', agent: { ...settings, mode: 'chat' }, schema: { type: 'string' } }
      : { kind: 'agent', agent: settings, schema: agent.schema };
  return { title: agent.name, key, does, prepare, prepared };
}

/** The properties of `{ context: { … } }`. */
function contextOf(options: AnyNode | undefined): Map<string, AnyNode> {
  const context = options?.type === 'ObjectExpression' ? propertiesOf(options).get('context') : undefined;
  return context?.type === 'ObjectExpression' ? propertiesOf(context) : new Map();
}
