import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { copyCheckout, type PlantedCheckout } from './planted-checkout.ts';

// Globals that a layer must not use are undefined in its type check.
const PLANTS = [
  ['src-shared', 'process', 'export const planted: unknown = process.pid;'],
  ['src-shared', 'Buffer', 'export const planted: unknown = Buffer.from([]);'],
  ['src-shared', 'window', 'export const planted: unknown = window.name;'],
  ['src-shared', 'document', 'export const planted: unknown = document.title;'],
  ['src-main', 'window', 'export const planted: unknown = window.name;'],
  ['src-main', 'document', 'export const planted: unknown = document.title;'],
  ['src-renderer', 'process', 'export const planted: unknown = process.pid;'],
] as const;

describe('the types of a layer', () => {
  let checkout: PlantedCheckout;
  const errors = new Map<string, string>();

  beforeAll(() => {
    checkout = copyCheckout({ withSources: false });
    for (const [layer, name, code] of PLANTS) checkout.plant(`${layer}/planted-${name}.ts`, `${code}\n`);
    const compiler = join(checkout.root, 'node_modules', 'typescript', 'lib', 'tsc.js');
    for (const layer of new Set(PLANTS.map(([layer]) => layer))) {
      // The real sources' own notes lie behind the link to node_modules.
      const args = [compiler, '-p', layer, '--tsBuildInfoFile', join(checkout.root, `${layer}.tsbuildinfo`)];
      errors.set(layer, spawnSync(process.execPath, args, { cwd: checkout.root, encoding: 'utf8' }).stdout);
    }
  }, 180_000 * slowness);
  afterAll(() => checkout[Symbol.dispose]());

  test.each(PLANTS)('in %s there is no %s', (layer, name) => {
    const lines = (errors.get(layer) ?? '').split('\n');
    expect(lines.filter((line) => line.includes(`planted-${name}.ts`) && line.includes(`Cannot find name '${name}'`))).toHaveLength(1);
  });
});
