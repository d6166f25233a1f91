import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = `
import { createRequire } from 'node:module';
import { compileSchema } from './src-main/engine/values/schema-validator.ts';
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const check = compileSchema(schema);
const loaded = () => Object.keys(createRequire(process.cwd() + '/x.js').cache).some((file) => /[\\/]ajv[\\/]dist[\\/]2020/.test(file));
const report = [check({ n: 1 }) === null, loaded(), check({ n: 'x' })?.path, loaded()];
console.log(JSON.stringify(report));
`;

test('the first values of a process are checked without ajv, which is loaded to say what is wrong', () => {
  const root = join(import.meta.dirname, '../../../');
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([true, false, '/n', true]);
});
