// npm run reference: writes docs/reference from the docstrings of the package.
import { join } from 'node:path';
import { ROOT } from '#scripts/checks/source-files.ts';
import { writeReference } from './reference.ts';

await writeReference(join(ROOT, 'docs/reference'));
