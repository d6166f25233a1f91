import { literalTemplate } from '#shared/flow/template.ts';
import { joinedText, valueAt } from '#shared/import/js-text.ts';
import type { Json } from '#shared/json.ts';

/** Where the outputs of a node are. */
export interface Place {
  /** Path of an output within `data`, from the names after the node's id. */
  readonly path: (fields: readonly string[]) => readonly string[];
}

/** The places that an app's texts and selectors can name: nodes by id, and `sys`, `env`, `conversation`. */
export class Selectors {
  readonly #places = new Map<string, Place>();
  /** Environment variables that are secrets. */
  readonly secrets = new Set<string>();

  place(id: string, path: Place['path']): void {
    this.#places.set(id, { path });
  }

  /** Path within `data` of a selector such as `["1718", "text"]`; null if nothing has that id. */
  path(selector: readonly Json[]): readonly string[] | null {
    const [id, ...fields] = selector.map(String);
    return this.#places.get(id ?? '')?.path(fields) ?? null;
  }

  /** Code of a selector's value; `undefined` where nothing has its id. */
  value(selector: readonly Json[]): string {
    const path = this.path(selector);
    return path ? valueAt(path) : 'undefined';
  }

  /** A text with `{{#id.field#}}` as a template of ours. In `{secret:NAME}` form where secrets may be sent. */
  template(text: string, secrets = false): string {
    return this.#parts(text)
      .map((part) => {
        if (typeof part === 'string') return literalTemplate(part);
        const [first, name] = part;
        if (secrets && first === 'env' && name !== undefined && this.secrets.has(name)) return `{secret:${name}}`;
        return `{${part.join('.')}}`;
      })
      .join('');
  }

  /** Code of a text with `{{#id.field#}}`. */
  text(text: string): string {
    return joinedText(this.#parts(text));
  }

  #parts(text: string): (string | readonly string[])[] {
    const parts: (string | readonly string[])[] = [];
    let end = 0;
    for (const match of text.matchAll(/\{\{#([^#{}]+)#\}\}/g)) {
      parts.push(text.slice(end, match.index));
      parts.push(this.path((match[1] as string).trim().split('.')) ?? match[0]);
      end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts.filter((part) => part !== '');
  }
}

/** A Jinja text as code, if all it does is to insert variables (`{{ name }}`, `{{ name.field }}`); else null. `paths` are those of its variables. */
export function simpleJinja(text: string, paths: ReadonlyMap<string, readonly string[]>): string | null {
  if (/\{[%#]/.test(text)) return null;
  const parts: (string | readonly string[])[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{\{-?(.*?)-?\}\}/gs)) {
    const [name = '', ...fields] = (match[1] as string).trim().split('.');
    const path = paths.get(name);
    if (!path || fields.some((field) => !/^\w+$/.test(field))) return null;
    parts.push(text.slice(end, match.index), [...path, ...fields]);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return joinedText(parts.filter((part) => part !== ''));
}
