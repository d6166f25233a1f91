import type { DebugProtocol } from '@vscode/debugprotocol';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** The longest text of a value in a list; `clipboard` gets all of it. */
const longest = 1000;

/** A state of a flow, or a part of it: what a data breakpoint watches. */
export interface StatePart {
  readonly flow: string;
  readonly state: string;
  /** JSON Pointer. */
  readonly path: string;
}

/** A value that can be opened. */
interface Opened {
  readonly value: Json;
  /** An expression that evaluates to it; empty for values without one. */
  readonly expression: string;
  /** Of the list of a flow's states. */
  readonly flow?: string;
  readonly part?: StatePart;
}

/** Values shown to a client, by the numbers under which it opens them. They are valid until the run moves. */
export class ShownValues {
  readonly #opened = new Map<number, Opened>();
  #next = 1;

  /** Forgets all values. Their numbers are not used again. */
  clear(): void {
    this.#opened.clear();
  }

  open(opened: Opened): number {
    const reference = this.#next;
    this.#next += 1;
    this.#opened.set(reference, opened);
    return reference;
  }

  /** Returns the variables inside an opened value. Throws `FlowError` `NotFound` for one of an earlier stop. */
  variables(reference: number, filter?: 'indexed' | 'named', start = 0, count = 0): DebugProtocol.Variable[] {
    const opened = this.#get(reference);
    const { value } = opened;
    if (filter !== undefined && (filter === 'indexed') !== Array.isArray(value)) return [];
    const keys = Array.isArray(value) ? undefined : Object.keys(isJsonObject(value) ? value : {});
    const total = keys?.length ?? (value as readonly Json[]).length;
    const end = count > 0 ? Math.min(start + count, total) : total;
    const variables: DebugProtocol.Variable[] = [];
    for (let at = start; at < end; at += 1) {
      const key = keys?.[at] ?? String(at);
      variables.push({ name: key, ...this.#shownInside(opened, key) });
    }
    return variables;
  }

  /** Returns how a value is shown, with a number to open it if there is something inside. */
  shown(opened: Opened): Omit<DebugProtocol.Variable, 'name'> {
    const { value, expression } = opened;
    const inside = Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
    return {
      value: shortText(value),
      type: typeOf(value),
      variablesReference: inside > 0 ? this.open(opened) : 0,
      ...(inside > 0 && (Array.isArray(value) ? { indexedVariables: inside } : { namedVariables: inside })),
      ...(expression !== '' && { evaluateName: expression }),
      presentationHint: { kind: 'data', attributes: ['readOnly'] },
    };
  }

  /** Returns the state, or part of one, that a variable shows; null for others. */
  partOf(reference: number, name: string): StatePart | null {
    return partInside(this.#get(reference), name) ?? null;
  }

  #shownInside(around: Opened, key: string): Omit<DebugProtocol.Variable, 'name'> {
    const value = (around.value as Record<string, Json>)[key] ?? null;
    const part = partInside(around, key);
    return this.shown({ value, expression: memberOf(around.expression, key), ...(part && { part }) });
  }

  #get(reference: number): Opened {
    const opened = this.#opened.get(reference);
    if (!opened) throw new FlowError('NotFound', 'This value belongs to an earlier stop. Read the variables again.');
    return opened;
  }
}

function partInside({ value, flow, part }: Opened, key: string): StatePart | undefined {
  if (!(Array.isArray(value) ? value[Number(key)] !== undefined : isJsonObject(value) && Object.hasOwn(value, key))) return undefined;
  if (flow !== undefined) return { flow, state: key, path: '' };
  return part && { ...part, path: `${part.path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function memberOf(expression: string, key: string): string {
  if (expression === '') return '';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${expression}.${key}` : `${expression}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;
}

function shortText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
