import { literalTemplate, parseTemplate } from '#shared/flow/template.ts';

/** A template over a value as one over an object that holds that value under `key`: `{subject}` becomes `{input.subject}`. */
export function nestTemplate(template: string, key: string): string {
  return parseTemplate(template)
    .map((part) => (typeof part === 'string' ? literalTemplate(part) : `{${[key, ...part].join('.')}}`))
    .join('');
}
