import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import { isJsonObject, type Json, jsonPointer } from '#shared/json.ts';
import { type ComposedYaml, composeYaml } from './compose-yaml.ts';
import {
  maxDuplicates,
  maxNesting,
  objectOf,
  type SourceEntry,
  type SourceError,
  type SourceItem,
  type SourceNode,
  type SourceReading,
} from './source-tree.ts';

const tooDeep = `the document is nested deeper than ${maxNesting} levels`;

/** Values that aliases may add to a document: a few lines could otherwise exhaust memory. */
const maxAliasedValues = 10_000;

class Fault extends Error {
  readonly path: readonly (string | number)[];
  readonly position: number;

  constructor(message: string, path: readonly (string | number)[], position: number) {
    super(message);
    this.path = path;
    this.position = position;
  }
}

/** What is read besides YAML 1.2. */
export interface YamlOptions {
  /** Merge keys (`<<`) of YAML 1.1, which PyYAML knows. Default: they are an error. */
  readonly mergeKeys?: boolean;
}

/** Reads the subset of YAML 1.2 that is JSON: string keys, no special tags, no infinite numbers. Aliases are resolved. */
export function readYaml(text: string, { mergeKeys = false }: YamlOptions = {}): SourceReading {
  let composed: ComposedYaml;
  try {
    composed = composeYaml(text);
  } catch (error) {
    if (error instanceof RangeError) return fault(tooDeep);
    throw error;
  }
  if (!composed.ok) return fault(/call stack/.test(composed.message) ? tooDeep : sentence(composed.message), composed.position);
  const contents = composed.document?.contents;
  if (!contents) return fault('the file is empty');
  const reader = new Reader(text, mergeKeys);
  try {
    const root = reader.node(contents, []);
    return reader.duplicates.length > 0 ? { ok: false, faults: reader.duplicates } : { ok: true, root };
  } catch (error) {
    if (error instanceof Fault)
      return { ok: false, faults: [{ message: error.message, path: jsonPointer(error.path), position: error.position }] };
    throw error;
  }
}

function fault(message: string, position = 0): SourceReading {
  return { ok: false, faults: [{ message, path: '', position }] };
}

function sentence(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

class Reader {
  readonly duplicates: SourceError[] = [];
  readonly #text: string;
  readonly #mergeKeys: boolean;
  /** Nodes by their anchors, as far as the document has been read. */
  readonly #anchors = new Map<string, ParsedNode>();
  /** The target of each alias: an anchor may be redefined further down. */
  readonly #targets = new Map<Alias.Parsed, ParsedNode | undefined>();
  /** Values read inside an alias; null outside of one. */
  #aliased: number | null = null;
  #aliasedTotal = 0;

  constructor(text: string, mergeKeys: boolean) {
    this.#text = text;
    this.#mergeKeys = mergeKeys;
  }

  node(node: ParsedNode, path: readonly (string | number)[]): SourceNode {
    const [start, end] = node.range;
    if (path.length > maxNesting) throw new Fault(tooDeep, [], start);
    if (this.#aliased !== null && ++this.#aliasedTotal > maxAliasedValues) {
      throw new Fault(`aliases repeat more than ${maxAliasedValues} values; write the values out`, path, start);
    }
    if (isAlias(node)) return this.#alias(node, path);
    if (node.anchor && this.#aliased === null) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node.value, path, start, end);
    if (isMap(node)) {
      const entries = this.#entries(node, path);
      return {
        type: 'object',
        start,
        end,
        style: node.flow ? 'flow' : 'block',
        entries,
        value: objectOf(entries.map((entry) => [entry.key, entry.node.value])),
      };
    }
    if (isSeq(node)) {
      const items = this.#items(node, path);
      return { type: 'array', start, end, style: node.flow ? 'flow' : 'block', items, value: items.map((item) => item.node.value) };
    }
    throw new Fault('this is not a JSON value', path, start);
  }

  #alias(node: Alias.Parsed, path: readonly (string | number)[]): SourceNode {
    const [start, end] = node.range;
    if (!this.#targets.has(node)) this.#targets.set(node, this.#anchors.get(node.source));
    const target = this.#targets.get(node);
    if (!target || (isCollection(target) && target.range[0] < start && target.range[1] > start)) {
      throw new Fault('no anchor precedes this alias', path, start);
    }
    const outer = this.#aliased;
    this.#aliased = start;
    const value = this.node(target, path).value;
    this.#aliased = outer;
    return { type: 'scalar', start, end, value };
  }

  #scalar(value: unknown, path: readonly (string | number)[], start: number, end: number): SourceNode {
    if (value === undefined) return { type: 'scalar', start, end, value: null };
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Fault('JSON does not allow infinite numbers or NaN', path, start);
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
      return { type: 'scalar', start, end, value };
    }
    throw new Fault('this is not a JSON value', path, start);
  }

  #entries(map: YAMLMap.Parsed, path: readonly (string | number)[]): SourceEntry[] {
    const entries: SourceEntry[] = [];
    const keys = new Set<string>();
    const merged: SourceEntry[] = [];
    for (const pair of map.items) {
      const { key, value } = pair;
      const [keyStart, keyEnd] = key.range;
      if (!isAlias(key) && key.anchor && this.#aliased === null) this.#anchors.set(key.anchor, key);
      const name = isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? '')) : null;
      if (name === null || (name === '' && isScalar(key) && key.type === 'PLAIN'))
        throw new Fault('a key must be a string', path, keyStart);
      if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
        if (this.#mergeKeys && value) {
          merged.push(...this.#merged(value, [...path, name]));
          continue;
        }
        throw new Fault('merge keys (<<) are not part of YAML 1.2; write the keys out', path, keyStart);
      }
      if (keys.has(name) && this.duplicates.length < maxDuplicates)
        this.duplicates.push({
          message: `the key ${JSON.stringify(name)} appears twice`,
          path: jsonPointer([...path, name]),
          position: keyStart,
        });
      keys.add(name);
      const node: SourceNode = value ? this.node(value, [...path, name]) : { type: 'scalar', start: keyEnd, end: keyEnd, value: null };
      entries.push({ shift: 0, key: name, keyStart, keyEnd, node });
    }
    // Keys of its own win, and of several merged maps the first one.
    for (const entry of merged) {
      if (keys.has(entry.key)) continue;
      keys.add(entry.key);
      entries.push(entry);
    }
    return entries;
  }

  /** The entries of a map, or of several, that a merge key brings in, at the place of the merge key's value. */
  #merged(value: ParsedNode, path: readonly (string | number)[]): SourceEntry[] {
    const { start, end, value: maps } = this.node(value, path);
    return (Array.isArray(maps) ? (maps as readonly Json[]) : [maps]).flatMap((map) => {
      if (!isJsonObject(map)) throw new Fault('a merge key (<<) needs a map, or a list of maps', path, start);
      return Object.entries(map).map(([key, item]): SourceEntry => {
        return { shift: 0, key, keyStart: start, keyEnd: end, node: { type: 'scalar', start, end, value: item } };
      });
    });
  }

  #items(seq: YAMLSeq.Parsed, path: readonly (string | number)[]): SourceItem[] {
    let from = seq.range[0];
    const block = !seq.flow;
    return (seq.items as readonly ParsedNode[]).map((item, index) => {
      const node =
        isCollection(item) || isScalar(item) || isAlias(item) ? this.node(item, [...path, index]) : this.#pair(item, path, index);
      const start = block ? this.#dash(from) : node.start;
      from = Math.max(node.end, start + 1);
      return { shift: 0, start, node };
    });
  }

  #pair(_item: ParsedNode, path: readonly (string | number)[], index: number): never {
    throw new Fault('write this pair in braces', [...path, index], 0);
  }

  /** The next dash at or after a position, past blanks and comments. */
  #dash(from: number): number {
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = from;
    return from + (blank.exec(this.#text)?.[0].length ?? 0);
  }
}
