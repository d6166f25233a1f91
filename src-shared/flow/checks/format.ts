import { z } from 'zod';
import { didYouMean } from '#shared/flow/did-you-mean.ts';
import { documentHeadSchema, type NodeKind, nodeKinds, nodeSchemas } from '#shared/flow/document.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonObject, jsonPointer } from '#shared/json.ts';

/** An error in the shape of a document. `path` is a JSON Pointer within the checked value. */
export interface FormatFault {
  readonly path: string;
  readonly message: string;
}

type Path = readonly (string | number)[];

/** Returns every error in the shape of a document, except those of its nodes. */
export function headFaults(value: Json): FormatFault[] {
  if (!isJsonObject(value))
    return [
      {
        path: '',
        message: `A flow must be an object with the keys pravah, name, input, output, schemas and nodes, but is ${nameOf(value)}.`,
      },
    ];
  const faults = faultsOf(documentHeadSchema, wellFormed(value) ? { ...value, schemas: {} } : value, 'the document');
  if (faults.length === 0) rememberSchemas(value);
  return faults;
}

/** Remembers the schemas of a document in which no error was found, so that they are not checked again. */
export function rememberSchemas(value: Json): void {
  if (!isJsonObject(value) || !isJsonObject(value.schemas) || knownSchemas.has(value.schemas)) return;
  // The whole object too: it stays the same object until a schema is edited.
  knownSchemas.add(value.schemas);
  for (const schema of Object.values(value.schemas)) if (isJsonObject(schema)) knownSchemas.add(schema);
}

/** Schemas that have been checked and are valid. */
const knownSchemas = new WeakSet<JsonObject>();

/** Whether every schema is known to be valid. A large flow has thousands, of which an edit changes one. */
function wellFormed({ schemas }: JsonObject): boolean {
  if (!isJsonObject(schemas)) return false;
  if (knownSchemas.has(schemas)) return true;
  return Object.entries(schemas).every(
    ([name, schema]) => isJsonObject(schema) && knownSchemas.has(schema) && schemaNamePattern.test(name),
  );
}

/** Returns every error in the shape of one node. Paths start at the node. */
export function nodeFaults(raw: Json): readonly FormatFault[] {
  if (!isJsonObject(raw)) return [{ path: '', message: `A node must be an object, but is ${nameOf(raw)}.` }];
  let faults = known.get(raw);
  if (!faults) {
    faults = faultsOfNode(raw);
    known.set(raw, faults);
  }
  return faults;
}

/** Errors of nodes that were already checked: unchanged parts of a text keep their value objects. */
const known = new WeakMap<JsonObject, readonly FormatFault[]>();

function faultsOfNode(raw: JsonObject): FormatFault[] {
  const { kind } = raw;
  if (kind === undefined) return [{ path: '', message: `The key "kind" is missing. Use one of ${nodeKinds.join(', ')}.` }];
  if (typeof kind !== 'string' || !Object.hasOwn(nodeSchemas, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, nodeKinds) : '';
    return [{ path: '/kind', message: `Unknown node kind ${JSON.stringify(kind)}. Use one of ${nodeKinds.join(', ')}.${hint}` }];
  }
  return [
    ...faultsOf(nodeSchemas[kind as NodeKind], raw, `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} node`),
    ...bodyFaults(raw, kind as NodeKind),
  ];
}

const bodyKeys = ['run', 'run_file', 'module', 'expr', 'tool', 'session'] as const;

/** Checks rules about bodies that involve several keys. */
function bodyFaults(raw: JsonObject, kind: NodeKind): FormatFault[] {
  const { bodies: allowed } = kindFacts[kind];
  if (allowed.length === 0) return [];
  const has = (key: string) => Object.hasOwn(raw, key);
  const faults: FormatFault[] = [];
  const fault = (key: string, message: string) => faults.push({ path: `/${key}`, message });
  const bodies = bodyKeys.filter(has);
  const [first, ...others] = bodies;
  for (const other of others)
    fault(other, `A node can have only one body, but this one has both "${first}" and "${other}". Remove one of them.`);
  if (has('expr') && !allowed.includes('expr')) fault('expr', `A ${kind} node cannot have "expr". Use "run".`);
  if (has('tool') && !allowed.includes('tool'))
    fault('tool', `Only a work node can have "tool". Elsewhere, call the tool from a "run" body that lists it in "tools".`);
  if (has('into') && !has('expr') && !has('tool')) fault('into', '"into" requires "expr" or "tool".');
  else if (has('into') && kind !== 'work')
    fault('into', `Only a work node can have "into": ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} node passes its value on unchanged.`);
  if (has('export') && !has('module')) fault('export', '"export" requires "module".');
  if (has('with') && !has('tool')) fault('with', '"with" requires "tool".');
  if (has('tools') && !has('run') && !has('run_file') && !has('module')) fault('tools', '"tools" requires "run", "run_file" or "module".');
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
    const place = path.length === 0 ? what : `"${path.join('/')}" in ${what}`;
    return issue.keys.map((unknown) => ({
      path: jsonPointer([...path, unknown]),
      message: `Unknown key ${JSON.stringify(unknown)} in ${place}.${didYouMean(unknown, known)}`,
    }));
  }
  if (found === undefined && issue.code !== 'invalid_key') {
    const parent = path.slice(0, -1);
    return [
      {
        path: jsonPointer(parent),
        message: `The key "${key}" is missing in ${parent.length === 0 ? what : `"${parent.join('/')}" in ${what}`}.`,
      },
    ];
  }
  if (issue.code === 'invalid_key') {
    return [
      {
        path: jsonPointer(path),
        message: `${JSON.stringify(key)} is not a valid schema name. Use letters, digits and _, and start with a letter or _.`,
      },
    ];
  }
  return [
    {
      path: jsonPointer(path),
      message: `${path.length === 0 ? what : `"${path.join('/')}" in ${what}`} ${expectation(issue, path)}, but is ${nameOf(found)}.`,
    },
  ];
}

const shapes: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  tuple: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** What a value must be, as the predicate of a sentence whose subject is its location. */
function expectation(issue: z.core.$ZodIssue, path: Path): string {
  if (path.length === 1 && path[0] === 'pravah') return 'is the version of the format and must be 1';
  switch (issue.code) {
    case 'invalid_type':
      return shapes[issue.expected] ?? `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'array') return `must have ${issue.exact ? 'exactly' : 'at least'} ${items(issue.minimum)}`;
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array') return `must have ${issue.exact ? 'exactly' : 'at most'} ${items(issue.maximum)}`;
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_format':
      return 'must be a name of letters, digits and _ that does not start with a digit';
    case 'invalid_union':
      return unionExpectation(path);
    default:
      return 'is invalid';
  }
}

function unionExpectation(path: Path): string {
  if (path.includes('tools')) return 'must be the name of a tool, or {"use": NAME, "approve": "always" | "never"}';
  if (path.includes('context')) return 'must be {"last": N} or {"tokens": N}';
  if (path.includes('session'))
    return 'must be what this kind of node can do: {"begin": …}, {"expr": …, "output": …}, {"tool": …, "output": …}, {"code": …, "output": …}, {"end": true}, or for an either {"leave": …, "check": …} or {"transfer": …}';
  if (path[0] === 'schemas') return 'must be a JSON Schema: an object, true or false';
  return 'does not match any allowed form';
}

/** The keys that the schema allows at a path; empty if unknown. */
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

function items(count: number | bigint): string {
  return Number(count) === 1 ? '1 item' : `${count} items`;
}

function nameOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${items(value.length)}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
