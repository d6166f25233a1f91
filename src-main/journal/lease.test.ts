import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leaseHolder } from './lease.ts';
import { ownerText, ownProcess } from './process-owner.ts';

const own = ownProcess();
const linux = process.platform === 'linux';
const leaseOf = (owner: Partial<typeof own>) => ({ lease_token: 't', lease_owner: ownerText({ ...own, ...owner }), lease_expires: 10 });
/** The number of a process that has ended. */
const { pid: gone } = spawnSync(process.execPath, ['--version']);

test('a lease holds until it expires', () => {
  expect(leaseHolder(leaseOf({}), 9)).toMatchObject({ token: 't', owner: own });
  expect(leaseHolder(leaseOf({}), 11)).toBeNull();
});

test('a lease of a process that has ended does not hold', () => {
  expect(leaseHolder(leaseOf({ pid: gone }), 9)).toBeNull();
});

test.skipIf(!linux)('nor does one of a process whose number another one has now', () => {
  expect(own.started).toMatch(/^\d+$/);
  expect(leaseHolder(leaseOf({ started: '1' }), 9)).toBeNull();
});

test.each([
  ['in another namespace', ownerText({ ...own, place: 'boot pid:[1]', pid: gone })],
  ['that an older version wrote', `host:${gone}`],
  ['that no version wrote', '[1]'],
])('of an owner %s only the time counts', (_title, lease_owner) => {
  expect(leaseHolder({ ...leaseOf({}), lease_owner }, 9)).toMatchObject({ token: 't' });
  expect(leaseHolder({ ...leaseOf({}), lease_owner }, 11)).toBeNull();
});

const isolated = ['--pid', '--fork', process.execPath];
const canIsolate = linux && spawnSync('unshare', [...isolated, '--version']).status === 0;

test.skipIf(!canIsolate)('a process in a PID namespace of its own takes over no lease of a live process outside', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'lease.ts'));
  const program = `const { leaseHolder } = await import(${module}); console.log(leaseHolder(${JSON.stringify(leaseOf({}))}, 9)?.token);`;
  const { stdout, stderr } = spawnSync('unshare', [...isolated, '--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(stdout.trim(), stderr).toBe('t');
});
