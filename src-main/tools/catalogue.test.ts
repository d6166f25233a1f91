import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Tool } from '#main/engine/ports/tool.ts';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import { type BuiltInToolName, builtInToolFacts, toolFacts, toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { builtInTools } from './catalogue.ts';

const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');
const tools = [...builtInTools().values()];

interface Row {
  readonly type: string;
  readonly needed: boolean;
}

/** What the documentation says of a tool. */
function sectionOf(tool: string): string {
  const [, section = ''] = page.split(`### \`${tool}\`\n`);
  const [own = ''] = section.split(/^#/m);
  return own;
}

/** The rows of a tool's table in the documentation, by field. */
function documented(tool: string): Record<string, Row> {
  const rows = [...sectionOf(tool).matchAll(/^\| `(\w+)` \| (.*?) \| (yes)? ?\| .* \|$/gm)];
  return Object.fromEntries(rows.map(([, field = '', type = '', needed]) => [field, { type, needed: needed === 'yes' }]));
}

type FieldSchema = Readonly<Record<string, Json | undefined>>;

function fieldsOf({ input_schema }: Tool): { field: string; schema: FieldSchema; needed: boolean }[] {
  const { properties, required } = input_schema as { properties: Record<string, FieldSchema>; required: readonly string[] };
  return Object.entries(properties).map(([field, schema]) => ({ field, schema, needed: required.includes(field) }));
}

/** The words that stand for a field's type. */
function typeWords({ type, enum: values, items }: FieldSchema): string {
  if (Array.isArray(values)) {
    const shown = values.filter((value) => value !== '').map((value) => `\`${value}\``);
    return shown.length > 10 ? 'one of those below' : shown.join(', ');
  }
  if (type === undefined) return 'anything';
  if (type === 'array') return `list of ${typeWords(items as FieldSchema)}s`;
  if (!Array.isArray(type)) return String(type);
  // What may be an object, true or false is a schema.
  if (type.includes('boolean')) return 'JSON Schema';
  const kinds = type.map((kind) => (kind === 'array' ? 'list' : String(kind)));
  return kinds.length === 1 ? String(kinds[0]) : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
}

/** The bounds of a field that people can run into; those of more than a million signs say only that nothing is without end. */
function boundsOf(schema: FieldSchema): number[] {
  const inner = schema.items as FieldSchema | undefined;
  const found = [schema.maximum, schema.maxLength, schema.maxItems, inner?.maxLength];
  return found.filter((bound): bound is number => typeof bound === 'number' && bound <= 1_000_000);
}

test.each(tools.map((tool) => [tool.name, tool] as const))('the documentation lists each field of %s, and no other', (name, tool) => {
  expect(page).toContain(`### \`${name}\`\n`);
  const rows = documented(name);
  const fields = fieldsOf(tool);
  expect(Object.entries(rows).map(([field, { type, needed }]) => ({ field, type, needed }))).toEqual(
    fields.map(({ field, schema, needed }) => ({ field, type: typeWords(schema), needed })),
  );
  for (const { field, schema } of fields) {
    for (const bound of boundsOf(schema)) expect(sectionOf(name), `${field} of ${name}`).toContain(bound.toLocaleString('en'));
  }
});

test('the documentation of approvals names each tool that brings in untrusted content, and no other built-in tool', () => {
  const [, listed = ''] = /after untrusted content \((.*?), an MCP server, an API\)/.exec(page) ?? [];
  const untrusted = [...toolNames].filter((name) => toolFacts(name)?.untrusted);
  expect(listed.split(', ').map((name) => name.replaceAll('`', ''))).toEqual(untrusted.sort());
});

test.each([...builtInTools()])('%s is registered under its own name and a row of facts', (name, tool) => {
  const { effect, approve, asks } = builtInToolFacts[name as BuiltInToolName];
  expect(tool).toMatchObject({ name, effect, approve, asks });
});

test('the documentation lists each action of ynab', () => {
  const actions = builtInTools().get('ynab')?.input_schema as { properties: { action: { enum: string[] } } };
  for (const action of actions.properties.action.enum) expect(page).toContain(`\`${action}\``);
});

test('the documentation describes only tools that exist', () => {
  const described = [...page.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual([...toolNames].sort());
});

test.each(tools.map((tool) => [tool.name, tool] as const))('%s says what it does, and what each field is', (name, tool) => {
  const { description, input_schema, output_schema = {} } = tool;
  expect([tool.name, description.length > 20, checkSchema(input_schema), checkSchema(output_schema)]).toEqual([name, true, null, null]);
  const { properties, additionalProperties } = input_schema as JsonObject;
  expect(additionalProperties).toBe(false);
  const silent = Object.entries(properties as JsonObject).filter(
    ([, field]) => !isJsonObject(field) || typeof field.description !== 'string',
  );
  expect(silent.map(([field]) => field)).toEqual([]);
});
