import { expect, test } from 'vitest';
import { installedPackages, isAllowed, licenceRules, matches } from './licences.ts';

const installed = installedPackages();

test('every installed package has an allowed licence', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter((each) => !isAllowed(each, licenceRules))).toEqual([]);
});

test('every exception is for an installed package that needs it, and says why', () => {
  for (const exception of licenceRules.exceptions) {
    const meant = installed.filter(({ name }) => matches(exception.package, name));
    const without = { ...licenceRules, exceptions: licenceRules.exceptions.filter((each) => each !== exception) };
    expect(
      meant.some((each) => !isAllowed(each, without)),
      exception.package,
    ).toBe(true);
    expect(exception.reason).toMatch(/\w/);
  }
});

test.each([
  ['GPL-3.0-only', false],
  ['MPL-2.0', false],
  [null, false],
  ['MIT OR GPL-3.0-only', true],
  ['(MIT AND Apache-2.0)', true],
  ['MIT AND GPL-3.0-only', false],
] as const)('a package under %s is allowed: %s', (licence, allowed) => {
  expect(isAllowed({ name: 'some-package', licence }, licenceRules)).toBe(allowed);
});
