import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from '#scripts/checks/source-files.ts';

const literal = /'((?:CONFIG|INFERENCE|TOOL|ORCHESTRATION|CONSTRAINT|VALIDATION|CANCELLED)_[A-Z_]+)'/g;
const isProduct = (file: string) => /src-(?:main|shared)/.test(file) && file.endsWith('.ts') && !/\.test\.ts$|[/\\]testing[/\\]/.test(file);

test('the page of errors has every code of the sources, and no other', () => {
  const codes = sourceFiles()
    .filter(isProduct)
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(literal)].map(([, code]) => code));
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(documented.toSorted()).toEqual([...new Set(codes)].toSorted());
});
