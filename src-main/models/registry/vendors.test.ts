import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostedNames, providers } from '#shared/flow/providers.ts';
import { vendors } from './vendors.ts';

const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8');

test.each(Object.keys(providers))('the documentation of models lists %s', (name) => {
  expect(page).toContain(`\n| \`${name}://`);
});

test.each(hostedNames)('%s has a client of its own and its variables in the documentation', (name) => {
  const { key, base_url } = providers[name];
  expect(vendors[name].name).toBe(name);
  expect(page).toContain(`| \`${name}://\` | \`${key}\` | \`${base_url}\``);
});
