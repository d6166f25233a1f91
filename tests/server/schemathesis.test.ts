import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { addFlow, askFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { skipUnless } from '#main/testing/skip-unless.ts';
import { run } from './run-program.ts';

const program = process.env.PRAVAH_TEST_SCHEMATHESIS ?? '';
/** Seconds of requests. */
const seconds = process.env.PRAVAH_SOAK ? 300 : 60;

it.skipIf(skipUnless(program !== '', 'requests made from the description of the API', 'Schemathesis is not installed'))(
  'the server answers as its description says, whatever it is sent',
  { timeout: (seconds + 180) * 1000 },
  async () => {
    await using server = await TestServer.start({ 'add.flow.yaml': addFlow, 'ask.flow.yaml': askFlow });
    const caller = await server.caller('read', 'run', 'approve', 'manage', 'admin');
    await caller.post('/v1/runs?wait=30', { flow: 'add.flow.yaml', input: { n: 1 } });
    const hooks = fileURLToPath(new URL('./schemathesis_hooks.py', import.meta.url));
    const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));
    const words = ['--config-file', config, 'run', `${caller.url}/openapi.json`, '-H', `Authorization: Bearer ${caller.token}`];
    const options = ['--max-time', String(seconds), '--seed', '1', '--no-color', '--generation-database', 'none'];
    const { code, output } = await run(program, [...words, ...options], server.folder, { SCHEMATHESIS_HOOKS: hooks });
    expect(output.slice(-8000)).toMatch(/Tested: \d+/);
    expect(code, output.slice(-8000)).toBe(0);
  },
);
