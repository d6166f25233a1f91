import { expect, test } from 'vitest';
import { optionalPackage } from './optional-package.ts';

const missing = (message: string) => Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
const fails = (error: Error) => optionalPackage('openai', 'openai://', () => Promise.reject(error));

test('returns what the package exports', async () => {
  expect(await optionalPackage('openai', 'openai://', async () => ({ default: 1 }))).toEqual({ default: 1 });
});

test.each(["Cannot find package 'openai' imported from /a.js", "Cannot find module 'openai/helpers' imported from /a.js"])(
  'names the package to install: %s',
  async (message) => {
    await expect(fails(missing(message))).rejects.toMatchObject({
      message: 'The package "openai" is not installed: it is needed for openai://. Run npm install openai.',
      options: { code: 'CONFIG_PACKAGE_MISSING', details: { package: 'openai' } },
    });
  },
);

test.each([missing("Cannot find package 'zod' imported from /node_modules/openai/index.js"), new Error("Cannot find package 'openai'")])(
  'passes other errors through: %s',
  async (error) => {
    await expect(fails(error)).rejects.toBe(error);
  },
);
