import { jsonText, parseJson } from '#renderer/ui/forms/parse-json.ts';
import type { Mock, MockRule } from '#shared/contract/supplied.ts';
import { texts } from './texts.ts';

/** The fields of a rule, as text. Empty: not set. */
export interface RuleFields {
  readonly when: string;
  readonly answer: 'result' | 'error';
  /** JSON of the result, or the message of the error. */
  readonly text: string;
  readonly delay: string;
}

export const newRule: RuleFields = { when: '', answer: 'result', text: '{}', delay: '' };

export function rulesOf({ rules }: Mock): RuleFields[] {
  return rules.map(({ when = '', result, error, delay_ms }) => ({
    when,
    answer: error === undefined ? 'result' : 'error',
    text: error === undefined ? jsonText(result ?? null) : typeof error === 'string' ? error : jsonText(error),
    delay: delay_ms === undefined ? '' : String(delay_ms),
  }));
}

/** The mock with these rules, or why the text of one can't be read. */
export function withRules(mock: Mock, fields: readonly RuleFields[], calls: boolean): { readonly mock: Mock } | { readonly fault: string } {
  const rules: MockRule[] = [];
  for (const [index, { when, answer, text, delay }] of fields.entries()) {
    const parsed = answer === 'result' ? parseJson(text) : { value: errorOf(text) };
    if ('error' in parsed) return { fault: texts.mock.notJson(index + 1, parsed.error) };
    rules.push({
      ...(when.trim() !== '' && { when: when.trim() }),
      [answer]: parsed.value,
      ...(delay.trim() !== '' && { delay_ms: Number(delay) }),
    } as MockRule);
  }
  const { otherwise: _before, rules: _old, ...rest } = mock;
  return { mock: { ...rest, rules, ...(calls && { otherwise: 'call' }) } as Mock };
}

/** An error is its message; one with a code stays the object that it was. */
function errorOf(text: string): unknown {
  const parsed = text.trimStart().startsWith('{') ? parseJson(text) : { value: text };
  return 'value' in parsed ? parsed.value : text;
}
