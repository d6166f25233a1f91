import { type State, TypedJsonSchema } from '#main/builder/state.ts';
import { convertZodSchema } from '#main/builder/zod-schema.ts';
import type { Report } from '#shared/flow/checks/report.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import { schemaNamePattern } from '#shared/flow/schema-name.ts';
import { isJsonObject, type Json, type JsonSchema, jsonPointer } from '#shared/json.ts';

/** The schemas of a flow's states, collected from wherever the flow names them. */
export class FlowStates {
  readonly #report: Report;
  readonly #seen = new Set<State>();
  readonly schemas = new Map<string, JsonSchema>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** The name of a state; null, with the problem reported, when what stands there is none. */
  nameOf(found: unknown, path: string): string | null {
    if (!isState(found)) {
      this.#report('format', path, [], 'Here stands no state. Make one by state(name, schema).');
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
      const message = `The name ${JSON.stringify(name)} is no state's: use letters, digits and _, and do not begin with a digit.`;
      this.#report('format', path, [], message);
    }
    const schema = this.#schemaOf(name, source);
    const other = this.schemas.get(name);
    if (other === undefined) this.schemas.set(name, schema);
    else if (!schemasAgree(other as Json, schema as Json)) {
      const message = `There are two states called ${name}, with different schemas. Use one of them everywhere, or give the other another name.`;
      this.#report('bad_schema', jsonPointer(['schemas', name]), [], message);
    }
  }

  #schemaOf(name: string, source: State['source']): JsonSchema {
    if (source instanceof TypedJsonSchema) return source.schema;
    if (typeof source !== 'object' || source === null || !('_zod' in source)) {
      const message = `The state ${name} has no schema that can be used. Give it one of zod 4, or jsonSchema({ … }).`;
      this.#report('bad_schema', jsonPointer(['schemas', name]), [], message);
      return {};
    }
    const { schema, obstacles } = convertZodSchema(source);
    for (const { path, message } of obstacles) {
      this.#report('bad_schema', `${jsonPointer(['schemas', name])}${path}`, [], `The schema ${name} cannot be used: ${message}.`);
    }
    return schema;
  }
}

function isState(value: unknown): value is State {
  return isJsonObject(value as Json) && typeof (value as State).name === 'string' && 'source' in (value as State);
}
