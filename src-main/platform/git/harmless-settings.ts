/*
 * Settings that make git neither run a program nor read or write outside its repository. Settings that are not listed are blocked: git has
 * hundreds of settings, and each version adds some.
 */

/** By section and name; `*` is any subsection. If there is a pattern, the value must match it. */
const harmless: Readonly<Record<string, RegExp | null>> = {
  ...listed(
    'core',
    `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf checkstat trustctime
     quotepath abbrev compression loosecompression preloadindex untrackedcache longpaths sparsecheckout sparsecheckoutcone commentchar whitespace
     bigfilethreshold`,
  ),
  ...listed('user', 'name email useconfigonly'),
  ...listed('author', 'name email'),
  ...listed('committer', 'name email'),
  ...listed('init', 'defaultbranch'),
  ...listed('extensions', 'objectformat'),
  ...listed('remote.*', 'fetch push tagopt prune prunetags skipdefaultupdate skipfetchall gh-resolved'),
  'remote.*.url': /./,
  'remote.*.pushurl': /./,
  ...listed('branch.*', 'merge rebase description vscode-merge-base gh-merge-base github-pr-owner-number github-pr-base-branch'),
  'branch.*.remote': /^[\w./][\w./-]*$/,
  'branch.*.pushremote': /^[\w./][\w./-]*$/,
  'remote.pushdefault': /^[\w.][\w./-]*$/,
  ...listed('branch', 'autosetupmerge autosetuprebase sort'),
  ...listed('checkout', 'defaultremote guess'),
  ...listed('pull', 'rebase ff'),
  ...listed('push', 'default followtags autosetupremote'),
  ...listed('fetch', 'prune prunetags'),
  ...listed('merge', 'ff conflictstyle renames'),
  ...listed('rebase', 'autosquash autostash updaterefs'),
  ...listed('diff', 'renames renamelimit algorithm colormoved mnemonicprefix noprefix context interhunkcontext'),
  ...listed('status', 'short branch showuntrackedfiles renames'),
  ...listed('log', 'date decorate abbrevcommit follow'),
  ...listed('tag', 'sort'),
  ...listed('index', 'version'),
  ...listed('pack', 'writebitmaphashcache windowmemory threads'),
  ...listed('gc', 'auto autopacklimit autodetach pruneexpire'),
  ...listed('color', 'ui branch diff status'),
  ...listed('advice', 'detachedhead statushints'),
  ...listed('rerere', 'enabled autoupdate'),
  ...listed('submodule', 'active'),
  ...listed('submodule.*', 'active'),
  'submodule.*.url': /./,
  ...listed('lfs', 'repositoryformatversion'),
};

function listed(section: string, names: string): Record<string, null> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [`${section}.${name}`, null]));
}

/** Address settings: git treats `name::rest` as a helper program. */
const address = /^(remote\.\*\.(push)?url|submodule\.\*\.url)$/;

/**
 * Returns why a setting is blocked in an untrusted folder, or null if it is harmless. `key` is in the form of `git config --list`: section
 * and name in lower case, the subsection as written.
 */
export function settingFault(key: string, value: string): string | null {
  const pattern = patternKey(key);
  const allowed = Object.hasOwn(harmless, pattern) ? harmless[pattern] : undefined;
  if (allowed === undefined) return 'is not in the list of harmless settings';
  if (allowed && !allowed.test(value)) return `has a blocked value: ${JSON.stringify(value)}`;
  if (address.test(pattern) && !isPlainAddress(value)) return `has a blocked address: ${JSON.stringify(value)}`;
  return null;
}

/** `remote.origin.url` as `remote.*.url`. */
function patternKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  return first === last ? key : `${key.slice(0, first)}.*${key.slice(last)}`;
}

/** Whether an address uses a protocol without a helper program, or is a path (which git may not fetch from there). */
function isPlainAddress(value: string): boolean {
  if (value.startsWith('-') || /^[^/]*::/.test(value) || /\p{Cc}/u.test(value)) return false;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  // ssh would parse a host that starts with "-" as an option.
  return ['https', 'http', 'ssh', 'git', 'file'].includes(scheme) && !/^[a-z]+:\/\/([^/]*@)?-/i.test(value);
}
