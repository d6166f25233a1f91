import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFlow, TestServer } from '#main/hosts/server/testing/test-server.ts';
import { skipUnless } from '#main/testing/skip-unless.ts';
import type { JsonObject } from '#shared/json.ts';
import { run } from './run-program.ts';

const program = process.env.PRAVAH_TEST_MCP_INSPECTOR ?? '';

describe.skipIf(skipUnless(program !== '', 'calls of the MCP inspector', 'it is not installed'))('the MCP inspector', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await TestServer.start({ 'add.flow.yaml': addFlow });
    ({ token } = await server.caller('read', 'run'));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const inspect = async (...words: string[]): Promise<JsonObject> => {
    const where = ['--cli', `${server.running.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
    const { code, stdout, output } = await run(program, [...where, ...words], server.folder);
    expect(code, output).toBe(0);
    return JSON.parse(stdout) as JsonObject;
  };

  it('lists the flows as tools', async () => {
    expect(await inspect('--method', 'tools/list')).toMatchObject({ tools: [{ name: 'add' }, { name: 'pravah_resume' }] });
  });

  it('runs a flow, and finds the run among the resources', async () => {
    const called = await inspect('--method', 'tools/call', '--tool-name', 'add', '--tool-arg', 'n=1');
    expect(called).toMatchObject({ structuredContent: { n: 2 } });
    const { run_id } = called._meta as { run_id: string };
    expect(await inspect('--method', 'resources/list')).toMatchObject({ resources: [{ uri: `pravah://runs/${run_id}` }] });
  });
});
