import { z } from 'zod';
import { didYouMean } from '#shared/flow/did-you-mean.ts';
import { documentHeadSchema, type NodeKind, nodeKinds, nodeSchemas } from '#shared/flow/document.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonObject, jsonPointer } from '#shared/json.ts';

/** A place where a document is not of its shape. `path` is a JSON Pointer within what was checked. */
export interface FormatFault {
  readonly path: string;
  readonly message: string;
}

type Path = readonly (string | number)[];

/** Everything about a document that is not of its shape, its nodes left aside. */
export function headFaults(value: Json): FormatFault[] {
  if (!isJsonObject(value))
    return [
      { path: '', message: `A flow is an object with the keys pravah, name, input, output, schemas and nodes; this is ${nameOf(value)}.` },
    ];
  const faults = faultsOf(documentHeadSchema, wellFormed(value) ? { ...value, schemas: {} } : value, 'the document');
  if (faults.length === 0 && isJsonObject(value.schemas) && !knownSchemas.has(value.schemas)) {
    // The whole too, which is the same while none of it is edited.
    knownSchemas.add(value.schemas);
    for (const schema of Object.values(value.schemas)) if (isJsonObject(schema)) knownSchemas.add(schema);
  }
  return faults;
}

/** Schemas that were checked before and have no fault, as with the nodes below. */
const knownSchemas = new WeakSet<JsonObject>();

/** True when every schema is known to be of its shape. A large flow has thousands, of which an edit changes one. */
function wellFormed({ schemas }: JsonObject): boolean {
  if (!isJsonObject(schemas)) return false;
  if (knownSchemas.has(schemas)) return true;
  return Object.entries(schemas).every(
    ([name, schema]) => isJsonObject(schema) && knownSchemas.has(schema) && schemaNamePattern.test(name),
  );
}

/** Everything about one node that is not of its shape. Paths begin at the node. */
export function nodeFaults(raw: Json): readonly FormatFault[] {
  if (!isJsonObject(raw)) return [{ path: '', message: `A node is an object; this is ${nameOf(raw)}.` }];
  let faults = known.get(raw);
  if (!faults) {
    faults = faultsOfNode(raw);
    known.set(raw, faults);
  }
  return faults;
}

/** Faults of nodes that were checked before: parts of a text that did not change keep their values. */
const known = new WeakMap<JsonObject, readonly FormatFault[]>();

function faultsOfNode(raw: JsonObject): FormatFault[] {
  const { kind } = raw;
  if (kind === undefined) return [{ path: '', message: `The key "kind" is missing; it is one of ${nodeKinds.join(', ')}.` }];
  if (typeof kind !== 'string' || !Object.hasOwn(nodeSchemas, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, nodeKinds) : '';
    return [{ path: '/kind', message: `There is no kind of node ${JSON.stringify(kind)}; there are ${nodeKinds.join(', ')}.${hint}` }];
  }
  return [...faultsOf(nodeSchemas[kind as NodeKind], raw, `a node of kind ${kind}`), ...bodyFaults(raw, kind as NodeKind)];
}

const bodyKeys = ['run', 'run_file', 'module', 'expr', 'tool'] as const;
const bodyKinds: ReadonlySet<NodeKind> = new Set<NodeKind>(['work', 'either', 'fork', 'join']);

/** Rules about bodies that go across keys. */
function bodyFaults(raw: JsonObject, kind: NodeKind): FormatFault[] {
  if (!bodyKinds.has(kind)) return [];
  const has = (key: string) => Object.hasOwn(raw, key);
  const faults: FormatFault[] = [];
  const fault = (key: string, message: string) => faults.push({ path: `/${key}`, message });
  const bodies = bodyKeys.filter(has);
  const [first, ...others] = bodies;
  for (const other of others) fault(other, `A node has one body, and here are "${first}" and "${other}". Remove one of them.`);
  if (has('expr') && kind !== 'work' && kind !== 'either') fault('expr', `A ${kind} node cannot have "expr"; use "run".`);
  if (has('tool') && kind !== 'work') fault('tool', `Only a work node can have "tool"; a "run" body with "tools" can call it here.`);
  if (has('into') && !has('expr') && !has('tool')) fault('into', '"into" needs an "expr" or a "tool" beside it.');
  else if (has('into') && kind !== 'work')
    fault('into', `Only a work node can have "into"; the ${kind} node passes its value on unchanged.`);
  if (has('export') && !has('module')) fault('export', '"export" needs a "module" beside it.');
  if (has('with') && !has('tool')) fault('with', '"with" needs a "tool" beside it.');
  if (has('tools') && !has('run') && !has('run_file') && !has('module'))
    fault('tools', '"tools" needs a "run", "run_file" or "module" beside it.');
  return faults;
}

function faultsOf(schema: z.ZodType, value: JsonObject, what: string): FormatFault[] {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => faultsOfIssue(issue, value, [], what, schema));
}

function faultsOfIssue(issue: z.core.$ZodIssue, value: JsonObject, before: Path, what: string, schema: z.ZodType): FormatFault[] {
  const path = [...before, ...(issue.path as (string | number)[])];
  const found = at(value, path);
  const key = path.at(-1);
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(schema, path);
    const place = path.length === 0 ? what : `"${path.join('/')}" of ${what}`;
    return issue.keys.map((unknown) => ({
      path: jsonPointer([...path, unknown]),
      message: `The key ${JSON.stringify(unknown)} is not known in ${place}.${didYouMean(unknown, known)}`,
    }));
  }
  if (found === undefined && issue.code !== 'invalid_key') {
    const parent = path.slice(0, -1);
    return [
      {
        path: jsonPointer(parent),
        message: `The key "${key}" is missing in ${parent.length === 0 ? what : `"${parent.join('/')}" of ${what}`}.`,
      },
    ];
  }
  if (issue.code === 'invalid_key') {
    return [
      {
        path: jsonPointer(path),
        message: `${JSON.stringify(key)} cannot be the name of a schema; a name is made of letters, digits and _, and does not begin with a digit.`,
      },
    ];
  }
  return [
    {
      path: jsonPointer(path),
      message: `${path.length === 0 ? what : `"${path.join('/')}" of ${what}`} ${expectation(issue, path)}; this is ${nameOf(found)}.`,
    },
  ];
}

const shapes: Readonly<Record<string, string>> = {
  string: 'is a text',
  number: 'is a number',
  int: 'is a whole number',
  boolean: 'is true or false',
  array: 'is a list',
  tuple: 'is a list',
  object: 'is an object',
  record: 'is an object',
};

/** What should stand there, as the end of a sentence that begins with the place. */
function expectation(issue: z.core.$ZodIssue, path: Path): string {
  if (path.length === 1 && path[0] === 'pravah') return 'is the version of this format, and the only one known is 1';
  switch (issue.code) {
    case 'invalid_type':
      return shapes[issue.expected] ?? `is of type ${issue.expected}`;
    case 'invalid_value':
      return `is ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'array') return `has ${issue.exact ? 'exactly' : 'at least'} ${issue.minimum} items`;
      if (issue.origin === 'string') return 'is not empty';
      return `is ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array') return `has ${issue.exact ? 'exactly' : 'at most'} ${issue.maximum} items`;
      return `is ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_format':
      return 'is a name made of letters, digits and _ that does not begin with a digit';
    case 'invalid_union':
      return unionExpectation(path);
    default:
      return 'is not of its form';
  }
}

function unionExpectation(path: Path): string {
  if (path.includes('tools')) return 'is the name of a tool, or {"use": NAME, "approve": "always" | "never"}';
  if (path.includes('context')) return 'is {"last": N} or {"tokens": N}';
  if (path[0] === 'schemas') return 'is a JSON Schema: an object, true or false';
  return 'is of none of the known forms';
}

/** The keys that an object of the schema may have at a path; empty where that is not known. */
function keysOf(schema: z.ZodType, path: Path): string[] {
  let current: z.ZodType | undefined = schema;
  for (const segment of path) {
    current = unwrapped(current);
    current = current instanceof z.ZodObject ? (current.shape[String(segment)] as z.ZodType | undefined) : undefined;
  }
  current = unwrapped(current);
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
}

function at(value: Json, path: Path): Json | undefined {
  let current: Json | undefined = value;
  for (const segment of path) {
    if (Array.isArray(current)) current = current[Number(segment)] as Json | undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, segment) ? current[String(segment)] : undefined;
  }
  return current;
}

function nameOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
