import type { ReportForeign } from '#shared/import/foreign-problem.ts';
import { objectAt, textAt } from '#shared/import/json-fields.ts';
import { instead, type LeftOut, reportLeftOut } from '#shared/import/left-out.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import type { DifyNode } from './dify-reader.ts';

/** Reports what a node is told about failures, time, memory and files, which a flow has no place for. */
export function reportNodeSettings({ title, type, data, at }: DifyNode, report: ReportForeign): void {
  const retry = objectAt(data, 'retry_config');
  const found: LeftOut[] = [];
  if (retry.retry_enabled === true) found.push({ setting: `retries (${String(retry.max_retries ?? 3)})`, instead: instead.retries });
  if (textAt(data, 'error_strategy') === 'default-value') found.push({ setting: 'the value after an error', instead: instead.goOn });
  if (/^(continue|remove)/.test(textAt(data, 'error_handle_mode')))
    found.push({ setting: 'continuing after an error', instead: instead.goOn });
  if (Object.values(objectAt(data, 'timeout')).some((seconds) => typeof seconds === 'number' && seconds > 0))
    found.push({ setting: 'the timeouts', instead: instead.timeout });
  if (type === 'iteration' && data.is_parallel === true) found.push({ setting: 'running items in parallel', instead: instead.parallel });
  if (isJsonObject(data.memory) && objectAt(data.memory, 'window').enabled !== false && type === 'llm')
    found.push({ setting: 'its memory', instead: 'Earlier messages of a chat are not sent.' });
  if (objectAt(data, 'vision').enabled === true) found.push({ setting: 'vision', instead: 'Put images into the agent’s input.' });
  reportLeftOut(`“${title}”`, at, found, report);
}

const features: Readonly<Record<string, string>> = {
  file_upload: 'file upload',
  sensitive_word_avoidance: 'moderation',
  speech_to_text: 'speech to text',
  text_to_speech: 'text to speech',
  retriever_resource: 'citations',
  suggested_questions_after_answer: 'suggested questions',
};

/** Reports the features of the app that a flow does not have. */
export function reportFeatures(workflow: JsonObject, report: ReportForeign): void {
  const given = objectAt(workflow, 'features');
  const found = Object.entries(features).flatMap(([key, setting]): LeftOut[] =>
    objectAt(given, key).enabled === true ? [{ setting, instead: 'They belong to Dify’s own page.' }] : [],
  );
  if (textAt(given, 'opening_statement') !== '')
    found.push({ setting: 'the opening statement', instead: 'They belong to Dify’s own page.' });
  reportLeftOut('The app', ['workflow', 'features'], found, report);
}
