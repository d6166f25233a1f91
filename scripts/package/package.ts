// npm run package: builds what is stale and writes the npm packages to out/package/NAME, ready for `npm pack` or `npm publish` there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PRODUCTS } from './products.ts';
import { stage } from './stage.ts';

const root = join(import.meta.dirname, '../..');
const parts = [...new Set(PRODUCTS.flatMap((product) => product.parts))];
const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...parts], { cwd: root, stdio: 'inherit' });
if (status === 0) {
  for (const product of PRODUCTS) {
    const folder = join(root, 'out/package', product.name);
    stage(root, product, folder);
    console.log(`${product.name}: ${folder}`);
  }
} else process.exitCode = status ?? 1;
