import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

export interface LicenceRules {
  readonly allowed: readonly string[];
  /** Packages (a name, or its beginning with `*`) that may have one more licence, and why. */
  readonly exceptions: readonly { readonly package: string; readonly licence: string; readonly reason: string }[];
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of its package.json; null when it names none. */
  readonly licence: string | null;
}

interface PackageDescription {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
}

/** Every package in `node_modules`, nested ones and tools included. */
export function installedPackages(): InstalledPackage[] {
  const lock = readJson<{ packages: Record<string, unknown> }>(join(ROOT, 'node_modules', '.package-lock.json'));
  return Object.keys(lock.packages).map((path) => {
    const { name, version, license } = readJson<PackageDescription>(join(ROOT, path, 'package.json'));
    const licence = typeof license === 'object' ? license.type : license;
    return { name: name ?? path, version: version ?? '', licence: licence ?? null };
  });
}

/** Whether the rules allow a package under its licence. In an expression, one side of an OR is enough and AND needs both. */
export function isAllowed({ name, licence }: Pick<InstalledPackage, 'name' | 'licence'>, rules: LicenceRules): boolean {
  if (licence === null) return false;
  const own = rules.exceptions.filter((exception) => matches(exception.package, name)).map((exception) => exception.licence);
  const allowed = new Set([...rules.allowed, ...own]);
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((alternative) => alternative.split(' AND ').every((part) => allowed.has(part.trim())));
}

/** Whether an exception's pattern means this package. */
export function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** The rules of this project. */
export const licenceRules: LicenceRules = readJson(join(ROOT, 'scripts', 'checks', 'licences.json'));
