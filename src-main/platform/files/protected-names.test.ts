import { describe, expect, test } from 'vitest';
import { protectionByName } from './protected-names.ts';

const protect = (path: string) => protectionByName(path.split('/'));

describe('protected names', () => {
  test.each([
    ['git', ['.git', '.git/config', 'sub/.git/config', 'a/b/.git/hooks/pre-commit', '.git/info/attributes', 'vendored/.git']],
    ['case', ['.GIT/config', '.Git/config', '.gIt', 'PRAVAH.JSON', 'Sub/Pravah.Json', 'a.FLOW.yaml', '.Pravah/runs.db']],
    [
      'Unicode forms',
      [
        '.ｇｉｔ/config',
        '.\u{1d406}it/config',
        '.g\u0131t/config',
        '.G\u0130T/config',
        '.gi\u0301t/config',
        'pravah．json',
        'pravah.j\u017fon',
        'a.ﬂow.json',
      ],
    ],
    ['invisible characters', ['.g\u200bit/config', '.git\u200d/config', '\ufeff.git/config', '.\u2060git', 'pravah\u00ad.json']],
    [
      'Windows',
      [
        '.git./config',
        '.git /config',
        '.git. . /config',
        'GIT~1/config',
        'git~2',
        '.git::$INDEX_ALLOCATION/config',
        'pravah.json::$DATA',
        'pravah.json.',
      ],
    ],
    ['flows and layouts', ['a.flow.json', 'a.flow.yaml', 'deep/down/a.flow.ts', 'a.layout.json', 'x/A.LAYOUT.JSON', 'a.flow.yaml.bak']],
    ['the journal', ['.pravah/runs.db', '.pravah/drafts/a', 'sub/.pravah/x']],
  ])('of the class %s are protected from writing', (_name, paths) => {
    for (const path of paths) expect([path, protect(path)]).toEqual([path, 'read_only']);
  });

  test.each([
    ['.env'],
    ['.env.local'],
    ['.ENV'],
    ['sub/.env.production'],
    ['.\uff45nv'],
    ['.e\u0301nv'],
    ['.env~'],
    ['.envs/key'],
    ['.env:stream'],
  ])('%s is not even readable', (path) => {
    expect(protect(path)).toBe('secret');
  });

  test.each([
    ['README.md'],
    ['.github/workflows/ci.yml'],
    ['.gitignore'],
    ['.gitattributes'],
    ['environment.md'],
    ['src/flow.json'],
    ['layout.json'],
    ['my-pravah.json'],
    ['workflow.yaml'],
    ['git/config'],
    ['ordner/größe.txt'],
  ])('%s is an ordinary name', (path) => {
    expect(protect(path)).toBe('open');
  });
});
