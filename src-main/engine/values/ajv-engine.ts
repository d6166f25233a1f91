import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { RE2JS } from 're2js';
import type { SchemaCheck, SchemaEngine, SchemaFault, SchemaViolation } from '#main/engine/values/checking/schema-check.ts';
import { spend, timed, timedCode } from '#main/engine/values/checking/validation-deadline.ts';
import { type Json, type JsonSchema, jsonPointer } from '#shared/json.ts';
import { compileLinear } from './linear-pattern.ts';
import { type LoadPackage, packageLoader } from './load-package.ts';
import { isPlainSchema } from './plain-schema.ts';

/** After this number of schemas ajv is recreated, since it keeps something of each. */
const schemasPerValidator = 1000;

// Loaded at the first schema that says anything: ajv alone costs more than the start of the rest of the engine.
const load = packageLoader(import.meta.url) as LoadPackage;

/** Checks by code that ajv generates. Null where packages cannot be loaded (browsers, edge runtimes), and where code cannot be generated. */
export function ajvEngine(): SchemaEngine | null {
  return load !== undefined && canGenerateCode() ? new AjvEngine() : null;
}

function canGenerateCode(): boolean {
  try {
    return new Function('return true')() === true;
  } catch {
    return false;
  }
}

/** Patterns come from outside, so they run on an engine whose time is linear in the text. Throws for one that it cannot express. */
export function linearPattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const { RE2JS: Engine } = load('re2js') as { RE2JS: typeof RE2JS };
  const compiled = compileLinear(Engine, Engine.translateRegExp(pattern));
  // ajv tells patterns apart by this text.
  const test = (text: string): boolean => {
    // As slow as a good many pieces of a schema.
    for (let pieces = 0; pieces < 64; pieces += 1) spend();
    return compiled.test(text);
  };
  return { test, toString: () => pattern };
}

type Validator = { readonly ajv: Ajv2020; compiled: number };
type AjvSchema = Parameters<Ajv2020['compile']>[0];

class AjvEngine implements SchemaEngine {
  #plain: Validator | undefined;
  #whole: Validator | undefined;

  fault(schema: JsonSchema): SchemaFault | null {
    const { ajv } = this.#forAll();
    if (ajv.validateSchema(schema as AjvSchema) === true) return null;
    const [first] = ajv.errors ?? [];
    return first ? { path: first.instancePath, message: violation(first).message } : null;
  }

  compile(schema: JsonSchema): SchemaCheck {
    const validator = isPlainSchema(schema) ? this.#forPlain() : this.#forAll();
    const compiled = schema as AjvSchema;
    try {
      const validate = validator.ajv.compile(compiled);
      return (value) => {
        if (validate(value)) return null;
        const [first] = validate.errors ?? [];
        return first ? violation(first) : { path: '', keyword: 'false schema', message: 'no value is allowed here' };
      };
    } finally {
      // While it compiles, "#" must lead back to it; afterwards another schema may have the same $id.
      if (typeof compiled === 'object') validator.ajv.removeSchema(compiled);
      validator.compiled += 1;
      if (validator.compiled >= schemasPerValidator) this.#forget(validator);
    }
  }

  violations(schema: JsonSchema, value: Json): readonly SchemaViolation[] {
    const validate = this.#addFormats(this.#newAjv({ meta: true, allErrors: true })).compile(schema as AjvSchema);
    validate(value);
    return (validate.errors ?? []).map(violation);
  }

  /** For plain schemas, which need neither the formats nor the schema of schemas: without them it is there sooner. */
  #forPlain(): Validator {
    this.#plain ??= { ajv: this.#newAjv({ meta: false }), compiled: 0 };
    return this.#plain;
  }

  #forAll(): Validator {
    this.#whole ??= { ajv: this.#addFormats(this.#newAjv({ meta: true })), compiled: 0 };
    return this.#whole;
  }

  #forget(validator: Validator): void {
    if (validator === this.#plain) this.#plain = undefined;
    if (validator === this.#whole) this.#whole = undefined;
  }

  #newAjv(options: { readonly meta: boolean; readonly allErrors?: boolean }): Ajv2020 {
    const { Ajv2020: Validator } = load('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
    const ajv = new Validator({
      ...options,
      strict: false,
      logger: false,
      // Done by `fault`, where it is needed.
      validateSchema: false,
      ownProperties: true,
      code: { ...timedCode, regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
    });
    return timed(ajv);
  }

  #addFormats(ajv: Ajv2020): Ajv2020 {
    return (load('ajv-formats') as { default: (ajv: Ajv2020) => Ajv2020 }).default(ajv);
  }
}

function violation({ instancePath, keyword, message, params }: ErrorObject): SchemaViolation {
  const field: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  const path = typeof field === 'string' ? instancePath + jsonPointer([field]) : instancePath;
  if (keyword === 'required') return { path, keyword, message: `${path} is missing` };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { path, keyword, message: `${path} is not a field of this schema` };
  if (keyword === 'enum')
    return { path, keyword, message: `${path || 'the value'} must be one of ${JSON.stringify(params.allowedValues)}` };
  if (keyword === 'const') return { path, keyword, message: `${path || 'the value'} must be ${JSON.stringify(params.allowedValue)}` };
  return { path, keyword, message: `${path || 'the value'} ${message ?? `misses "${keyword}"`}` };
}
