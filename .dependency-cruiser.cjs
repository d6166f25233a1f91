// The arrows between the layers (src-shared ← src-main, src-renderer; hosts → services → runner → the parts → src-shared).
// scripts/checks/arrows.test.ts plants one forbidden import per rule and sees each refused.

/** Folders of src-main in which one does not know what stands above it. */
const PARTS = '^src-main/(engine|sandbox|agents|session|python|models|workspace-code|tools|mcp|journal|workspace|platform|debug)/';
/**
 * The rooms of the page, and the rooms that each may import. A room imports only rooms above it in this list; what it needs of one below
 * it gets as a property, from `app`.
 */
const ROOMS = {
  api: [],
  ui: [],
  shell: ['api'],
  document: ['api', 'shell', 'ui'],
  workspace: ['api', 'shell', 'ui', 'document'],
  runs: ['api', 'shell', 'ui', 'document', 'workspace'],
  editor: ['api', 'shell', 'ui', 'document', 'workspace', 'runs'],
  app: ['api', 'shell', 'ui', 'document', 'workspace', 'runs', 'editor'],
};
const TESTS = '\\.test\\.tsx?$';
const ENGINE_TESTING = '^src-main/engine/testing/';
const NODE_MODULES = '(^|/)node_modules/';

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const roomRules = Object.entries(ROOMS).map(([room, allowed]) =>
  forbid(
    `${room}-knows-only-its-rooms`,
    `src-renderer/${room} may import ${allowed.join(', ') || 'no other room'}; what is not listed is refused.`,
    { path: `^src-renderer/${room}/` },
    { path: '^src-renderer/', pathNot: `^src-renderer/(${[room, ...allowed].join('|')})/` },
  ),
);

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'Modules that need each other to run belong together or apart; types may refer to each other.',
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    // VS Code itself brings `vscode`.
    forbid('resolvable', 'An import must lead somewhere.', {}, { couldNotResolve: true, pathNot: '^vscode$' }),
    forbid(
      'shared-knows-only-shared',
      'src-shared is what all layers may know.',
      { path: '^src-shared/' },
      { path: '^(src-main|src-renderer|e2e|scripts|tests)/' },
    ),
    forbid(
      'shared-is-pure',
      'src-shared runs in a page too: no Node.',
      { path: '^src-shared/', pathNot: TESTS },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'shared-has-no-host',
      'src-shared knows neither Electron nor React nor a database.',
      { path: '^src-shared/' },
      {
        path: `${NODE_MODULES}(electron|react|react-dom|better-sqlite3|libsql|@xyflow|@mantine)/`,
      },
    ),
    forbid(
      'renderer-knows-only-shared',
      'The page reaches main through the contract alone.',
      { path: '^src-renderer/' },
      { path: '^(src-main|e2e|scripts|tests)/' },
    ),
    forbid('renderer-has-no-node', 'The page is sandboxed.', { path: '^src-renderer/', pathNot: TESTS }, { dependencyTypes: ['core'] }),
    ...roomRules,
    forbid(
      'renderer-has-rooms',
      'Every file of the page is in a room.',
      { path: '^src-renderer/' },
      { path: '^src-renderer/', pathNot: `^src-renderer/(${Object.keys(ROOMS).join('|')})/` },
    ),
    forbid(
      'page-starts-the-app',
      'main.tsx renders the app.',
      { path: '^src-renderer/[^/]+$' },
      { path: '^src-renderer/', pathNot: '^src-renderer/(app/|ui/theme/)' },
    ),
    forbid(
      'document-has-no-components',
      'The room of open flows has stores and their subscription hooks; what draws them is in other rooms.',
      { path: '^src-renderer/' },
      { path: '^src-renderer/document/.*[.](tsx|css)$' },
    ),
    forbid(
      'document-draws-nothing',
      'Hooks that need effects, elements or the page stand with the components that use them.',
      { path: '^src-renderer/document/' },
      { path: `${NODE_MODULES}(react|react-dom|@mantine|@tabler|@xyflow|monaco-editor)/` },
    ),
    forbid(
      'main-knows-only-shared',
      'Main does not know the page.',
      { path: '^src-main/' },
      { path: '^(src-renderer|e2e|scripts|tests)/' },
    ),
    forbid(
      'main-has-no-page-library',
      'What draws belongs into src-renderer.',
      { path: '^src-main/' },
      {
        path: `${NODE_MODULES}(react|react-dom|@xyflow|@mantine|@rjsf|monaco-editor|zustand)/`,
      },
    ),
    forbid(
      'electron-only-in-its-host',
      'Everything else runs without Electron.',
      { path: '.', pathNot: '^(src-main/hosts/electron/|e2e/|scripts/offline/electron-vehicle/)' },
      {
        path: [`${NODE_MODULES}electron/`, '^electron$'],
      },
    ),
    forbid(
      'sqlite-only-in-the-journal',
      'One place stores.',
      // Attacks forge journals by their own means.
      { path: '^src-', pathNot: ['^src-main/(journal|store)/', '^tests/security/'] },
      {
        path: `${NODE_MODULES}(better-sqlite3|@types/better-sqlite3|libsql)/`,
      },
    ),
    forbid(
      'postgres-only-in-the-store',
      'One place knows PostgreSQL.',
      { path: '^src-', pathNot: ['^src-main/store/postgres/', '^src-main/testing/'] },
      { path: `${NODE_MODULES}(pg|@types/pg)/` },
    ),
    forbid(
      'hosts-carry-calls',
      'A window or a web server speaks to services; only the command line drives runs itself.',
      {
        path: '^src-main/hosts/(electron|web|server)/',
        pathNot: TESTS,
      },
      { path: '^src-main/(runner|engine|agents|models|tools|journal)/' },
    ),
    forbid(
      'server-is-loaded-lazily',
      'Only the commands of the server load it, its store and its libraries.',
      {
        path: '^src-main/',
        pathNot: [
          '^src-main/(server|store|hosts/(server|mcp))/',
          '^src-main/hosts/cli/(commands/((mcp-)?serve|token|migrate|deploy)|options/store-location)[.]ts$',
          TESTS,
        ],
      },
      { path: ['^src-main/(server|store|hosts/(server|mcp))/', `${NODE_MODULES}(@orpc/(openapi|zod)|prom-client|pg)/`], dynamic: false },
    ),
    forbid(
      'telemetry-is-loaded-lazily',
      'Only a server with an endpoint, and the entry of the library for it, load OpenTelemetry.',
      { path: '^src-main/', pathNot: ['^src-main/telemetry/', '^src-main/sdk/otel[.]ts$', TESTS] },
      {
        path: ['^src-main/telemetry/', `${NODE_MODULES}@opentelemetry/`],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'store-knows-no-service',
      'Services use the store; the store knows none of them.',
      { path: '^src-main/store/' },
      { path: '^src-main/(hosts|services|server|runner)/' },
    ),
    forbid(
      'services-know-no-host',
      'Services do not know who calls.',
      { path: '^src-main/(services|server)/' },
      { path: '^src-main/hosts/' },
    ),
    forbid(
      'runner-knows-no-service',
      'The runner is a layer below the services.',
      { path: '^src-main/runner/' },
      { path: '^src-main/(hosts|services)/' },
    ),
    forbid(
      'time-travel-knows-no-service',
      'Going back in runs, and taking them along, is what services offer.',
      { path: '^src-main/(time-travel|capsule|bisect|matrix)/' },
      { path: '^src-main/(hosts|services)/' },
    ),
    forbid(
      'parts-know-nothing-above',
      'The parts stand below the runner.',
      { path: PARTS },
      { path: '^src-main/(hosts|services|runner)/' },
    ),
    forbid(
      'engine-imports-only-shared',
      'The engine imports itself, src-shared and these packages. Tools, models, agents and recorders are handed in (engine/ports).',
      // Its tests run flows with the real tools, models and agent loop, which src-main/engine/testing puts together for them.
      { path: '^src-main/engine/', pathNot: [TESTS, ENGINE_TESTING] },
      {
        pathNot: ['^src-main/engine/(?!testing/)', '^src-shared/', `${NODE_MODULES}(@noble/hashes|ajv|ajv-formats|re2js)/`],
        dependencyTypesNot: ['core'],
      },
    ),
    forbid(
      'engine-runs-anywhere',
      'The engine, the agent loop and the builder run in browsers and at the edge too: no Node. Sandboxes, files and processes are registered (step/run-context.ts).',
      { path: '^src-main/(engine|agents|sdk/builder)/', pathNot: [TESTS, '/testing/'] },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'platform-knows-only-the-engine',
      'Files, programs, git and the profile are used by everything above; of src-main they know only the engine.',
      { path: '^src-main/platform/', pathNot: TESTS },
      { path: '^src-main/', pathNot: '^src-main/(platform|engine)/' },
    ),
    forbid(
      'debug-adapter-is-loaded-lazily',
      'Only the command dap loads the debug adapter and its library.',
      { path: '^src-main/', pathNot: ['^src-main/hosts/dap/', TESTS] },
      { path: '^src-main/hosts/dap/', dynamic: false },
    ),
    forbid(
      'editors-start-the-program',
      'An extension of an editor is installed by itself: it starts pravah and knows nothing of its code.',
      { path: '^editors/', pathNot: TESTS },
      { path: '^(src-shared|src-main|src-renderer|e2e|scripts|tests)/' },
    ),
    forbid('no-test-in-a-product', 'Tests are not imported.', { pathNot: TESTS }, { path: TESTS }),
    forbid(
      'main-runs-on-dependencies',
      'What main loads from node_modules is a dependency, not a devDependency.',
      {
        path: '^src-(main|shared)/',
        // Tests, and what only they use.
        pathNot: [TESTS, '^tests/'],
      },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^out/', '^resources/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
};
