import { describe, expect, test } from 'vitest';
import type { CommandRule } from '#main/engine/ports/context.ts';
import { ToolError } from '#shared/run/error.ts';
import { checkCommand, hasPinnedArguments } from './command-rules.ts';

const log: CommandRule = { name: 'git', args: ['log', '--oneline', '*'] };

function verdict(rules: readonly CommandRule[], command: string, ...args: string[]): string {
  try {
    checkCommand({ commands: rules }, command, args);
    return 'allowed';
  } catch (error) {
    if (error instanceof ToolError) return error.variant;
    throw error;
  }
}

test('a refusal in a folder that is not trusted says so instead of naming pravah.json, which may list the command', () => {
  const refused = (trusted: boolean) => () => checkCommand({ commands: [], trusted }, 'git', ['log']);
  expect(refused(false)).toThrow('the folder is not trusted');
  expect(refused(true)).toThrow('pravah.json does not allow this command');
});

describe('a command', () => {
  test.each([
    ['a bare name allows anything the program can do', ['git'], ['git', '-c', 'alias.x=!sh', 'x']],
    ['a bare name allows no arguments too', ['git'], ['git']],
    ['a rule allows its very arguments', [log], ['git', 'log', '--oneline', 'v1..HEAD']],
    ['a star takes an empty argument', [log], ['git', 'log', '--oneline', '']],
    ['one rule of several is enough', ['ls', { name: 'git', args: ['status'] }, log], ['git', 'status']],
    [
      'an option that the author wrote is allowed',
      [{ name: 'git', args: ['log', '--output=notes.txt'] }],
      ['git', 'log', '--output=notes.txt'],
    ],
  ] as const)('%s', (_name, rules, [command, ...args]) => {
    expect(verdict(rules, command, ...args)).toBe('allowed');
  });

  describe('that no rule matches is ForbiddenCommand', () => {
    test.each([
      [['git', '-c', 'alias.x=!sh', 'x']],
      [['git', 'log', '--oneline', '--output=x']],
      [['git', 'log', '--oneline', '-p']],
      [['git', 'log', '--oneline', '-']],
      [['git', '--exec-path=.', 'log', '--oneline', 'HEAD']],
      [['git', '-C', '..', 'log', '--oneline', 'HEAD']],
      [['git', 'log', '--oneline']],
      [['git', 'log', '--oneline', 'HEAD', 'README.md']],
      [['git', 'log', '--oneline', 'HEAD', '--output=x']],
      [['git', 'log --oneline', 'HEAD']],
      [['git', 'LOG', '--oneline', 'HEAD']],
      [['git']],
      [['GIT', 'log', '--oneline', 'HEAD']],
      [['git.exe', 'log', '--oneline', 'HEAD']],
      [['git ', 'log', '--oneline', 'HEAD']],
      [['gi', 't', 'log']],
      [['git log', '--oneline', 'HEAD']],
      [['git', 'log', '--oneline', 'HEAD\0--output=x']],
    ])('%j under a rule for git log', ([command, ...args]) => {
      expect(verdict([log], command as string, ...args)).toBe('ForbiddenCommand');
    });

    test.each(['/usr/bin/git', './git', '../git', 'bin/git', 'sub\\git', 'C:\\git', '', '.', '..', 'git\0x', '/git'])(
      'a name with a separator, or none: %j',
      (command) => {
        expect(verdict([command, 'git'], command)).toBe('ForbiddenCommand');
      },
    );

    test('anything, where nothing is allowed', () => {
      expect(verdict([], 'ls')).toBe('ForbiddenCommand');
    });
  });

  test('a refused command reports how to allow it', () => {
    expect(() => checkCommand({ commands: [log] }, 'git', ['push'])).toThrow('"git log --oneline *"');
    expect(() => checkCommand({ commands: [log], from_program: true }, 'make', [])).toThrow("createContext({ commands: ['make'] })");
  });

  test('a command’s arguments are pinned by a rule with arguments, not by a bare name', () => {
    const args = ['log', '--oneline', 'HEAD'];
    expect(hasPinnedArguments([log], 'git', args)).toBe(true);
    expect(hasPinnedArguments(['git', log], 'git', args)).toBe(true);
    expect(hasPinnedArguments(['git'], 'git', args)).toBe(false);
    expect(hasPinnedArguments(['git', log], 'git', ['push'])).toBe(false);
  });
});
