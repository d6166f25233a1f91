import { createHash } from 'node:crypto';
import type { SqlDatabase } from '#main/journal/database.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** Values whose text is longer are stored apart, once, by content. In UTF-16 units of their JSON text. */
const inlineLimit = 4096;

/** How much text one value may be put together from, so that a forged file of references to references cannot fill the memory. */
const readLimit = 512 * 1024 * 1024;

/** What a reference costs of that at least. */
const referenceCost = 4 * inlineLimit;

/** How many long strings are remembered by content, so that one carried from step to step is hashed once. */
const rememberedStrings = 64;

/**
 * Writes values as JSON text in which every part over 4 KiB is replaced by `{"$blob": SHA-256 of its text}` and stored in the
 * table `blobs`. Parts inside parts are stored apart too, so a large value of which one small field changed costs that field and
 * the objects around it. An object that looks like such a reference is written as `{"$plain": …}`. One store serves one run;
 * what it has written before it knows by identity.
 */
export class ValueWriter {
  readonly #insertBlob;
  readonly #insertUse;
  readonly #run: number;
  readonly #used = new Set<string>();
  #byIdentity = new WeakMap<object, string>();
  readonly #byString = new Map<string, string>();

  constructor(database: SqlDatabase, run: number) {
    this.#run = run;
    this.#insertBlob = database.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)');
    this.#insertUse = database.prepare('INSERT OR IGNORE INTO blob_uses (run, hash) VALUES (?, ?)');
  }

  /** The text that stands for `value` in a row. Call inside a transaction; after a rollback call `forget`. */
  write(value: Json): string {
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? this.#writeString(value) : JSON.stringify(value);
    }
    const known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    if (isSmall(value)) {
      const text = JSON.stringify(value);
      if (text.length <= inlineLimit && !text.includes('{"$')) return text;
    }
    const written = this.#writeParts(value);
    if (written.startsWith('{"$blob"')) this.#byIdentity.set(value, written);
    return written;
  }

  /** Forgets what was written, since a transaction was rolled back. */
  forget(): void {
    this.#used.clear();
    this.#byIdentity = new WeakMap();
    this.#byString.clear();
  }

  #writeParts(value: Json): string {
    if (!isJsonObject(value)) return this.#store(`[${(value as readonly Json[]).map((item) => this.write(item)).join(',')}]`);
    // Optional fields may stand there as undefined, which JSON leaves out.
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    const text = `{${keys.map((key) => `${JSON.stringify(key)}:${this.write(value[key] as Json)}`).join(',')}}`;
    const looksLikeReference = keys.length === 1 && (keys[0] === '$blob' || keys[0] === '$plain');
    return this.#store(looksLikeReference ? `{"$plain":${text}}` : text);
  }

  #writeString(value: string): string {
    const known = this.#byString.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    if (text.length <= inlineLimit) return text;
    const written = this.#store(text);
    if (this.#byString.size >= rememberedStrings) this.#byString.delete(this.#byString.keys().next().value as string);
    this.#byString.set(value, written);
    return written;
  }

  #store(text: string): string {
    if (text.length <= inlineLimit) return text;
    const hash = createHash('sha256').update(text).digest('hex');
    if (!this.#used.has(hash)) {
      this.#insertBlob.run(hash, text);
      this.#insertUse.run(this.#run, hash);
      this.#used.add(hash);
    }
    return `{"$blob":"${hash}"}`;
  }
}

/** Reads what `ValueWriter` wrote. Throws `SnapLoadError` when the text is no JSON, or a part is missing or was altered. */
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
    const parsed = this.#parse(text);
    return text.includes('{"$') ? this.#resolve(parsed, 0) : parsed;
  }

  #parse(text: string): Json {
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw this.#damaged('a value in it is no JSON');
    }
  }

  #resolve(value: Json, depth: number): Json {
    // A chain of references that a forged file could make endless: values nest at most 1,000 levels.
    if (depth > 4000) throw this.#damaged('a value in it nests without end');
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item, depth + 1));
    if (!isJsonObject(value)) return value;
    const keys = Object.keys(value);
    if (keys.length === 1 && keys[0] === '$blob') return this.#load(value.$blob, depth);
    if (keys.length === 1 && keys[0] === '$plain') return this.#resolveFields(value.$plain, depth);
    return this.#resolveFields(value, depth);
  }

  #resolveFields(value: Json | undefined, depth: number): Json {
    if (!isJsonObject(value)) throw this.#damaged('a value in it has a wrong form');
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#resolve(item, depth + 1)]));
  }

  #load(hash: Json | undefined, depth: number): Json {
    const row = (typeof hash === 'string' ? this.#select.get(hash) : undefined) as { text: string } | undefined;
    if (!row) throw this.#damaged('a large value is missing');
    if (createHash('sha256').update(row.text).digest('hex') !== hash) throw this.#damaged('a large value was altered');
    this.#budget -= Math.max(row.text.length, referenceCost);
    if (this.#budget < 0) throw this.#damaged('a value in it is too large');
    return this.#resolve(this.#parse(row.text), depth + 1);
  }

  #damaged(what: string): FlowError {
    return new FlowError('SnapLoadError', `The journal ${this.#where} is damaged: ${what}.`, { details: { path: this.#where } });
  }
}

/** Whether a value's text is surely about `inlineLimit` or less, found without building the text. */
function isSmall(value: Json): boolean {
  let budget = inlineLimit;
  const spend = (item: Json): boolean => {
    budget -= typeof item === 'string' ? item.length + 2 : 4;
    if (budget < 0) return false;
    if (Array.isArray(item)) return item.every(spend);
    if (!isJsonObject(item)) return true;
    return Object.entries(item).every(([key, field]) => {
      budget -= key.length + 3;
      return field === undefined || spend(field);
    });
  };
  return spend(value);
}
