import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { publishedSchemas } from './published-schemas.ts';

const root = join(import.meta.dirname, '../..');
const schemas = publishedSchemas();
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const compile = (name: string) => ajv.compile(JSON.parse(schemas[name] as string));

describe('the published schemas', () => {
  test.each(Object.keys(schemas))('%s is what the code says (else run node scripts/schemas/write-schemas.ts)', (name) => {
    expect(readFileSync(join(root, 'resources/schemas', name), 'utf8')).toBe(schemas[name]);
  });

  test.each([
    ['flow.schema.json', '**/*.flow.{yaml,json}'],
    ['pravah.schema.json', '**/pravah.json'],
  ])('%s accepts every file of the examples', (name, pattern) => {
    const validate = compile(name);
    const files = globSync(pattern, { cwd: join(root, 'resources/examples') });
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      validate(parse(readFileSync(join(root, 'resources/examples', file), 'utf8')));
      expect([file, validate.errors]).toEqual([file, null]);
    }
  });

  test('refuse an unknown key', () => {
    expect(compile('pravah.schema.json')({ comands: [] })).toBe(false);
    const flow = {
      pravah: 1,
      name: 'n',
      input: 'A',
      output: 'B',
      schemas: { A: {}, B: {} },
      nodes: [{ kind: 'work', from: 'A', to: 'B' }],
    };
    const validate = compile('flow.schema.json');
    expect(validate(flow)).toBe(true);
    expect(validate({ ...flow, nodes: [{ kind: 'work', from: 'A', to: 'B', runs: '' }] })).toBe(false);
  });
});
