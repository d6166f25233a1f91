import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { note } from '#main/testing/note.ts';
import { slowness } from '#main/testing/slowness.ts';
import manifest from '#package' with { type: 'json' };
import { filesBelow, Installed } from './installed.ts';

const root = join(import.meta.dirname, '../..');
const MINUTE = 60_000 * slowness;

/** What no published package brings along. */
const FOREIGN = /node_modules\/(?:electron|node|react|react-dom|@node-llama-cpp\/[^/]+)$/;

function expectOnlyWhatIsPublished(folder: string): void {
  const files = filesBelow(folder);
  expect(files.filter((file) => /\.(?:map|test\.js|tsx)$|\/src-\w+\/.*(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(files.filter((file) => /\.[cm]?js(?:on)?$/.test(file) && readFileSync(file, 'utf8').includes(root))).toEqual([]);
}

const counting = `
  import { z } from 'zod';
  import { createContext, defineFlow, FlowRuntime, left, right, state } from 'pravah';
  const [Count, Seen] = ['Count', 'Seen'].map((name) => state(name, z.object({ n: z.number() })));
  const Total = state('Total', z.object({ total: z.number() }));
  const flow = defineFlow({ input: Count, output: Total })
    .either(Count, [Seen, Total], ({ n }) => (n < 3 ? left({ n: n + 1 }) : right({ total: n })))
    .work(Seen, Count, async (seen) => seen)
    .build();
  const run = FlowRuntime.new(flow, { n: 0 });
  const ctx = await createContext();
  let out;
  do out = await run.next(ctx); while (out.type === 'continue');
  console.log(JSON.stringify(out));
`;

const scripted = `
  import { z } from 'zod';
  import { createContext, defineFlow, state } from 'pravah';
  import * as testing from 'pravah/testing';
  const [A, B] = ['A', 'B'].map((name) => state(name, z.object({ text: z.string() })));
  const flow = defineFlow({ input: A, output: B }).agent(A, B, { model: 'openai://m' }).build();
  const context = await createContext({ models: () => testing.scriptedModel([{ output: { text: 'Hello' } }]) });
  console.log(JSON.stringify((await testing.testRun(flow, { text: 'Hi' }, { context })).output));
  console.log(Object.keys(testing).join(' '));
`;

const traced = `
  import { createContext, defineFlow, state } from 'pravah';
  import { trace } from '@opentelemetry/api';
  import { telemetry } from 'pravah/otel';
  import { z } from 'zod';
  const [A, B] = ['A', 'B'].map((name) => state(name, z.object({ n: z.number() })));
  const flow = defineFlow({ input: A, output: B }).work(A, B, ({ n }) => ({ n: n + 1 })).build();
  const began = [];
  const startSpan = (name) => (began.push(name), trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }));
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  await flow.start({ n: 1 }, await createContext({ telemetry: telemetry() })).toEnd();
  console.log(began.join());
`;

const strict = `
  import { defineFlow, FlowRuntime, jsonSchema, state } from 'pravah';
  const mail = { type: 'object', properties: { mail: { type: 'string', format: 'email' } } };
  const [A, B] = ['A', 'B'].map((name) => state(name, jsonSchema(mail)));
  const flow = defineFlow({ input: A, output: B }).work(A, B, (a) => a).build();
  try {
    FlowRuntime.new(flow, { mail: 'no address' });
  } catch ({ message }) {
    console.log(message);
  }
`;

/** Prints the built-in modules that the engine's files import. */
const loadedByEngine = `
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    if (name.startsWith('node:') && context.parentURL?.includes('/pravah/')) console.log(name);
    return next(name, context);
  } });
  await import('pravah/engine');
`;

const missingPackages = `
  import { callAgent, createContext, openJournal } from 'pravah';
  const context = await createContext({ env: { OPENAI_API_KEY: 'x' } });
  const { error: ofModel } = await callAgent({ mode: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }, { model: 'openai://gpt-5', context });
  const ofJournal = await openJournal('runs.db').catch((error) => error.toJSON());
  for (const error of [ofModel, ofJournal]) console.log(error.code + ': ' + error.message);
`;

const typed = `
  import { defineFlow, openJournal, state } from 'pravah';
  import { z } from 'zod';
  const A = state('A', z.object({ n: z.number() }));
  const B = state('B', z.object({ n: z.number() }));
  export const flow = defineFlow({ input: A, output: B }).work(A, B, ({ n }) => ({ n: n + 1 })).build();
  // @ts-expect-error The output of the node is another.
  defineFlow({ input: A, output: B }).work(A, B, ({ n }) => ({ m: n }));
  export const open = openJournal;
`;

/** What publint and Are the Types Wrong report. */
async function packageProblems(tarball: string): Promise<readonly unknown[]> {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, level: 'suggestion' });
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  if (!analysis.types) throw new Error('The package has no types.');
  // Programs in CommonJS get the ES module from Node 20.19 on, and TypeScript's resolution for Node 10 knows no entries.
  const wrong = analysis.problems.filter(
    (each) => each.kind !== 'CJSResolvesToESM' && !('resolutionKind' in each && each.resolutionKind === 'node10'),
  );
  return [...messages.map(({ code, args }) => ({ code, args })), ...wrong];
}

describe('pravah, packed and installed into an empty folder', { timeout: 2 * MINUTE }, () => {
  let library: Installed;
  beforeAll(() => {
    library = new Installed('pravah', [`zod@${manifest.dependencies.zod}`]);
    if (library.unreachable) note(`The packed library was not tested: ${library.unreachable}.`);
  }, 7 * MINUTE);
  afterAll(() => library?.[Symbol.dispose]());

  test('it runs a flow', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('count.js', counting);
    const { stdout, stderr } = library.node(['count.js']);
    expect({ stderr, out: JSON.parse(stdout || 'null') }).toEqual({ stderr: '', out: { type: 'done', output: { total: 3 } } });
  });

  test('it runs the same flow under the oldest Node that it supports', ({ skip }) => {
    const older = '/usr/bin/node';
    const [major = 0, minor = 0] =
      /v(\d+)\.(\d+)/
        .exec(library.node(['--version'], older).stdout ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    const supported = major > 20 || (major === 20 && minor >= 19);
    if (!supported) note('The packed library was not tested with Node 20: the system has none.');
    if (library.unreachable || !supported) skip();
    library.write('count.js', counting);
    const { stdout, stderr } = library.node(['count.js'], older);
    expect({ stderr, out: JSON.parse(stdout || 'null') }).toEqual({ stderr: '', out: { type: 'done', output: { total: 3 } } });
  });

  test('its types are complete: a strict program compiles with nothing else installed but the types of Node', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('typed.ts', typed);
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2024', ...types];
    const { stdout } = library.node([join(root, 'node_modules/typescript/lib/tsc.js'), ...options, 'typed.ts']);
    expect(stdout).toBe('');
  });

  test('it can be imported and required, with the same public names and no others', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('names.mjs', "console.log(Object.keys(await import('pravah')).join(' '))");
    library.write('names.cjs', "console.log(Object.keys(require('pravah')).filter((name) => name !== '__esModule').join(' '))");
    const names = library.node(['names.mjs']).stdout.trim();
    expect(names.split(' ')).toEqual([
      ...[
        'Chat',
        'FlowError',
        'FlowRuntime',
        'MessageAccumulator',
        'Run',
        'ToolError',
        'analyse',
        'ask',
        'callAgent',
        'capabilities',
        'createChat',
        'createContext',
        'defineFlow',
      ],
      ...[
        'defineTool',
        'diagram',
        'flowTool',
        'isFlowError',
        'isToolError',
        'jsonSchema',
        'left',
        'loadDocument',
        'memoryConversations',
        'openJournal',
        'right',
        'services',
        'state',
        'toPraxis',
        'withRetry',
      ],
    ]);
    expect(library.node(['names.cjs']).stdout.trim()).toBe(names);
  });

  test('its engine runs a flow, and loads no module of Node', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('engine.js', counting.replace("'pravah'", "'pravah/engine'"));
    library.write('loaded.mjs', loadedByEngine);
    const { stdout, stderr } = library.node(['engine.js']);
    expect({ stderr, out: JSON.parse(stdout || 'null') }).toEqual({ stderr: '', out: { type: 'done', output: { total: 3 } } });
    expect(library.node(['loaded.mjs']).stdout).toBe('');
  });

  test('it checks values where Node refuses to generate code', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('strict.js', strict);
    const { stdout, stderr } = library.node(['--disallow-code-generation-from-strings', 'strict.js']);
    expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'The input is not a A: /mail must match format "email".\n' });
  });

  test('its entry for tests runs a flow without a model', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('scripted.js', scripted);
    const { stdout, stderr } = library.node(['scripted.js']);
    expect({ stderr, stdout }).toEqual({
      stderr: '',
      stdout:
        '{"text":"Hello"}\nexpectReplays expectSound fakeClock recordModel recordedModel restartEverywhere scriptedModel testCapsule testRun\n',
    });
  });

  test('its entry for OpenTelemetry needs no other package than the API', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('untraced.js', "await import('pravah/otel').catch(({ code, message }) => console.log(code, message))");
    expect(library.node(['untraced.js']).stdout).toMatch(/^ERR_MODULE_NOT_FOUND .*@opentelemetry\/api/);
    cpSync(join(root, 'node_modules/@opentelemetry/api'), join(library.folder, 'node_modules/@opentelemetry/api'), { recursive: true });
    library.write('traced.js', traced);
    const { stdout, stderr } = library.node(['traced.js']);
    expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'invoke_workflow A\n' });
  });

  test('it names the package that a model or a journal needs', ({ skip }) => {
    if (library.unreachable) skip();
    library.write('missing.js', missingPackages);
    const { stdout, stderr } = library.node(['missing.js']);
    expect([stderr, ...stdout.trim().split('\n')]).toEqual([
      '',
      'CONFIG_PACKAGE_MISSING: The package "openai" is not installed: it is needed for openai:// and genai://. Run npm install openai.',
      'CONFIG_PACKAGE_MISSING: The package "better-sqlite3" is not installed: it is needed for journals. Run npm install better-sqlite3.',
    ]);
  });

  test('publint and Are the Types Wrong find nothing in it', async ({ skip }) => {
    if (library.unreachable) skip();
    expect(await packageProblems(library.tarball)).toEqual([]);
  });

  test('it brings few packages, and neither Electron nor React nor model binaries', ({ skip }) => {
    if (library.unreachable) skip();
    expect(library.packages.filter((path) => FOREIGN.test(path))).toEqual([]);
    expect(library.packages.length).toBeLessThanOrEqual(30);
    expect(library.packedSize).toBeLessThanOrEqual(400_000);
    expect(library.installedSize).toBeLessThanOrEqual(25_000_000);
  });

  test('it holds no sources, tests, source maps or paths of the machine that built it', ({ skip }) => {
    if (library.unreachable) skip();
    expectOnlyWhatIsPublished(join(library.folder, 'node_modules/pravah'));
  });
});

describe('pravah-studio, packed and installed into an empty folder', { timeout: 3 * MINUTE }, () => {
  let studio: Installed;
  const bin = () => join(studio.folder, 'node_modules/pravah-studio/bin/pravah');
  beforeAll(() => {
    studio = new Installed('pravah-studio');
    if (studio.unreachable) note(`The packed application was not tested: ${studio.unreachable}.`);
    cpSync(join(root, 'resources/examples/ticket-triage'), join(studio.folder, 'triage'), { recursive: true });
  }, 7 * MINUTE);
  afterAll(() => studio?.[Symbol.dispose]());

  test('it prints its version', ({ skip }) => {
    if (studio.unreachable) skip();
    expect(studio.node([bin(), '--version'])).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  });

  test('it validates and runs a flow of an example', ({ skip }) => {
    if (studio.unreachable) skip();
    const flow = 'triage/ticket-triage.flow.yaml';
    expect(studio.node([bin(), 'validate', flow])).toMatchObject({ status: 0, stderr: '' });
    const run = studio.node([bin(), 'run', flow, '--json', '--input', '{"folder":"tickets","today":"2026-11-21"}', '--max-steps', '2']);
    expect({ errors: run.stderr, types: run.stdout.split('\n').map((line) => /"type":"(\w+)"/.exec(line)?.[1]) }).toMatchObject({
      types: expect.arrayContaining(['init_stream', 'end_stream']),
    });
  });

  test('it serves the studio to a browser when it is started without a command', async ({ skip }) => {
    if (studio.unreachable) skip();
    const child = spawn(process.execPath, [bin(), join(studio.folder, 'triage')], { cwd: studio.folder, env: studio.environment });
    const exited = once(child, 'exit');
    try {
      let url: string | undefined;
      for await (const line of createInterface({ input: child.stdout })) {
        url = /https?:\/\/\S+/.exec(line)?.[0];
        if (url) break;
      }
      // As a browser asks for it when the user follows a link. `fetch` sends no such headers.
      const [answer] = (await once(
        get(url ?? '', { headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } }),
        'response',
      )) as [IncomingMessage];
      expect([answer.statusCode, await text(answer)]).toEqual([200, expect.stringContaining('<div id="root">')]);
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
  });

  test('it brings few packages, and neither Electron nor React nor model binaries', ({ skip }) => {
    if (studio.unreachable) skip();
    expect(studio.packages.filter((path) => FOREIGN.test(path))).toEqual([]);
    expect(studio.packages.length).toBeLessThanOrEqual(20);
    expect(studio.packedSize).toBeLessThanOrEqual(10_000_000);
    expect(studio.installedSize).toBeLessThanOrEqual(90_000_000);
  });

  test('it holds no sources, tests, source maps or paths of the machine that built it', ({ skip }) => {
    if (studio.unreachable) skip();
    expectOnlyWhatIsPublished(join(studio.folder, 'node_modules/pravah-studio'));
  });
});
