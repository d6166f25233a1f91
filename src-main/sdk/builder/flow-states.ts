import type { Report } from '#shared/flow/checks/report.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonSchema, jsonPointer } from '#shared/json.ts';
import { type State, TypedJsonSchema } from './state.ts';
import { convertZodSchema } from './zod-schema.ts';

/** Collects the schemas of a flow's states. */
export class FlowStates {
  readonly #report: Report;
  readonly #seen = new Set<State>();
  readonly schemas = new Map<string, JsonSchema>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Returns the name of a state, or null after reporting a problem if it is not a state. */
  nameOf(found: unknown, path: string): string | null {
    if (!isState(found)) {
      this.#report('format', path, [], 'Expected a state. Create one with state(name, schema).');
      return null;
    }
    if (!this.#seen.has(found)) {
      this.#seen.add(found);
      this.#add(found, path);
    }
    return found.name;
  }

  #add({ name, source }: State, path: string): void {
    if (!schemaNamePattern.test(name)) {
      const message = `Invalid state name ${JSON.stringify(name)}: use only letters, digits and _, and do not start with a digit.`;
      this.#report('format', path, [], message);
    }
    const schema = this.#schemaOf(name, source);
    const other = this.schemas.get(name);
    if (other === undefined) this.schemas.set(name, schema);
    else if (!schemasAgree(other as Json, schema as Json)) {
      const message = `Two states are named ${name} but have different schemas. Use one of them everywhere, or rename the other.`;
      this.#report('bad_schema', jsonPointer(['schemas', name]), [], message);
    }
  }

  #schemaOf(name: string, source: State['source']): JsonSchema {
    if (source instanceof TypedJsonSchema) return source.schema;
    if (typeof source !== 'object' || source === null || !('_zod' in source)) {
      const message = `The state ${name} has no supported schema. Use zod 4 or jsonSchema({ … }).`;
      this.#report('bad_schema', jsonPointer(['schemas', name]), [], message);
      return {};
    }
    const { schema, obstacles } = convertZodSchema(source);
    for (const { path, message } of obstacles) {
      this.#report('bad_schema', `${jsonPointer(['schemas', name])}${path}`, [], `Invalid schema ${name}: ${message}.`);
    }
    return schema;
  }
}

function isState(value: unknown): value is State {
  return isJsonObject(value as Json) && typeof (value as State).name === 'string' && 'source' in (value as State);
}
