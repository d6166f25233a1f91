import { interpretSchema, type Pattern } from './interpret-schema.ts';
import type { SchemaEngine } from './schema-check.ts';
import { formFault } from './schema-form.ts';
import { spend } from './validation-deadline.ts';

/** Checks without generated code. Patterns are the platform's own regular expressions, so their time is not bounded: the schemas are the program's. */
export const interpretingEngine: SchemaEngine = {
  fault: (schema) => formFault(schema),
  compile(schema) {
    const violationsOf = interpretSchema(schema, nativePattern);
    return (value) => violationsOf(value)[0] ?? null;
  },
  violations: (schema, value) => interpretSchema(schema, nativePattern)(value, true),
};

function nativePattern(text: string): Pattern {
  const pattern = new RegExp(text, 'u');
  return {
    test(value) {
      spend();
      return pattern.test(value);
    },
  };
}
