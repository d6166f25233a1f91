import { didYouMean } from '#shared/flow/did-you-mean.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import type { ReportImport } from './import-problem.ts';
import type { ListedTool } from './workflow.ts';

type Path = readonly (string | number)[];

/** Reads the fields of one object of a workflow as PyFlow's models do, and reports each field that they refuse. */
export class Fields {
  readonly #value: JsonObject;
  readonly #path: Path;
  readonly #what: string;
  readonly #report: ReportImport;
  readonly #read = new Set<string>();

  constructor(value: JsonObject, path: Path, what: string, report: ReportImport) {
    this.#value = value;
    this.#path = path;
    this.#what = what;
    this.#report = report;
  }

  /** True if the field is present and not null. */
  has(key: string): boolean {
    return Object.hasOwn(this.#value, key) && this.#value[key] !== null;
  }

  text(key: string): string | null {
    const value = this.#get(key);
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') return value;
    this.#wrong(key, 'must be text', value);
    return null;
  }

  /** A text that PyFlow requires and does not accept empty. */
  requiredText(key: string): string {
    const value = this.text(key);
    if (!value && !this.#isWrong(key)) this.missing(key);
    return value ?? '';
  }

  /** One of a few words. */
  choice<Word extends string>(key: string, words: readonly Word[], fallback: Word | null): Word | null {
    const value = this.#get(key);
    if (value === undefined) {
      if (fallback === null) this.missing(key);
      return fallback;
    }
    if (typeof value === 'string' && (words as readonly string[]).includes(value)) return value as Word;
    const hint = typeof value === 'string' ? didYouMean(value, words) : '';
    this.#report('pyflow_format', [...this.#path, key], `"${key}" of ${this.#what} must be one of ${words.join(', ')}.${hint}`);
    return null;
  }

  number(key: string, whole = false): number | null {
    const value = this.#get(key);
    if (value === undefined || value === null) return null;
    // PyFlow's models accept numbers in text.
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number) && (!whole || Number.isInteger(number))) return number;
    this.#wrong(key, whole ? 'must be a whole number' : 'must be a number', value);
    return null;
  }

  object(key: string): JsonObject | null {
    const value = this.#get(key);
    if (value === undefined || value === null) return null;
    if (isJsonObject(value)) return value;
    this.#wrong(key, 'must be an object', value);
    return null;
  }

  list(key: string): readonly Json[] | null {
    const value = this.#get(key);
    if (value === undefined || value === null) return null;
    if (Array.isArray(value)) return value as readonly Json[];
    this.#wrong(key, 'must be a list', value);
    return null;
  }

  texts(key: string): readonly string[] | null {
    const list = this.list(key);
    if (!list) return null;
    return list.map((item, index) => {
      if (typeof item === 'string') return item;
      this.#report('pyflow_format', [...this.#path, key, index], `Each item of "${key}" of ${this.#what} must be text.`);
      return '';
    });
  }

  /** A list of tools: names, and APIs with patterns of their operations (`{ynab: ["get*"]}`). */
  tools(key: string): readonly ListedTool[] {
    return (this.list(key) ?? []).flatMap((item, index) => {
      if (typeof item === 'string') return [{ name: item }];
      const entries = isJsonObject(item) ? Object.entries(item) : [];
      const [[name, patterns] = ['', null]] = entries;
      if (entries.length === 1 && isTexts(patterns)) return [{ name, patterns }];
      const message = `Each item of "${key}" of ${this.#what} must be a name, or one API with a list of patterns.`;
      this.#report('pyflow_format', [...this.#path, key, index], message);
      return [];
    });
  }

  /** A list of names that PyFlow requires and does not accept empty. */
  requiredTexts(key: string): readonly string[] {
    const list = this.texts(key);
    if ((!list || list.length === 0) && !this.#isWrong(key)) this.missing(key);
    return list ?? [];
  }

  missing(key: string): void {
    const path = Object.hasOwn(this.#value, key) ? [...this.#path, key] : this.#path;
    this.#report('pyflow_format', path, `The key "${key}" of ${this.#what} is missing or empty. PyFlow requires it.`);
  }

  /** Reports, as warnings, the keys that nothing has read and that are not among `others`. */
  ignored(others: readonly string[] = []): void {
    const known = [...this.#read, ...others];
    for (const key of Object.keys(this.#value)) {
      if (known.includes(key)) continue;
      const message = `PyFlow ignores the unknown key "${key}" of ${this.#what}.${didYouMean(key, known)}`;
      this.#report('pyflow_ignored', [...this.#path, key], message, 'warning');
    }
  }

  #get(key: string): Json | undefined {
    this.#read.add(key);
    return Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
  }

  /** Whether the field is there with a wrong type, which was reported. */
  #isWrong(key: string): boolean {
    const value = this.#value[key];
    return Object.hasOwn(this.#value, key) && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  }

  #wrong(key: string, must: string, value: Json): void {
    const shown = JSON.stringify(value);
    this.#report(
      'pyflow_format',
      [...this.#path, key],
      `"${key}" of ${this.#what} ${must}, but is ${shown.length > 60 ? `${shown.slice(0, 57)}…` : shown}.`,
    );
  }
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
