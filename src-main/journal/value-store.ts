import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { ChunkedValues } from './chunked-values.ts';
import { prepared, type SqlDatabase } from './database.ts';

/** Longer values are stored separately, once, by content. In UTF-16 units of their JSON text. */
const inlineLimit = 4096;

/** Maximum text from which one value is assembled, so that a forged file of nested references can't fill the memory. */
const readLimit = 512 * 1024 * 1024;

/** Minimum cost of a reference against this limit. */
const referenceCost = 4 * inlineLimit;

/** Number of long strings cached by content, so that a string passed from step to step is hashed once. */
const rememberedStrings = 64;

/** Minimum length of a separately stored chunk of a wide value; shorter ones are stored inline. */
const chunkLimit = 256;

/** Maximum number of chunks per value; more are nested in groups. */
const groupSize = 32;

/**
 * Writes values as JSON text in which every part over 4 KiB is replaced by `{"$blob": SHA-256 of its text}` and stored in the
 * table `blobs`. Nested parts are also stored separately, so a small change in a large value costs only the changed field and
 * the objects around it. Long lists and wide objects are chunked: `{"$list": [part, …]}` concatenates the items of its parts, which are lists,
 * `{"$object": [part, …]}` the fields of its parts. An object that looks like one of these is written as `{"$plain": …}`. One
 * writer serves one run; it recognizes values that it has already written by identity.
 */
export class ValueWriter {
  readonly #insertBlob;
  readonly #insertUse;
  readonly #run: number;
  readonly #used = new Set<string>();
  readonly #chunked = new ChunkedValues();
  #byIdentity = new WeakMap<object, string>();
  readonly #byString = new Map<string, string>();

  constructor(database: SqlDatabase, run: number) {
    this.#run = run;
    this.#insertBlob = prepared(database, 'INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)');
    this.#insertUse = prepared(database, 'INSERT OR IGNORE INTO blob_uses (run, hash) VALUES (?, ?)');
  }

  /** Returns the text that represents `value` in a row. Call inside a transaction; after a rollback call `forget`. */
  write(value: Json): string {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? this.#writeString(value) : JSON.stringify(value);
    }
    const text = this.#byIdentity.get(value) ?? shortText(value);
    if (text !== undefined) return text;
    const written = isJsonObject(value) ? this.#writeObject(value) : this.#writeList(value as readonly Json[]);
    if (written.startsWith('{"$')) this.#byIdentity.set(value, written);
    return written;
  }

  /** Returns the text of a list of values, each recognized by its own identity. */
  writeEach(values: readonly Json[]): string {
    return this.#store(`[${values.map((value) => this.write(value)).join(',')}]`);
  }

  /** Forgets written values after a rollback. */
  forget(): void {
    this.#used.clear();
    this.#byIdentity = new WeakMap();
    this.#byString.clear();
    this.#chunked.forget();
  }

  #writeList(items: readonly Json[]): string {
    const textOf = (from: number, to: number): string => {
      const some = items.slice(from, to);
      // Write many small items at once.
      if (some.every((item) => lengthUpTo(inlineLimit, item) <= inlineLimit)) {
        const text = JSON.stringify(some);
        if (!text.includes('{"$')) return text;
      }
      return `[${some.map((item) => this.write(item)).join(',')}]`;
    };
    const chunks = this.#chunked.chunks({ keys: null, items }, estimate, (from, to) => this.#store(textOf(from, to), chunkLimit));
    return chunks ? this.#gather('$list', chunks) : this.#store(textOf(0, items.length));
  }

  #writeObject(value: JsonObject): string {
    // Optional fields may be undefined, which JSON omits.
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    const items = keys.map((key) => value[key] as Json);
    const textOf = (from: number, to: number): string => {
      let text = '';
      for (let at = from; at < to; at += 1) text += `${at > from ? ',' : ''}${JSON.stringify(keys[at])}:${this.write(items[at] as Json)}`;
      return `{${text}}`;
    };
    const chunks = this.#chunked.chunks({ keys, items }, estimate, (from, to) =>
      this.#store(plain(keys, from, to, textOf(from, to)), chunkLimit),
    );
    return chunks ? this.#gather('$object', chunks) : this.#store(plain(keys, 0, keys.length, textOf(0, keys.length)));
  }

  #gather(name: '$list' | '$object', chunks: readonly string[]): string {
    if (chunks.length <= groupSize) return this.#store(`{"${name}":[${chunks.join(',')}]}`);
    const groups: string[] = [];
    for (let from = 0; from < chunks.length; from += groupSize) {
      groups.push(this.#store(`{"${name}":[${chunks.slice(from, from + groupSize).join(',')}]}`, chunkLimit));
    }
    return this.#gather(name, groups);
  }

  #writeString(value: string): string {
    if (value.length <= 32) return JSON.stringify(value);
    const known = this.#byString.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    if (text.length <= inlineLimit) return text;
    const written = this.#store(text);
    if (this.#byString.size >= rememberedStrings) this.#byString.delete(this.#byString.keys().next().value as string);
    this.#byString.set(value, written);
    return written;
  }

  #store(text: string, limit = inlineLimit): string {
    if (text.length <= limit) return text;
    const hash = createHash('sha256').update(text).digest('hex');
    if (!this.#used.has(hash)) {
      this.#insertBlob.run(hash, text);
      this.#insertUse.run(this.#run, hash);
      this.#used.add(hash);
    }
    return `{"$blob":"${hash}"}`;
  }
}

const marks: ReadonlySet<string> = new Set(['$blob', '$list', '$object', '$plain']);

/** Escapes the text of an object (a range of its fields) that would be treated as a reference. */
function plain(keys: readonly string[], from: number, to: number, text: string): string {
  return to - from === 1 && marks.has(keys[from] as string) ? `{"$plain":${text}}` : text;
}

/** Reads what `ValueWriter` wrote. Throws `SnapLoadError` if the text is not JSON, or a part is missing or was altered. */
export class ValueReader {
  readonly #select;
  readonly #where: string;
  #budget = readLimit;

  constructor(database: SqlDatabase, path: string) {
    this.#where = path;
    this.#select = database.prepare('SELECT text FROM blobs WHERE hash = ?');
  }

  read(text: string): Json {
    this.#budget = readLimit;
    return this.#readText(text, 0);
  }

  /** Returns what `ValueWriter` wrote as this type. */
  readAs<Type>(text: string): Type {
    // The journal is this program's own, and walking every event and message again would take most of a read's time.
    return this.read(text) as unknown as Type;
  }

  #readText(text: string, depth: number): Json {
    let parsed: Json;
    try {
      parsed = JSON.parse(text) as Json;
    } catch {
      throw this.#damaged('a value in it is not JSON');
    }
    return text.includes('{"$') ? this.#resolve(parsed, depth) : parsed;
  }

  #resolve(value: Json, depth: number): Json {
    // A forged file could contain an endless chain of references; values nest at most 1,000 levels.
    if (depth > 4000) throw this.#damaged('a value in it is nested too deeply');
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item, depth + 1));
    if (!isJsonObject(value)) return value;
    const keys = Object.keys(value);
    if (keys.length !== 1 || !marks.has(keys[0] as string)) return this.#resolveFields(value, depth);
    if (value.$blob !== undefined) return this.#load(value.$blob, depth);
    if (value.$list !== undefined) return this.#parts(value.$list, depth).flatMap((part) => this.#asList(part));
    if (value.$object !== undefined) {
      return Object.fromEntries(this.#parts(value.$object, depth).flatMap((part) => Object.entries(this.#asObject(part))));
    }
    return this.#resolveFields(value.$plain, depth);
  }

  #resolveFields(value: Json | undefined, depth: number): Json {
    return Object.fromEntries(Object.entries(this.#asObject(value)).map(([key, item]) => [key, this.#resolve(item, depth + 1)]));
  }

  #parts(value: Json, depth: number): Json[] {
    return this.#asList(value).map((part) => this.#resolve(part, depth + 1));
  }

  #asList(value: Json): readonly Json[] {
    if (!Array.isArray(value)) throw this.#damaged('a value in it has an invalid structure');
    return value;
  }

  #asObject(value: Json | undefined): JsonObject {
    if (!isJsonObject(value)) throw this.#damaged('a value in it has an invalid structure');
    return value;
  }

  #load(hash: Json, depth: number): Json {
    const row = (typeof hash === 'string' ? this.#select.get(hash) : undefined) as { text: string } | undefined;
    if (!row) throw this.#damaged('a large value is missing');
    if (createHash('sha256').update(row.text).digest('hex') !== hash) throw this.#damaged('a large value was altered');
    this.#budget -= Math.max(row.text.length, referenceCost);
    if (this.#budget < 0) throw this.#damaged('a value in it is too large');
    return this.#readText(row.text, depth + 1);
  }

  #damaged(what: string): FlowError {
    return new FlowError('SnapLoadError', `The journal ${this.#where} is corrupt: ${what}.`, { details: { path: this.#where } });
  }
}

const estimate = (item: Json): number => Math.min(inlineLimit, lengthUpTo(inlineLimit, item));

/** Returns the text of a value that can be stored inline: it is short and can't be treated as a reference. */
export function shortText(value: Json): string | undefined {
  if (lengthUpTo(inlineLimit, value) > inlineLimit) return undefined;
  const text = JSON.stringify(value);
  return text.length <= inlineLimit && !text.includes('{"$') ? text : undefined;
}

/** Estimates the length of a value's text without building it: slightly too short; stops beyond `limit`. */
function lengthUpTo(limit: number, value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      length += lengthUpTo(limit - length, item) + 1;
      if (length > limit) return length;
    }
    return length;
  }
  const object = value as JsonObject;
  for (const key in object) {
    length += key.length + 4 + lengthUpTo(limit - length, object[key]);
    if (length > limit) return length;
  }
  return length;
}
