import type { OutlineNode } from '#shared/flow/outline.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { FlowSchemas, NestedFlow } from './nested.ts';
import type { Report } from './report.ts';

/** The schemas of a flow's states: its own, and those inherited from the flows nested in it. */
export class SharedSchemas {
  readonly #own: JsonObject;
  /** With the name of the nested flow that brought each one first. */
  readonly #inherited = new Map<string, { readonly schema: Json; readonly of: string }>();

  constructor({ schemas = {} }: FlowSchemas) {
    this.#own = schemas;
  }

  /** Inherits the schemas of the two states that a nested flow shares with this one. If a state already has a schema, both must agree. */
  share(node: OutlineNode, inner: NestedFlow, report: Report): void {
    for (const name of new Set([...node.from, ...node.to])) {
      if (!inner.schemas || !Object.hasOwn(inner.schemas, name)) continue;
      const theirs = inner.schemas[name] as Json;
      const other = this.#inherited.get(name);
      const ours = Object.hasOwn(this.#own, name) ? this.#own[name] : other?.schema;
      if (ours === undefined) this.#inherited.set(name, { schema: theirs, of: inner.name });
      else if (!schemasAgree(ours, theirs)) {
        const first = Object.hasOwn(this.#own, name) ? 'this flow' : other?.of;
        report(
          'bad_schema',
          node.path,
          [node.id],
          `The schema ${name} differs between ${first} and ${inner.name}, but both flows share this state. Make the schemas equal (titles and descriptions may differ).`,
        );
      }
    }
  }

  /** States whose schemas are inherited. */
  get inherited(): ReadonlySet<string> {
    return new Set(this.#inherited.keys());
  }

  get all(): JsonObject {
    if (this.#inherited.size === 0) return this.#own;
    return { ...this.#own, ...Object.fromEntries([...this.#inherited].map(([name, { schema }]) => [name, schema])) };
  }
}
