import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { beforeAll, describe, expect, test } from 'vitest';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { type Bundled, bundled } from './bundled-program.ts';
import { program } from './edge-program.ts';

const workerd = process.env.PRAVAH_TEST_WORKERD ?? '';
const browser = process.env.PRAVAH_TEST_CHROMIUM ?? '';

/** The policy of a page that allows its own scripts and no code from text. */
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";

const moduleOf = (name: string, text: string) => ({ name, esModule: text });

/** A worker for `workerd test`, which prints what the program returns. */
function workerConfig(modules: ReturnType<typeof moduleOf>[]): string {
  const listed = modules.map(({ name, esModule }) => `    (name = ${JSON.stringify(name)}, esModule = ${JSON.stringify(esModule)}),`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [
${listed.join('\n')}
  ],
  compatibilityDate = "2026-01-01",
);
`;
}

describe('pravah/engine', () => {
  let bundle: Bundled;
  beforeAll(async () => {
    bundle = await bundled('tests/engine/edge-program.ts');
  });

  test('imports nothing of Node, and stays as small as it is', () => {
    expect(bundle.outside).toEqual([]);
    // With chats and requests. What needs expressions loads their parser with the first of them.
    expect(bundle.size).toBeLessThan(210_000);
    expect(bundle.packedSize).toBeLessThan(74_000);
  });

  test.skipIf(skipUnless(browser !== '', 'the engine in Chromium', 'it is not installed'))(
    'runs in a page whose policy allows no code from text, as it does in Node',
    async () => {
      const instance = await chromium.launch({ executablePath: browser, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        const page = await instance.newPage();
        await page.route('http://engine.test/**', (route) => {
          const name = new URL(route.request().url()).pathname.slice(1);
          const body = bundle.modules.get(name);
          const headers = { 'content-security-policy': policy };
          if (body !== undefined) return route.fulfill({ body, contentType: 'text/javascript', headers });
          if (name === 'start.js') return route.fulfill({ body: startScript(bundle), contentType: 'text/javascript', headers });
          return route.fulfill({
            body: '<!doctype html><script type="module" src="/start.js"></script>',
            contentType: 'text/html',
            headers,
          });
        });
        await page.goto('http://engine.test/');
        const output = page.locator('pre');
        await output.waitFor({ state: 'attached' });
        const seen: unknown = JSON.parse((await output.textContent()) ?? '');
        expect(seen).toEqual({ result: await program(), refusesCode: true });
      } finally {
        await instance.close();
      }
    },
  );

  test.skipIf(skipUnless(workerd !== '', 'the engine in workerd', 'it is not installed'))(
    'runs in workerd as it does in Node',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pravah-workerd-'));
      try {
        const main = `import { program } from './${[...bundle.modules.keys()][0]}';
export default { async test() { console.log('RESULT ' + JSON.stringify(await program())); } };`;
        const modules = [moduleOf('main.js', main), ...[...bundle.modules].map(([name, text]) => moduleOf(name, text))];
        writeFileSync(join(folder, 'config.capnp'), workerConfig(modules));
        const { stdout, stderr } = spawnSync(workerd, ['test', join(folder, 'config.capnp')], { encoding: 'utf8', timeout: 60_000 });
        const line = `${stdout}\n${stderr}`.split('\n').find((each) => each.includes('RESULT '));
        expect(line, stderr).toBeDefined();
        expect(JSON.parse(line?.slice(line.indexOf('{')) ?? 'null')).toEqual(JSON.parse(JSON.stringify(await program())));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

const startScript = ({ modules }: Bundled): string => `import { program } from '/${[...modules.keys()][0]}';
const result = await program().catch((error) => String(error.stack));
let refusesCode = false;
try { new Function('return 1')(); } catch { refusesCode = true; }
const output = document.createElement('pre');
output.textContent = JSON.stringify({ result, refusesCode });
document.body.append(output);`;
