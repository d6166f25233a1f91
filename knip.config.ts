import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    'scripts/*.mjs',
    'scripts/test/command-server/{client.cjs,worker.ts}', // started as programs by server.ts
    'scripts/dev/dev-server.ts', // started as a program by scripts/dev.mjs
    'scripts/{build/build-parts,package/package,test/run-parts,schemas/write-schemas}.ts',
    'src-main/hosts/*/{main,preload}.ts',
    'src-main/sdk/{runtime,engine,otel,testing}.ts', // what the package exports
    'src-main/sdk/builder/*.type-test.ts', // read by the compiler only
    'tests/crash/{driven-process,witness}.ts', // started as programs by the suite
    'src-main/sdk/testing/talking-process.ts', // started as a program by killed-talkers.test.ts
    'src-main/services/testing/editing-process.ts', // started as a program by killed-processes.test.ts
    'bench/{bench.mjs,run-bench.ts,canvas/run-canvas.ts,canvas/bare.tsx}',
    'src-renderer/main.tsx',
    'scripts/offline/electron-vehicle/{loader,shim}/*.{cjs,js}',
    'editors/vscode/src/extension.ts', // packed by scripts/vscode
  ],
  project: ['tests/**/*.ts', 'src-*/**/*.{ts,tsx}', 'e2e/**/*.{ts,cjs,js}', 'scripts/**/*.{ts,mjs,cjs,js}', 'bin/*', 'editors/**/*.ts'],
  // A type that a file exports beside the function that takes it is for the function's callers.
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    '@modelcontextprotocol/server-everything', // started as a program in src-main/mcp/testing/test-servers.ts
    '@modelcontextprotocol/server-filesystem', // started as a program in src-main/mcp/testing/test-servers.ts
    'swagger-ui-dist', // its files are copied by scripts/build/swagger-ui.ts
    'vscode', // brought by VS Code itself
    'dependency-cruiser', // started as a program in scripts/checks/cruise.ts
  ],
  ignoreBinaries: [
    'apt-get', // the system's
    'dbus-daemon', // a package that the story of the keychain installs
    'gnome-keyring-daemon', // the same
    'mkfifo', // the system's
    'mount', // the system's
    'umount', // the system's
    'unshare', // the system's
  ],
};

export default config;
