import { isJsonObject, type Json } from '#shared/json.ts';
import { Fields } from './fields.ts';
import type { ReportImport } from './import-problem.ts';
import type { PyflowAgent } from './workflow.ts';

const agentTypes = ['llm', 'sequential', 'parallel', 'loop', 'code', 'tool', 'expr'] as const;

/** Keys of every type of agent: PyFlow accepts the keys of one type at another and ignores them. */
const agentKeys = [
  'name type model instruction tools output_key sub_agents callbacks description include_contents output_schema input_schema',
  'temperature max_output_tokens top_p top_k function input_keys tool tool_config expression agent_tools',
].flatMap((keys) => keys.split(' '));

/** Reads one agent; null if its type is unknown. */
export function readAgent(value: Json, index: number, report: ReportImport): PyflowAgent | null {
  const path = ['agents', index];
  if (!isJsonObject(value)) {
    report('pyflow_format', path, 'An agent must be an object with at least "name" and "type".');
    return null;
  }
  const named = typeof value.name === 'string' && value.name !== '' ? value.name : `number ${index + 1}`;
  const fields = new Fields(value, path, `the agent ${named}`, report);
  const name = fields.requiredText('name');
  const type = fields.choice('type', agentTypes, null);
  const head = { name, index, description: fields.text('description') ?? '' };
  const agent = type && agentOf(type, head, fields);
  fields.ignored(agentKeys);
  return agent;
}

function agentOf(
  type: (typeof agentTypes)[number],
  head: Pick<PyflowAgent, 'name' | 'index' | 'description'>,
  fields: Fields,
): PyflowAgent {
  switch (type) {
    case 'llm': {
      const callbacks = Object.entries(fields.object('callbacks') ?? {}).map(([key, value]) => [key, String(value)]);
      return {
        ...head,
        type,
        model: fields.requiredText('model'),
        instruction: fields.requiredText('instruction'),
        tools: fields.tools('tools'),
        agent_tools: fields.texts('agent_tools') ?? [],
        output_key: fields.text('output_key') || null,
        include_contents: fields.choice('include_contents', ['default', 'none'], 'default') ?? 'default',
        output_schema: nonEmpty(fields.object('output_schema')),
        input_schema: nonEmpty(fields.object('input_schema')),
        callbacks: Object.fromEntries(callbacks) as Record<string, string>,
        temperature: fields.number('temperature'),
        max_output_tokens: fields.number('max_output_tokens', true),
        top_p: fields.number('top_p'),
        top_k: fields.number('top_k', true),
      };
    }
    case 'expr':
      return {
        ...head,
        type,
        expression: fields.requiredText('expression'),
        input_keys: fields.texts('input_keys') ?? [],
        output_key: fields.requiredText('output_key'),
      };
    case 'code':
      return {
        ...head,
        type,
        function: fields.requiredText('function'),
        input_keys: fields.texts('input_keys') ?? [],
        output_key: fields.requiredText('output_key'),
      };
    case 'tool':
      return {
        ...head,
        type,
        tool: fields.requiredText('tool'),
        tool_config: fields.object('tool_config') ?? {},
        output_key: fields.requiredText('output_key'),
      };
    default:
      return { ...head, type, sub_agents: fields.requiredTexts('sub_agents') };
  }
}

/** PyFlow treats an empty schema as none. */
function nonEmpty<Value extends object>(value: Value | null): Value | null {
  return value && Object.keys(value).length > 0 ? value : null;
}
