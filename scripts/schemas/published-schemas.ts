import { z } from 'zod';
import { settingsSchema } from '#main/workspace/settings.ts';
import { documentHeadSchema, type NodeKind, nodeKinds, nodeSchemas } from '#shared/flow/document.ts';

const anyNode = z.union(nodeKinds.map((kind: NodeKind) => nodeSchemas[kind]));
const flowSchema = documentHeadSchema.extend({ nodes: z.array(anyNode) });

/** JSON Schema files that editors and other programs may use, by file name below `resources/schemas/`. Generated from the code that reads the files. */
export function publishedSchemas(): Readonly<Record<string, string>> {
  return {
    'flow.schema.json': schemaText('A flow of Pravah Studio', flowSchema),
    'pravah.schema.json': schemaText('Settings of a workspace of Pravah Studio', settingsSchema),
  };
}

function schemaText(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
