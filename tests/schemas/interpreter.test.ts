import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ajvEngine } from '#main/engine/values/ajv-engine.ts';
import { interpretingEngine } from '#main/engine/values/checking/interpreting-engine.ts';
import type { SchemaCheck, SchemaEngine } from '#main/engine/values/checking/schema-check.ts';
import type { Json, JsonSchema } from '#shared/json.ts';

import { mulberry, randomSchema, randomValue } from './random-schema.ts';

interface Group {
  readonly file: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const ajv = ajvEngine() as SchemaEngine;
const lines = readFileSync(join(import.meta.dirname, 'draft2020-12.jsonl'), 'utf8')
  .trim()
  .split('\n');
const groups = lines.map((line) => JSON.parse(line) as Group);

/** Why a schema is refused; null if it is admitted. */
function refusal(engine: SchemaEngine, schema: JsonSchema): string | null {
  try {
    const fault = typeof schema === 'boolean' ? null : engine.fault(schema);
    if (!fault) engine.compile(schema);
    return fault?.message ?? null;
  } catch (error) {
    return String(error);
  }
}

/** What ajv answers to some references that lead in circles for it. */
const overflow = 'overflow';

function answer(check: SchemaCheck, value: Json): ReturnType<SchemaCheck> | typeof overflow {
  try {
    return check(value);
  } catch (error) {
    if (error instanceof RangeError) return overflow;
    throw error;
  }
}

const sameViolation = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

describe('the interpreting validator', () => {
  test('admits the schemas of the official suite that ajv admits, except references to the schema of schemas', () => {
    const refused = groups.filter(({ schema }) => refusal(ajv, schema) === null && refusal(interpretingEngine, schema) !== null);
    expect(refused.map(({ file, description }) => `${file}: ${description}`)).toEqual([
      'defs: validate definition against metaschema',
      'ref: remote ref, containing refs itself',
    ]);
  });

  test('says what ajv says in every case of the official suite, unless ajv is wrong and it is right', () => {
    const admitted = groups.filter(({ schema }) => refusal(ajv, schema) === null && refusal(interpretingEngine, schema) === null);
    const answers = admitted.map(({ file, description: group, schema, tests }) => {
      const [theirs, own] = [ajv.compile(schema), interpretingEngine.compile(schema)];
      return tests.map(({ description, data, valid }) => {
        return { name: `${file}: ${group}: ${description}`, valid, ajv: answer(theirs, data), own: answer(own, data) };
      });
    });
    const isRight = (valid: boolean, violation: unknown): boolean => (violation === null) === valid;
    const wrong = answers.flat().filter((each) => !isRight(each.valid, each.own) && !sameViolation(each.ajv, each.own));
    expect(wrong).toEqual([]);
    // In the other groups ajv misreads the schema, so what it says of other values means little.
    const decided = answers.filter((group) => group.every((each) => each.ajv !== overflow && isRight(each.valid, each.ajv))).flat();
    expect(decided.filter(({ ajv: theirs, own }) => !sameViolation(theirs, own))).toEqual([]);
    expect(decided.length).toBeGreaterThan(1000);
  });

  test('says what ajv says of 10,000 random values', () => {
    let compared = 0;
    for (let seed = 0; compared < 10_000; seed += 1) {
      const random = mulberry(seed);
      const schema = randomSchema(random);
      const text = JSON.stringify(schema);
      const reasons = [refusal(ajv, schema), refusal(interpretingEngine, schema)];
      expect(reasons, text).toEqual([null, null]);
      const [theirs, own] = [ajv.compile(schema), interpretingEngine.compile(schema)];
      for (let round = 0; round < 10; round += 1, compared += 1) {
        const value = randomValue(random, 3);
        const [expected, found] = [theirs(value), own(value)];
        // Which item it names for a "contains" inside an "anyOf" depends on how ajv has put its code together.
        const agrees = text.includes('"contains"') ? (expected === null) === (found === null) : sameViolation(expected, found);
        if (!agrees) expect(found, `${text} of ${JSON.stringify(value)}`).toEqual(expected);
      }
    }
  });
});
