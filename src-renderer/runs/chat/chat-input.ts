import { isJsonObject, type Json } from '#shared/json.ts';

/** Names of fields that usually hold the message, where none of the input's texts was said. */
export const usualNames = ['text', 'message', 'question', 'prompt', 'input'];

/**
 * The input of the next message in a conversation: that of an earlier run, with its message replaced by `text`. The message is the field whose text
 * `said`, the prompt of that run, contains; of several, the longest. Null if no field is it.
 */
export function inputOfMessage(earlier: Json, said: string, text: string): Json | null {
  if (typeof earlier === 'string') return text;
  if (!isJsonObject(earlier)) return null;
  const texts = Object.entries(earlier).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
  const inPrompt = texts.filter(({ value }) => value !== '' && said.includes(value)).sort((a, b) => b.value.length - a.value.length);
  const usual = usualNames.flatMap((name) => texts.filter((each) => each.name === name));
  const field = inPrompt.find(({ name }) => usualNames.includes(name)) ?? inPrompt[0] ?? usual[0];
  return field === undefined ? null : { ...earlier, [field.name]: text };
}
