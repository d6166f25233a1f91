import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { type Cruise, cruise } from './cruise.ts';
import { mutualFolders, productImports, roomOf } from './mutual-folders.ts';
import { copyCheckout, type PlantedCheckout } from './planted-checkout.ts';
import { ROOT, sourceFiles } from './source-files.ts';

/** What each room of the page may not import: the rooms above it, and what is no room. */
const REFUSED_ROOMS = {
  api: ['ui', 'shell', 'document', 'workspace', 'runs', 'editor', 'app'],
  ui: ['api', 'shell', 'document', 'workspace', 'runs', 'editor', 'app'],
  shell: ['ui', 'document', 'workspace', 'runs', 'editor', 'app'],
  document: ['workspace', 'runs', 'editor', 'app'],
  workspace: ['runs', 'editor', 'app'],
  runs: ['editor', 'app'],
  editor: ['app'],
  app: ['ninth'],
} as const;

const roomPlants = Object.entries(REFUSED_ROOMS).map(([room, refused]) => [
  `${room}-knows-only-its-rooms`,
  refused.map((other) => [`src-renderer/${room}/planted-${other}.ts`, `#renderer/${other}/planted.ts`] as const),
]);

/** For each rule: where a forbidden import is planted, and what it imports. Several for a rule that forbids several arrows. */
const PLANTS: Readonly<Record<string, readonly (readonly [file: string, specifier: string])[]>> = {
  'no-cycles': [['src-shared/planted-a.ts', '#shared/planted-b.ts']],
  resolvable: [['src-shared/planted.ts', '#shared/nowhere.ts']],
  'shared-knows-only-shared': [
    ['src-shared/planted-main.ts', '#main/planted.ts'],
    ['src-shared/planted-renderer.ts', '#renderer/planted.ts'],
  ],
  'shared-is-pure': [['src-shared/planted-node.ts', 'node:fs']],
  'shared-has-no-host': [
    ['src-shared/planted-react.ts', 'react'],
    ['src-shared/planted-electron.ts', 'electron'],
  ],
  'renderer-knows-only-shared': [['src-renderer/planted-main.ts', '#main/planted.ts']],
  'renderer-has-no-node': [['src-renderer/planted-node.ts', 'node:path']],
  ...Object.fromEntries(roomPlants),
  'renderer-has-rooms': [['src-renderer/ninth/planted-room.ts', '#renderer/ninth/planted.ts']],
  'page-starts-the-app': [['src-renderer/planted-start.ts', '#renderer/editor/planted.ts']],
  'document-has-no-components': [['src-renderer/editor/planted-component.ts', '#renderer/document/planted-component.tsx']],
  'document-draws-nothing': [
    ['src-renderer/document/planted-react.ts', 'react'],
    ['src-renderer/document/planted-control.ts', '@mantine/core'],
  ],
  'main-knows-only-shared': [['src-main/services/planted-renderer.ts', '#renderer/planted.ts']],
  'main-has-no-page-library': [['src-main/tools/planted-react.ts', 'react']],
  'electron-only-in-its-host': [
    ['src-main/engine/planted-electron.ts', 'electron'],
    ['src-main/hosts/web/planted-electron.ts', 'electron'],
    ['src-renderer/planted-electron.ts', 'electron'],
  ],
  'debug-adapter-is-loaded-lazily': [['src-main/hosts/cli/planted-dap.ts', '#main/hosts/dap/dap.ts']],
  'server-is-loaded-lazily': [
    ['src-main/hosts/cli/planted-server.ts', '#main/hosts/server/serve.ts'],
    ['src-main/services/planted-openapi.ts', '@orpc/openapi'],
  ],
  'telemetry-is-loaded-lazily': [
    ['src-main/hosts/cli/planted-exporter.ts', '#main/telemetry/exporter.ts'],
    ['src-main/engine/planted-otel.ts', '@opentelemetry/api'],
  ],
  'store-knows-no-service': [['src-main/store/planted-service.ts', '#main/services/planted.ts']],
  'editors-start-the-program': [['editors/vscode/src/planted-shared.ts', '../../../src-shared/planted.ts']],
  'postgres-only-in-the-store': [['src-main/server/planted-postgres.ts', 'pg']],
  'sqlite-only-in-the-journal': [['src-main/engine/planted-sqlite.ts', 'better-sqlite3']],
  'hosts-carry-calls': [
    ['src-main/hosts/electron/planted-runner.ts', '#main/runner/planted.ts'],
    ['src-main/hosts/web/planted-journal.ts', '#main/journal/planted.ts'],
  ],
  'services-know-no-host': [['src-main/services/planted-host.ts', '#main/hosts/web/planted.ts']],
  'runner-knows-no-service': [['src-main/runner/planted-service.ts', '#main/services/planted.ts']],
  'time-travel-knows-no-service': [['src-main/time-travel/planted-service.ts', '#main/services/planted.ts']],
  'parts-know-nothing-above': [
    ['src-main/journal/planted-runner.ts', '#main/runner/planted.ts'],
    ['src-main/tools/planted-service.ts', '#main/services/planted.ts'],
    ['src-main/engine/planted-host.ts', '#main/hosts/web/planted.ts'],
  ],
  'engine-runs-anywhere': [
    ['src-main/engine/planted-node.ts', 'node:path'],
    ['src-main/agents/planted-node.ts', 'node:crypto'],
    ['src-main/sdk/builder/planted-node.ts', 'node:fs'],
  ],
  'engine-imports-only-shared': [
    ['src-main/engine/planted-journal.ts', '#main/journal/planted.ts'],
    ['src-main/engine/planted-workspace.ts', '#main/workspace/planted.ts'],
    ['src-main/engine/bodies/planted-unknown.ts', '#main/unknown/planted.ts'],
    ['src-main/engine/ports/planted-main.ts', '#main/planted.ts'],
    ['src-main/engine/planted-testing.ts', '#main/engine/testing/planted.ts'],
    ['src-main/engine/planted-package.ts', 'yaml'],
  ],
  'platform-knows-only-the-engine': [['src-main/platform/planted-workspace.ts', '#main/workspace/planted.ts']],
  'no-test-in-a-product': [['src-shared/planted-test.ts', '#shared/planted.test.ts']],
  'main-runs-on-dependencies': [['src-main/tools/planted-dev.ts', 'fast-check']],
};

/** Groupings of src-main's files in which no two groups may import each other, imports of types included: its rooms, and all its folders. */
const MAIN_GROUPINGS = { rooms: roomOf, folders: undefined } as const;

/** Targets of the planted imports. */
const TARGETS = [
  'src-main/planted.ts',
  'src-main/runner/planted.ts',
  'src-main/services/planted.ts',
  'src-main/journal/planted.ts',
  'src-main/workspace/planted.ts',
  'src-main/unknown/planted.ts',
  'src-main/engine/testing/planted.ts',
  'src-main/hosts/web/planted.ts',
  'src-renderer/planted.ts',
  ...Object.keys(REFUSED_ROOMS).map((room) => `src-renderer/${room}/planted.ts`),
  'src-renderer/ninth/planted.ts',
  'src-renderer/document/planted-component.tsx',
  'src-shared/planted.test.ts',
];

const require = createRequire(import.meta.url);
const rules: readonly string[] = require(join(ROOT, '.dependency-cruiser.cjs')).forbidden.map(({ name }: { name: string }) => name);

describe('the arrows between the layers', () => {
  let checkout: PlantedCheckout;
  let planted: Cruise;

  beforeAll(() => {
    checkout = copyCheckout({ withSources: true });
    for (const target of TARGETS) checkout.plant(target, 'export const planted = 1;\n');
    for (const [file, specifier] of Object.values(PLANTS).flat()) checkout.plant(file, `import '${specifier}';\nexport const here = 1;\n`);
    checkout.plant('src-shared/planted-b.ts', "import '#shared/planted-a.ts';\nexport const here = 1;\n");
    planted = cruise(checkout.root);
  }, 120_000 * slowness);
  afterAll(() => checkout[Symbol.dispose]());

  test.each(rules)('%s refuses what is planted for it', (rule) => {
    const plants = PLANTS[rule] ?? [];
    expect(plants.length, 'imports planted for this rule').toBeGreaterThan(0);
    const refused = planted.violations.filter((violation) => violation.rule === rule).map(({ from }) => from);
    expect(refused).toEqual(expect.arrayContaining(plants.map(([file]) => file)));
  });

  test('every planted file is one that a rule exists for', () => {
    expect(Object.keys(PLANTS).filter((rule) => !rules.includes(rule))).toEqual([]);
  });

  test('two folders that import each other are found, a folder and its own files are not', () => {
    const there = { from: 'page/canvas/card.ts', to: 'page/library/entry.ts' };
    const back = { from: 'page/library/panel.ts', to: 'page/canvas/store.ts' };
    const within = { from: 'page/canvas/card.ts', to: 'page/canvas/store.ts' };
    expect(mutualFolders([there, within])).toEqual([]);
    expect(mutualFolders([there, within, back])).toEqual(['page/canvas and page/library']);
  });

  test('two rooms that import each other are found, although no two of their folders do', () => {
    const there = { from: 'src-main/a/one/x.ts', to: 'src-main/b/one/x.ts' };
    const back = { from: 'src-main/b/other/x.ts', to: 'src-main/a/other/x.ts' };
    const ofTest = { from: 'src-main/b/other/x.test.ts', to: 'src-main/a/other/x.ts' };
    expect(mutualFolders([there, back])).toEqual([]);
    expect(mutualFolders(productImports([there, back], 'src-main'), roomOf)).toEqual(['src-main/a and src-main/b']);
    expect(mutualFolders(productImports([there, ofTest], 'src-main'), roomOf)).toEqual([]);
  });

  test(
    'every source file is examined, no import is forbidden, and no two folders of the page or of main import each other',
    () => {
      const { examined, violations, imports } = cruise(ROOT);
      const unseen = sourceFiles().filter((file) => !examined.includes(file));
      expect(unseen, 'source files that were not examined').toEqual([]);
      expect(violations).toEqual([]);
      expect(mutualFolders(imports.filter(({ from, to }) => [from, to].every((file) => file.startsWith('src-renderer/'))))).toEqual([]);
      for (const [grouping, folderOf] of Object.entries(MAIN_GROUPINGS)) {
        expect(mutualFolders(productImports(imports, 'src-main'), folderOf), grouping).toEqual([]);
      }
    },
    120_000 * slowness,
  );
});
