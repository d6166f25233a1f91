import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify(loaded)));
`)}`;

/** What only the commands of the server load. */
const ofServer =
  /\/(src-main\/(server|store|telemetry|hosts\/(server|mcp))|node_modules\/(@opentelemetry|@orpc\/(openapi|zod)|prom-client|pg))\//;

/** The modules that a command loads in its main thread. */
function modulesOf(...args: readonly string[]): readonly string[] {
  const started = ['--disable-warning=ExperimentalWarning', '--import', reporter, program, ...args];
  const { stderr } = spawnSync(process.execPath, started, { encoding: 'utf8', timeout: 60_000 * slowness });
  return JSON.parse(stderr.slice(stderr.lastIndexOf('LOADED ') + 'LOADED '.length)) as string[];
}

test.each([['--help'], ['version'], ['serve', '--help']])('pravah %s %s loads nothing of the server and of OpenTelemetry', (...args) => {
  const modules = modulesOf(...args);
  expect(modules.length).toBeGreaterThan(1);
  expect(modules.filter((url) => ofServer.test(url))).toEqual([]);
});
