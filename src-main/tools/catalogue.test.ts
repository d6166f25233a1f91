import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkSchema } from '#main/runtime/schema-validator.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { builtInTools } from './catalogue.ts';
import type { Tool } from './tool.ts';
import { toolNames } from './tool-names.ts';

const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');
const tools = [...builtInTools().values()];

/** The rows of a tool's table in the documentation: field, and whether it is needed. */
function documented(tool: string): Record<string, boolean> {
  const [, section = ''] = page.split(`### \`${tool}\`\n`);
  const [own = ''] = section.split(/^#/m);
  const rows = [...own.matchAll(/^\| `(\w+)` \|(?:[^|]|\\\|)*\| (yes)? ?\|/gm)];
  return Object.fromEntries(rows.map(([, field, needed]) => [field as string, needed === 'yes']));
}

function fieldsOf({ input_schema }: Tool): Record<string, boolean> {
  const { properties, required } = input_schema as { properties: JsonObject; required: readonly string[] };
  return Object.fromEntries(Object.keys(properties).map((field) => [field, required.includes(field)]));
}

test.each(tools.map((tool) => [tool.name, tool] as const))('the documentation lists each field of %s, and no other', (name, tool) => {
  expect(page).toContain(`### \`${name}\`\n`);
  expect(documented(name)).toEqual(fieldsOf(tool));
});

test('the documentation describes no tool that is not there', () => {
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
