import { isAbsolute, normalize, sep } from 'node:path';
import { refusedGit } from './git-call.ts';

/*
 * The git commands and options allowed in an untrusted folder. It is an allow list because git has hundreds of options, accepts abbreviations,
 * and many options read or write a file or start a program. None of the listed ones does.
 */

interface CommandForm {
  /** Long options, spelled out, with or without `=value`. */
  readonly long: ReadonlySet<string>;
  /** Letters of short options; they may be combined and followed by a number. */
  readonly short: string;
  /** Options whose value is the next argument. A value that starts with `-` is checked like an option, because git might parse it as one. */
  readonly withValue: ReadonlySet<string>;
  /** Starts programs for network access, never in the working tree. */
  readonly network?: true;
  /** Validates the arguments as a whole; returns the problem. */
  readonly fault?: (args: readonly string[]) => string | null;
}

function form(long: string, short = '', withValue = '', rest: Pick<CommandForm, 'network' | 'fault'> = {}): CommandForm {
  return { long: new Set(words(long)), short, withValue: new Set(words(withValue)), ...rest };
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const diff = `patch no-patch stat numstat shortstat dirstat summary raw name-only name-status unified minimal patience histogram
  diff-algorithm indent-heuristic color no-color color-moved word-diff word-diff-regex color-words no-renames find-renames find-copies
  find-copies-harder break-rewrites text ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol
  function-context check full-index abbrev no-abbrev binary exit-code quiet diff-filter pickaxe-all pickaxe-regex src-prefix dst-prefix
  no-prefix line-prefix relative no-relative inter-hunk-context cc combined-all-paths`;
const log = `${diff} oneline graph no-graph decorate no-decorate all branches tags remotes since after until before author committer grep
  all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp reverse merges no-merges first-parent format pretty date
  relative-date abbrev-commit no-abbrev-commit follow max-count skip topo-order date-order author-date-order simplify-by-decoration full-history
  ancestry-path cherry-pick cherry-mark left-right left-only right-only boundary no-walk walk-reflogs source parents children diff-merges
  no-notes`;
const logValues = '-n --max-count --skip --since --after --until --before --author --committer --grep --date -S -G';
const listed = 'sort format merged no-merged contains no-contains points-at color no-color column no-column ignore-case';

const gives = (message: string, wrong: (args: readonly string[]) => boolean) => (args: readonly string[]) => (wrong(args) ? message : null);
const positionals = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'));

const commands: Readonly<Record<string, CommandForm>> = {
  add: form('all update dry-run verbose force intent-to-add ignore-errors ignore-removal no-ignore-removal refresh chmod', 'AunvfN'),
  annotate: form('root show-stats porcelain line-porcelain show-name show-number show-email date', 'wMClstefn', '-L'),
  blame: form('root show-stats porcelain line-porcelain show-name show-number show-email date abbrev', 'wMClstefnp', '-L'),
  branch: form(
    `${listed} all remotes list verbose quiet show-current delete move copy force track no-track set-upstream-to unset-upstream abbrev no-abbrev`,
    'avrdDmMcCflqtu',
  ),
  'cat-file': form('', 'ptse'),
  checkout: form('quiet force detach track no-track ours theirs orphan no-guess guess overwrite-ignore no-progress', 'qfbBdtl'),
  clean: form('force dry-run quiet exclude', 'fdnqxX', '-e --exclude'),
  commit: form(
    'all message quiet verbose amend no-edit allow-empty allow-empty-message no-verify author date signoff no-signoff dry-run reset-author short porcelain long branch only include fixup squash',
    'amqvnsoi',
    '-m --message --author --date',
  ),
  config: form('get get-all get-regexp list name-only show-origin show-scope null local type bool int path', 'lz', '', {
    fault: gives('only reading the configuration is allowed: --get, --get-all, --get-regexp or --list', (args) =>
      args.every((arg) => !['--get', '--get-all', '--get-regexp', '--list', '-l'].includes(arg)),
    ),
  }),
  'count-objects': form('verbose human-readable', 'vH'),
  describe: form('all tags contains always dirty long abbrev candidates exact-match match exclude first-parent'),
  diff: form(`${diff} cached staged merge-base`, 'puszwbaWRMCBDUSG', '-S -G', { fault: pathOutside }),
  'diff-files': form(diff, 'puszwbaWRMCBDUq', '', { fault: pathOutside }),
  'diff-index': form(`${diff} cached merge-base`, 'puszwbaWRMCBDUm'),
  'diff-tree': form(`${diff} root no-commit-id pretty format merge-base`, 'puszwbaWRMCBDUrtmcv'),
  fetch: form(
    'all prune prune-tags tags no-tags depth deepen unshallow shallow-since dry-run verbose quiet force append no-progress progress atomic porcelain set-upstream',
    'apPtvqfn',
    '',
    { network: true },
  ),
  'for-each-ref': form(`${listed} count exclude`),
  grep: form(
    `cached untracked ignore-case invert-match word-regexp line-number column no-column count files-with-matches files-without-match
    name-only fixed-strings extended-regexp basic-regexp perl-regexp only-matching quiet all-match and or not heading break show-function
    function-context context after-context before-context max-count max-depth color no-color full-name null text`,
    'ivwnclLFEGPohHqpWCABmzaI',
    '-e',
  ),
  init: form('quiet initial-branch', 'qb', '-b --initial-branch', {
    fault: gives('only the folder itself can be initialized, without an argument', (args) => {
      const own = args.filter((_arg, index) => !['-b', '--initial-branch'].includes(args[index - 1] ?? ''));
      return positionals(own).length > 0;
    }),
  }),
  log: form(log, 'pusizwbaWRMCBUnFEPgmcSGL', `${logValues} -L`),
  'ls-files': form(
    'cached deleted modified others ignored stage unmerged killed exclude-standard directory no-empty-directory eol full-name abbrev error-unmatch deduplicate format',
    'cdmoisuktvfz',
  ),
  'ls-remote': form('heads branches tags refs quiet exit-code get-url sort symref', 'htq', '', { network: true }),
  'ls-tree': form('name-only name-status object-only long full-name full-tree abbrev format', 'drtlz'),
  'merge-base': form('all octopus is-ancestor fork-point independent', 'a'),
  'name-rev': form('tags refs exclude all name-only no-undefined always'),
  push: form(
    'all tags follow-tags set-upstream force force-with-lease force-if-includes delete dry-run verbose quiet porcelain prune atomic no-verify no-progress progress',
    'ufdnvq',
    '',
    { network: true },
  ),
  reflog: form(`${log}`, 'nuzip', logValues, {
    fault: gives('the reflog can only be shown', (args) => ['delete', 'expire', 'drop', 'write'].includes(args[0] ?? '')),
  }),
  remote: form('verbose', 'v', '', {
    fault: gives('remotes can only be listed: "git remote", "git remote -v" or "git remote get-url NAME"', (args) => {
      const [action] = positionals(args);
      return action !== undefined && action !== 'get-url';
    }),
  }),
  reset: form('soft mixed hard merge keep quiet no-refresh refresh intent-to-add', 'qN'),
  restore: form('source staged worktree quiet ours theirs overlay no-overlay ignore-unmerged no-progress', 'SWq', '-s --source'),
  'rev-list': form(`${log} count objects timestamp header disk-usage`, 'nviFEP', logValues),
  'rev-parse': form(
    'verify quiet short abbrev-ref symbolic symbolic-full-name all branches tags remotes show-toplevel show-prefix show-cdup is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository git-dir absolute-git-dir show-object-format sq',
    'q',
  ),
  rm: form('cached force dry-run quiet ignore-unmatch sparse', 'frnq'),
  shortlog: form(`${log} numbered email committer group`, 'nsecw', logValues),
  show: form(log, 'pusizwbaWRMCBUmcSG', '-S -G --date'),
  'show-ref': form('heads branches tags dereference hash verify abbrev quiet head exists', 'dsqh'),
  status: form(
    'short branch porcelain long show-stash untracked-files ignored column no-column no-renames renames find-renames ahead-behind no-ahead-behind null verbose',
    'sbzvunoalmrno',
  ),
  switch: form('create force-create detach force discard-changes track no-track quiet orphan guess no-guess no-progress', 'cCdftq'),
  tag: form(`${listed} list annotate message delete force create-reflog no-sign`, 'alndfi', '-m --message --sort'),
  version: form('build-options'),
  whatchanged: form(log, 'pusizwbaWRMCBUn', logValues),
};

const globalOptions = new Set(['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects', '--version', '-v']);

/** What a call does, by its arguments. */
export interface GitArguments {
  readonly network: boolean;
}

/** Throws ToolError `ForbiddenCommand` for a call that is not in the list. */
export function checkUntrustedArguments(args: readonly string[], subcommandAt: number): GitArguments {
  const stranger = args.slice(0, subcommandAt).find((arg) => !globalOptions.has(arg));
  if (stranger !== undefined) throw notListed(`the option ${JSON.stringify(stranger)} before the subcommand`);
  const name = args[subcommandAt];
  if (name === undefined) return { network: false };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw notListed(`the command ${JSON.stringify(`git ${name}`)}`);
  const own = args.slice(subcommandAt + 1);
  checkOptions(name, command, own);
  const fault = command.fault?.(own);
  if (fault) throw notListed(`this "git ${name}" call`, `: ${fault}`);
  return { network: command.network === true };
}

function checkOptions(name: string, command: CommandForm, args: readonly string[]): void {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--') return;
    const isOption = arg.startsWith('-') && !command.withValue.has(arg);
    if (isOption && !isListed(command, arg)) throw notListed(`the option ${JSON.stringify(arg)} of "git ${name}"`);
  }
}

function isListed({ long, short }: CommandForm, arg: string): boolean {
  if (arg === '--ignore-submodules=all') return true;
  if (arg.startsWith('--')) return long.has(arg.slice(2).split('=', 1)[0] as string);
  const letters = /^-([A-Za-z]*)[\d,]*%?$/.exec(arg)?.[1];
  return arg !== '-' && letters !== undefined && [...letters].every((letter) => short.includes(letter));
}

/** `git diff` compares any two files of the machine if one of them is outside the repository. */
function pathOutside(args: readonly string[]): string | null {
  const found = args.find((arg) => isAbsolute(arg) || arg.startsWith('~') || normalize(arg).split(sep)[0] === '..');
  return found === undefined ? null : `${JSON.stringify(found)} leads outside the folder`;
}

function notListed(what: string, why = '') {
  return refusedGit(`In an untrusted folder, ${what} is not allowed${why}. Trust the folder to allow all git commands.`);
}
