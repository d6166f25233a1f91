import { literalTemplate } from '#shared/flow/template.ts';
import type { ForeignGraph } from '#shared/import/foreign-graph.ts';
import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { listAt, objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { modelOf } from './model-of.ts';

/** An app without a workflow: one model that is asked with the app's prompt. */
export function simpleApp(value: JsonObject, name: string, description: string, report: ReportForeign): ForeignGraph {
  const settings = objectAt(value, 'model_config');
  const chats = textAt(objectAt(value, 'app'), 'mode') !== 'completion';
  const fields = objectsAt(settings, 'user_input_form').flatMap((entry) => Object.values(entry).filter(isJsonObject));
  const input: Record<string, JsonSchema> = Object.fromEntries(
    fields.map((field) => [textAt(field, 'variable'), { type: 'string', description: textAt(field, 'label') }]),
  );
  if (chats) input.query = { type: 'string' };
  const template = (text: string) =>
    text
      .split(/(\{\{\w+\}\})/)
      .map((part) => (/^\{\{\w+\}\}$/.test(part) && part.slice(2, -2) in input ? part.slice(1, -1) : literalTemplate(part)))
      .join('');
  for (const { tool_name, enabled } of objectsAt(objectAt(settings, 'agent_mode'), 'tools'))
    if (enabled !== false)
      report(
        'import_ignored',
        ['model_config', 'agent_mode', 'tools'],
        `The tool “${String(tool_name)}” is left out. Add a tool that does the same to the agent.`,
      );
  if (listAt(objectAt(objectAt(settings, 'dataset_configs'), 'datasets'), 'datasets').length > 0)
    report('import_ignored', ['model_config', 'dataset_configs'], 'Its knowledge is not in the file, so it is left out.');
  if (chats) report('import_departs', ['app', 'mode'], 'Each run is one question and its answer: earlier messages of a chat are not sent.');
  const { url, params } = modelOf(objectAt(settings, 'model'), name, ['model_config', 'model'], report);
  const prompt = template(textAt(settings, 'pre_prompt'));
  return {
    name,
    ...(description && { description }),
    input,
    required: [
      ...fields.filter(({ required }) => required === true).map((field) => textAt(field, 'variable')),
      ...(chats ? ['query'] : []),
    ],
    start: 'model',
    nodes: [
      {
        id: 'model',
        title: name,
        key: 'answer',
        does: {
          kind: 'agent',
          schema: { type: 'string' },
          agent: {
            model: url,
            mode: 'chat',
            ...params,
            ...(chats && prompt !== '' && { preamble: prompt }),
            prompt: chats ? '{query}' : prompt,
          },
        },
      },
    ],
    edges: [],
    result: '({ answer: data.answer })',
    resultSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
  };
}
