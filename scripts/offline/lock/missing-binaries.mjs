// npm omits a platform's package from the lock file if the registry in use does not have it, and `npm ci` then rejects the lock
// file. Such packages are named after the platform they are for, and their version is listed in the packages that depend on them.

/** @typedef {{ version?: string, name?: string, link?: boolean, integrity?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} LockEntry */
/** @typedef {Record<string, LockEntry>} LockedPackages */

/** Words that some packages' names have for a system or a processor, and Node's own for them. @type {Readonly<Record<string, string>>} */
const SYNONYMS = { mac: 'darwin', win: 'win32', armv7l: 'arm' };
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * Entries, by path, for optional packages that are missing in a lock file.
 * @param {LockedPackages} packages
 * @returns {LockedPackages}
 */
export function missingBinaries(packages) {
  /** @type {LockedPackages} */
  const missing = {};
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const isLocked = packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
      if (isLocked) continue;
      const { os, cpu, ...libc } = platform(name);
      // In npm's order, so that npm finds nothing to rewrite.
      missing[`node_modules/${name}`] = { version, cpu, ...(dev ? { dev } : {}), ...libc, optional: true, os };
    }
  }
  return missing;
}

/**
 * The paths of a lock file's packages that npm would install without comparing them with a hash.
 * @param {LockedPackages} packages
 */
export function withoutIntegrity(packages) {
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => path !== '' && !link && !integrity?.startsWith('sha512-'))
    .map(([path]) => path);
}

/**
 * Reads the platform from a package's name: `…-linux-x64-musl`. Throws if the name has none.
 * @param {string} name
 */
export function platform(name) {
  const words = name.split(/[-/]/).map((word) => SYNONYMS[word] ?? word);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  if (!os || !cpu) throw new Error(`The name of ${name} does not say which platform it is for.`);
  const last = words.at(-1) ?? '';
  const libc = os !== 'linux' ? undefined : last.startsWith('musl') ? 'musl' : last.startsWith('gnu') ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(libc ? { libc: [libc] } : {}) };
}
