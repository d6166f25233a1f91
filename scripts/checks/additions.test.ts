import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { copyCheckout, type PlantedCheckout } from './planted-checkout.ts';
import { ROOT } from './source-files.ts';

/** Files of the recipes in docs/contributing.md. */
const TOOL_ROWS = 'src-shared/flow/tools/built-in-tools.ts';
const CATALOGUE = 'src-main/tools/catalogue.ts';
const PROVIDER_ROWS = 'src-shared/flow/providers.ts';
const VENDORS = 'src-main/models/registry/vendors.ts';
const NODE_SCHEMAS = 'src-shared/flow/document.ts';

const TOOL_FACTS = "subject: 'data', effect: 'none', approve: 'never', asks: false, untrusted: true, folder: false, reach: 'nothing'";
const TOOL = `import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

export const dummyTool = builtInTool('dummy', {
  description: 'Returns its input unchanged.',
  input_schema: inputSchema({}),
  call: (input) => input,
});
`;
const PROVIDER_FACTS =
  "form: 'hosted', label: 'Dummy', aliases: [], key: 'DUMMY_KEY', base_url: 'DUMMY_URL', default_url: 'https://dummy.example'";
const CLIENT = `import type { Vendor } from '#main/models/vendor.ts';

export const dummy: Vendor = {
  name: 'dummy',
  exchange: async () => ({ finish: 'complete', usage: { tokens_in: 0, tokens_out: 0 } }),
  list: async () => [],
};
`;
const FACTS = `import { toolTaints } from '#main/engine/tool-calls/taint.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import { urlForms } from '#shared/flow/providers.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { toolReach } from '#shared/flow/tools/tool-reach.ts';

const scope = { commands: [], writable: [], http: { allow_private: [] }, providers: {}, mcp_servers: {}, readHost: () => null };
const tool = builtInTools().get('dummy');
console.log(
  JSON.stringify({
    effect: tool?.effect,
    untrusted: toolTaints('dummy'),
    reach: toolReach('dummy', {}, scope),
    model: parseModelUrl('dummy://small'),
    listed: urlForms.includes('dummy://MODEL'),
  }),
);
`;

/** Every file that must know a kind of node. */
const KIND_PLACES = [
  'src-main/engine/nodes/performers.ts',
  'src-renderer/document/editing/add-node.ts',
  'src-renderer/editor/inspector/node-form.tsx',
  'src-renderer/ui/kinds/node-kinds.ts',
  'src-shared/flow/build-flow.ts',
  'src-shared/flow/diagram/dot.ts',
  'src-shared/flow/diagram/mermaid.ts',
  'src-shared/flow/diagram/svg.ts',
  'src-shared/flow/node-kinds.ts',
];

/** A copy of the checkout with changed files. */
class Changed {
  readonly checkout: PlantedCheckout = copyCheckout({ withSources: true });

  /** Inserts a line after the first line that contains `after`. */
  insert(path: string, after: string, line: string): void {
    const lines = readFileSync(join(this.checkout.root, path), 'utf8').split('\n');
    const at = lines.findIndex((each) => each.includes(after));
    if (at < 0) throw new Error(`${path} has no line with ${after}.`);
    this.checkout.plant(path, lines.toSpliced(at + 1, 0, line).join('\n'));
  }

  run(...args: string[]): Promise<string> {
    const program: ChildProcess = spawn(process.execPath, args, { cwd: this.checkout.root, stdio: ['ignore', 'pipe', 'inherit'] });
    return program.stdout ? Promise.all([text(program.stdout), once(program, 'close')]).then(([output]) => output) : Promise.resolve('');
  }

  /** The compiler's errors in main and the page, each once, with the sources that both share. */
  async errors(): Promise<string[]> {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'lib', 'tsc.js');
    const outputs = await Promise.all(
      ['src-main', 'src-renderer'].map((layer) =>
        this.run(compiler, '-p', layer, '--tsBuildInfoFile', join(this.checkout.root, `${layer}.tsbuildinfo`)),
      ),
    );
    return [...new Set(outputs.flatMap((output) => output.split('\n').filter((line) => line.includes('error TS'))))];
  }
}

const filesOf = (errors: readonly string[]) => [...new Set(errors.map((line) => line.slice(0, line.indexOf('('))))].sort();

describe('a tool and a provider, each added as in the recipes', () => {
  const changed = new Changed();
  let errors: string[] = [];

  beforeAll(async () => {
    changed.insert(TOOL_ROWS, 'const rows = {', `  dummy: { ${TOOL_FACTS} },`);
    changed.checkout.plant('src-main/tools/dummy.ts', TOOL);
    changed.insert(CATALOGUE, 'const tools:', '  dummy: dummyTool,');
    changed.insert(CATALOGUE, "from './condition.ts'", "import { dummyTool } from './dummy.ts';");
    changed.insert(PROVIDER_ROWS, 'const rows = {', `  dummy: { ${PROVIDER_FACTS} },`);
    changed.checkout.plant('src-main/models/providers/dummy.ts', CLIENT);
    changed.insert(VENDORS, 'anthropic.ts', "import { dummy } from '#main/models/providers/dummy.ts';");
    const vendors = readFileSync(join(changed.checkout.root, VENDORS), 'utf8');
    changed.checkout.plant(VENDORS, vendors.replace('{ openai: openAi,', '{ dummy, openai: openAi,'));
    changed.checkout.plant('src-main/print-facts.ts', FACTS);
    errors = await changed.errors();
  }, 300_000 * slowness);
  afterAll(() => changed.checkout[Symbol.dispose]());

  test('compile', () => expect(errors).toEqual([]));

  test('are known to the catalogue, the taint rule, the capabilities and the model URLs', async () => {
    expect(JSON.parse(await changed.run('src-main/print-facts.ts'))).toEqual({
      effect: 'none',
      untrusted: true,
      reach: [{ kind: 'tool', name: 'dummy', harmless: true }],
      model: { ok: true, model: { provider: 'dummy', model: 'small' } },
      listed: true,
    });
  });
});

describe('the compiler', () => {
  const changed = new Changed();
  let errors: string[] = [];

  beforeAll(async () => {
    const facts = TOOL_FACTS.split(', ');
    for (const [index] of facts.entries()) {
      changed.insert(TOOL_ROWS, 'const rows = {', `  partial_${index}: { ${facts.toSpliced(index, 1).join(', ')} },`);
    }
    changed.insert(PROVIDER_ROWS, 'const rows = {', `  dummy: { ${PROVIDER_FACTS} },`);
    changed.insert(PROVIDER_ROWS, 'const rows = {', "  keyless: { form: 'hosted', label: 'Keyless', aliases: [] },");
    changed.insert(PROVIDER_ROWS, 'const rows = {', "  odd: { form: 'server', label: 'Odd', rest: 'MODEL', start: '' },");
    changed.insert(
      NODE_SCHEMAS,
      'export const nodeSchemas = {',
      "  dummy: z.strictObject({ kind: z.literal('dummy'), ...forPeople, from: stateName, to: stateName }),",
    );
    errors = await changed.errors();
  }, 300_000 * slowness);
  afterAll(() => changed.checkout[Symbol.dispose]());

  test.each(TOOL_FACTS.split(', ').map((fact, index) => [fact.slice(0, fact.indexOf(':')), index] as const))(
    'refuses a built-in tool whose row lacks %s',
    (fact, index) => {
      const lines = readFileSync(join(changed.checkout.root, TOOL_ROWS), 'utf8').split('\n');
      const at = lines.findIndex((line) => line.startsWith(`  partial_${index}:`)) + 1;
      expect(errors.filter((line) => line.startsWith(`${TOOL_ROWS}(${at},`))).toEqual([
        expect.stringContaining(`Property '${fact}' is missing`),
      ]);
    },
  );

  test('refuses a tool without an implementation, and a provider without a key variable, client or URL parser', () => {
    expect(filesOf(errors)).toEqual(expect.arrayContaining([CATALOGUE, PROVIDER_ROWS, VENDORS, 'src-shared/flow/model-url.ts']));
  });

  test('names every file that must know a new kind of node', () => {
    const others = [TOOL_ROWS, CATALOGUE, PROVIDER_ROWS, VENDORS, 'src-shared/flow/model-url.ts'];
    expect(filesOf(errors).filter((file) => !others.includes(file))).toEqual(KIND_PLACES);
  });
});
