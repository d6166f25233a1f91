import type { Report } from '#shared/flow/checks/report.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { schemasAgree } from '#shared/flow/schema-agreement.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Schemas of a flow by name, as far as they are known. */
export interface FlowSchemas {
  readonly schemas?: JsonObject;
}

/** A flow inside another one, with the name that messages give it (its file). */
export interface NestedFlow extends FlowSchemas {
  readonly name: string;
  readonly input?: string;
  readonly output?: string;
}

/** `each` takes a list of the inner flow's inputs and gives the list of its outputs. */
export function checkEach(node: OutlineNode, outer: FlowSchemas, inner: NestedFlow, report: Report): void {
  const sides = [
    { key: 'from', name: node.from[0], item: inner.input, what: 'takes a list of' },
    { key: 'to', name: node.to[0], item: inner.output, what: 'gives a list of' },
  ];
  for (const { key, name, item, what } of sides) {
    const list = name === undefined ? undefined : schemaOf(outer, name);
    const wanted = item === undefined ? undefined : schemaOf(inner, item);
    if (list === undefined || wanted === undefined || isListOf(list, wanted)) continue;
    report(
      'bad_schema',
      `${node.path}/${key}`,
      [node.id],
      `The each node ${node.id} ${what} ${item} (of ${inner.name}), and the schema ${name} is no such list. Make it {"type": "array", "items": <the schema ${item}>}.`,
      [
        {
          title: `Make ${name} a list of ${item}`,
          edits: [{ type: 'set', path: ['schemas', String(name)], value: { type: 'array', items: wanted } }],
        },
      ],
    );
  }
}

/** Whether a schema says list, with items of the wanted schema or with none said (each item is checked when it is there). */
function isListOf(list: Json, wanted: Json): boolean {
  return isJsonObject(list) && list.type === 'array' && (list.items === undefined || schemasAgree(list.items, wanted));
}

function schemaOf({ schemas }: FlowSchemas, name: string): Json | undefined {
  return schemas && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}
