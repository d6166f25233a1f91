import type { OutlineNode } from '#shared/flow/outline.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import type { Report } from './report.ts';

/** Schemas of a flow by name, as far as they are known. */
export interface FlowSchemas {
  readonly schemas?: JsonObject;
}

/** A flow inside another one; `name` is its file, for messages. */
export interface NestedFlow extends FlowSchemas {
  readonly name: string;
  readonly input?: string;
  readonly output?: string;
}

/** Checks that an `each` node takes a list of the inner flow's inputs and produces a list of its outputs. */
export function checkEach(node: OutlineNode, outer: FlowSchemas, inner: NestedFlow, report: Report): void {
  const sides = [
    { key: 'from', name: node.from[0], item: inner.input, what: 'takes a list of' },
    { key: 'to', name: node.to[0], item: inner.output, what: 'produces a list of' },
  ];
  for (const { key, name, item, what } of sides) {
    const list = name === undefined ? undefined : schemaOf(outer, name);
    const wanted = item === undefined ? undefined : schemaOf(inner, item);
    if (list === undefined || wanted === undefined || isListOf(list, wanted)) continue;
    report(
      'bad_schema',
      `${node.path}/${key}`,
      [node.id],
      `${capitalized(nodeLabel(node))} ${what} ${item} (from ${inner.name}), but the schema ${name} is not a list of ${item}. Make it {"type": "array", "items": <the schema ${item}>}.`,
      [
        {
          title: `Make ${name} a list of ${item}`,
          edits: [{ type: 'set', path: ['schemas', String(name)], value: { type: 'array', items: wanted } }],
        },
      ],
    );
  }
}

/** Whether a schema is a list whose items have the wanted schema, or no schema (then each item is checked at run time). */
function isListOf(list: Json, wanted: Json): boolean {
  return isJsonObject(list) && list.type === 'array' && (list.items === undefined || schemasAgree(list.items, wanted));
}

function schemaOf({ schemas }: FlowSchemas, name: string): Json | undefined {
  return schemas && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}
