import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandFolder } from '#main/hosts/cli/testing/command.ts';
import { requestSchemas } from '#main/hosts/dap/requests.ts';
import { ROOT } from '#scripts/checks/source-files.ts';
import { temporaryFolder } from '#scripts/temporary-folder.ts';
import { packExtension } from '#scripts/vscode/pack-extension.ts';
import { isCodeFlow, isFlowFile } from '#shared/flow/flow-file.ts';
import { startedClient } from './test-client.ts';

interface Contributions {
  readonly breakpoints: readonly { readonly language: string; readonly when: string }[];
  readonly configuration: { readonly properties: Record<string, { readonly scope: string }> };
  readonly debuggers: readonly {
    readonly type: string;
    readonly when: string;
    readonly configurationAttributes: Record<'launch' | 'attach', { readonly required: string[]; readonly properties: object }>;
    readonly initialConfigurations: readonly object[];
    readonly configurationSnippets: readonly { readonly body: object }[];
  }[];
}

let folder: ReturnType<typeof temporaryFolder>;
let files: Record<string, string>;
let manifest: { readonly main: string; readonly version: string; readonly contributes: Contributions };
beforeAll(async () => {
  folder = temporaryFolder({});
  const packed = unzipSync(new Uint8Array(readFileSync(await packExtension(ROOT, folder.path))));
  files = Object.fromEntries(Object.entries(packed).map(([name, bytes]) => [name, strFromU8(bytes, name.endsWith('.png'))]));
  manifest = JSON.parse(files['extension/package.json'] ?? '');
});
afterAll(() => folder[Symbol.dispose]());

test('the package holds the extension, what describes it, and nothing else', () => {
  expect(Object.keys(files).toSorted()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/images/icon.png',
    'extension/out/extension.js',
    'extension/package.json',
    'extension/readme.md',
  ]);
  expect(manifest.main).toBe('./out/extension.js');
  expect(files['extension/LICENSE.txt']).toContain('MIT License');
  expect(files['extension/images/icon.png']?.slice(1, 4)).toBe('PNG');
  const assets = files['extension.vsixmanifest']?.matchAll(/(?:Path|Value)="(extension\/[^"]+)"/g) ?? [];
  const named = [...assets].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !(path in files))).toEqual([]);
  const endings = new Set(Object.keys(files).map((name) => name.slice(name.lastIndexOf('.'))));
  endings.delete('.xml');
  for (const ending of endings) expect(files['[Content_Types].xml']).toContain(`Extension="${ending}"`);
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
});

test('breakpoints and the debugger are offered for the names of flow documents, and no others', () => {
  const { breakpoints, debuggers } = manifest.contributes;
  const patterns = [...breakpoints, ...debuggers].map(({ when }) => new RegExp(/=~ \/(.+)\/$/.exec(when)?.[1] ?? '$^'));
  for (const name of ['a.flow.yaml', 'a.flow.yml', 'a.flow.json', 'a.yaml', 'package.json', 'flow.yaml', 'a.flow.ts'])
    expect(
      patterns.some((pattern) => pattern.test(name)),
      name,
    ).toBe(isFlowFile(name) && !isCodeFlow(name));
});

test('the adapter knows every key of a configuration that the extension offers', () => {
  const [pravah] = manifest.contributes.debuggers;
  for (const request of ['launch', 'attach'] as const) {
    const offered = pravah?.configurationAttributes[request];
    const known = requestSchemas[request].shape;
    expect(Object.keys(offered?.properties ?? {}).filter((key) => !(key in known))).toEqual([]);
    expect(offered?.required.filter((key) => requestSchemas[request].safeParse({ [key]: 'x' }).success)).toEqual(offered?.required);
  }
  for (const body of [...(pravah?.initialConfigurations ?? []), ...(pravah?.configurationSnippets ?? []).map((snippet) => snippet.body)]) {
    const { request, type: _type, name: _name, ...rest } = body as { request: 'launch' | 'attach'; type: string; name: string };
    expect(Object.keys(rest).filter((key) => !(key in requestSchemas[request].shape))).toEqual([]);
  }
});

test('a folder can not set which program is started, nor what it may do', () => {
  const { properties } = manifest.contributes.configuration;
  expect(Object.entries(properties).map(([name, { scope }]) => [name, scope])).toEqual([
    ['pravah.path', 'machine'],
    ['pravah.arguments', 'machine'],
  ]);
});

/** What the packed extension asks of VS Code, recorded. VS Code itself needs a display and a download. */
function activated(settings: Record<string, unknown>, activeFile: string) {
  const registered: Record<string, Record<string, (...args: never[]) => unknown>> = {};
  const shown: string[] = [];
  const vscode = {
    debug: {
      registerDebugConfigurationProvider: (type: string, provider: never) =>
        Object.assign(registered, { [`${type} configurations`]: provider }),
      registerDebugAdapterDescriptorFactory: (type: string, factory: never) => Object.assign(registered, { [`${type} adapters`]: factory }),
    },
    commands: { registerCommand: (name: string, run: never) => Object.assign(registered, { [name]: { run } }) },
    window: {
      activeTextEditor: { document: { fileName: activeFile } },
      showErrorMessage: async (message: string) => void shown.push(message),
    },
    workspace: { getConfiguration: () => ({ get: (key: string) => settings[key] }) },
    DebugAdapterExecutable: class {
      readonly command: string;
      readonly args: string[];
      readonly options: { readonly cwd?: string };
      constructor(command: string, args: string[], options: { cwd?: string }) {
        this.command = command;
        this.args = args;
        this.options = options;
      }
    },
  };
  const require = createRequire(import.meta.url);
  const module: { exports: { activate?: (context: object) => void } } = { exports: {} };
  const load = new Function('require', 'module', 'exports', files['extension/out/extension.js'] ?? '');
  load((name: string) => (name === 'vscode' ? vscode : require(name)), module, module.exports);
  module.exports.activate?.({ subscriptions: [] });
  return { registered, shown };
}

test('the packed extension starts an adapter that stops at a breakpoint of the active flow', async () => {
  const open = new CommandFolder();
  await using _folder = { [Symbol.asyncDispose]: () => open.remove() };
  const flow =
    'pravah: 1\nname: Two\ninput: A\noutput: Z\nschemas: { A: {}, B: {}, Z: {} }\nnodes:\n  - { kind: work, from: A, to: B }\n  - { kind: work, from: B, to: Z }\n';
  const program = open.write('two.flow.yaml', flow);
  const { registered, shown } = activated({ path: join(ROOT, 'bin', 'pravah'), arguments: [] }, program);
  const resolve = registered['pravah configurations']?.resolveDebugConfiguration as unknown as (
    folder: undefined,
    given: object,
  ) => Promise<object>;
  const configuration = await resolve(undefined, {});
  expect(configuration).toMatchObject({ request: 'launch', program });
  expect(await resolve(undefined, { type: 'pravah', name: 'x', request: 'launch' })).toBeNull();
  expect(shown).toEqual([expect.stringContaining('Add "program"')]);

  const create = registered['pravah adapters']?.createDebugAdapterDescriptor as unknown as (session: object) => {
    command: string;
    args: string[];
    options: { cwd: string };
  };
  const { command, args, options } = create({ workspaceFolder: { uri: { fsPath: open.folder } } });
  expect(options.cwd).toBe(open.folder);
  await using client = startedClient(command, args, { cwd: options.cwd, home: join(open.root, 'home') });
  await client.hitBreakpoint({ ...configuration, stopOnEntry: false }, { path: program, line: 8 });
});
