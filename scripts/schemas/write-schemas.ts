import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedSchemas } from './published-schemas.ts';

// Regenerates the published JSON Schemas: `node scripts/schemas/write-schemas.ts` with the Node 24 of node_modules/.bin.
const folder = join(import.meta.dirname, '../../resources/schemas');
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(publishedSchemas())) await writeFile(join(folder, name), text);
