import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CommandFolder, endOf } from '#main/hosts/cli/testing/command.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import type { Json } from '#shared/json.ts';

let space: CommandFolder;
let server: TestServer;

beforeEach(async () => {
  server = await TestServer.start((request, response) => answer(request, response));
  space = new CommandFolder();
  mkdirSync(join(space.folder, 'specs'));
  space.write('pravah.json', { http: { allow_private: [`127.0.0.1:${server.port}`] } });
  space.write('.env', 'PYFLOW_SHOP_TOKEN=topsecret1\n');
  space.write('specs/shop.yaml', stringify(shop(`http://127.0.0.1:${server.port}/v1/`)));
});
afterEach(async () => {
  await space.remove();
  await server[Symbol.asyncDispose]();
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  if (request.url?.includes('missing')) response.writeHead(404).end('{"message":"no such lamp"}');
  else response.end(request.method === 'GET' ? '{"lamps": [{"id": "a/b", "price": 190.0}]}' : '{"made": true}');
}

/** Requests that the API has received. */
function received(): string[] {
  return server.requests.map(({ method, path, headers, body }) => `${method} ${path} ${headers.authorization ?? '-'} ${body}`.trim());
}

const text = { type: 'string' };

/** An API with references, parameters of a path, and a body. */
function shop(url: string): Json {
  const lamp = { $ref: '#/components/schemas/Lamp' };
  const id = { name: 'lampId', in: 'path', required: true, schema: text };
  return {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url }],
    paths: {
      '/lamps': {
        get: {
          operationId: 'listLamps',
          summary: 'Lists lamps.',
          parameters: [
            { name: 'maxPrice', in: 'query', schema: { type: 'number' } },
            { name: 'tag', in: 'query', schema: { type: 'array', items: text } },
          ],
        },
        post: { operationId: 'createLamp', requestBody: { required: true, content: { 'application/json': { schema: lamp } } } },
      },
      '/lamps/{lampId}': { parameters: [id], get: { operationId: 'getLampByID' }, delete: { operationId: 'deleteLamp' } },
    },
    components: {
      schemas: {
        Lamp: {
          type: 'object',
          required: ['name'],
          properties: { name: text, price: { type: 'number', nullable: true }, parent: { $ref: '#/components/schemas/Lamp' } },
        },
      },
    },
  };
}

const project = (auth: Json = { type: 'bearer', token_env: 'PYFLOW_SHOP_TOKEN' }) =>
  stringify({ openapi_tools: { shop: { spec: 'specs/shop.yaml', auth } } });

function workflow(tools: Json, turns: readonly Json[]): string {
  space.write('s.json', { turns });
  const agent = { name: 'clerk', type: 'llm', model: 'script://s.json', instruction: 'Help.', tools, output_key: 'said' };
  return stringify({ name: 'w', agents: [agent], orchestration: { type: 'react', agent: 'clerk' } });
}

const call = (tool: string, input: Json): Json => ({ tool_calls: [{ tool, input }] });

describe('an API of pyflow.yaml', () => {
  it('gives agents its operations, with its token and the floats of its answers', async () => {
    space.write('pyflow.yaml', project());
    space.write(
      'workflow.yaml',
      workflow(
        ['shop'],
        [
          call('list_lamps', { max_price: 200, tag: ['a', 'b c'] }),
          { expect: { contains: '"price":190.0' }, ...(call('get_lamp_by_id', { lamp_id: 'a/b' }) as object) },
          { text: 'One lamp.' },
        ],
      ),
    );
    const answered = await space.run('run', 'workflow.yaml', '--message', 'Which lamps?', '--trust', '--json');
    expect(endOf(answered).output, answered.stderr).toMatchObject({ content: 'One lamp.' });
    expect(received()).toEqual(['GET /v1/lamps?maxPrice=200&tag=a&tag=b+c Bearer topsecret1', 'GET /v1/lamps/a%2Fb Bearer topsecret1']);
    expect(answered.stdout).not.toContain('topsecret1');
  });

  it('asks before an operation that writes, and sends it once it is approved', async () => {
    space.write('pyflow.yaml', project());
    space.write(
      'workflow.yaml',
      workflow([{ shop: ['create*', 'delete_lamp'] }], [call('create_lamp', { name: 'Desk' }), { text: 'Made.' }]),
    );
    const asked = await space.run('run', 'workflow.yaml', '--message', 'Make one.', '--trust', '--json');
    expect([asked.code, received()]).toEqual([3, []]);
    const { run_id } = endOf(asked);
    const answered = ['--tool-id', 'clerk::create_lamp', '--payload', '{"approve":true}'];
    const approved = await space.run('resume', run_id, ...answered, '--trust', '--json');
    expect(endOf(approved).output, approved.stderr).toMatchObject({ content: 'Made.' });
    expect(received()).toEqual(['POST /v1/lamps Bearer topsecret1 {"name":"Desk"}']);
  });

  it('offers only the operations that match an agent’s patterns', async () => {
    space.write('pyflow.yaml', project());
    space.write(
      'workflow.yaml',
      workflow([{ shop: ['get*'] }], [call('list_lamps', {}), { expect: { contains: 'UnknownTool' }, text: 'No.' }]),
    );
    const answered = await space.run('run', 'workflow.yaml', '--message', 'Which?', '--trust', '--json');
    expect(endOf(answered).output, answered.stderr).toMatchObject({ content: 'No.' });
    const { stdout } = await space.run('capabilities', 'workflow.yaml');
    expect(stdout).toContain(`127.0.0.1:${server.port}`);
    expect(stdout).toContain('openapi:shop/get_lamp_by_id');
    expect(stdout).toContain('PYFLOW_SHOP_TOKEN');
    expect(stdout).not.toContain('openapi:shop/list_lamps');
  });

  it('sends no token from a folder that is not trusted, and none to another server than the one it was entered for', async () => {
    space.write('pyflow.yaml', project());
    const turns = [call('list_lamps', {}), { expect: { contains: 'is not sent' }, text: 'Refused.' }];
    space.write('workflow.yaml', workflow(['shop'], turns));
    const strange = await space.run('run', 'workflow.yaml', '--message', 'Which?', '--json');
    expect(endOf(strange).output, strange.stderr).toMatchObject({ content: 'Refused.' });
    space.write('pravah.json', {
      http: { allow_private: [`127.0.0.1:${server.port}`] },
      secrets: { PYFLOW_SHOP_TOKEN: { hosts: ['api.example.com'] } },
    });
    const elsewhere = await space.run('run', 'workflow.yaml', '--message', 'Which?', '--json', '--trust');
    expect(endOf(elsewhere).output, elsewhere.stderr).toMatchObject({ content: 'Refused.' });
    expect(received()).toEqual([]);
  });

  it('reports what keeps it from being called, at the agent’s tool', async () => {
    space.write('workflow.yaml', workflow(['shop'], []));
    const problemsWith = async (api: Json) => {
      space.write('pyflow.yaml', stringify({ openapi_tools: { shop: api } }));
      const { stdout, code } = await space.run('import', 'workflow.yaml', '--json');
      return [
        code,
        ...(JSON.parse(stdout) as { problems: { code: string; path: string; message: string }[] }).problems.map(
          ({ path, message }) => `${path} ${message}`,
        ),
      ];
    };
    expect(await problemsWith({ spec: 'specs/none.yaml' })).toEqual([
      2,
      "/agents/0/tools/0 The API shop cannot be used: specs/none.yaml cannot be read: the file doesn't exist.",
    ]);
    space.write('specs/old.json', { swagger: '2.0' });
    expect(await problemsWith({ spec: 'specs/old.json' })).toEqual([
      2,
      '/agents/0/tools/0 The API shop cannot be used: specs/old.json: it is not an OpenAPI 3 document: "openapi" must be "3.0.x" or "3.1.x".',
    ]);
    expect(await problemsWith({ spec: 'specs/shop.yaml', auth: { type: 'oauth2' } })).toEqual([
      2,
      '/agents/0/tools/0 The API shop cannot be used: "oauth2" is not supported. Use "bearer" or "apikey" with a token.',
    ]);
  });
});

describe('an API of pravah.json', () => {
  const flow = (node: object) => ({
    pravah: 1,
    name: 'Lamps',
    input: 'Wish',
    output: 'Lamps',
    schemas: { Wish: { type: 'object' }, Lamps: true },
    nodes: [{ from: 'Wish', to: 'Lamps', ...node }],
  });
  const settings = (auth: Json) => ({
    http: { allow_private: [`127.0.0.1:${server.port}`] },
    openapi_tools: { shop: { spec: './specs/shop.yaml', name_prefix: 'my', auth } },
  });

  it('serves ordinary flows, with a key in the query', async () => {
    space.write('pravah.json', settings({ type: 'apikey', token_env: 'PYFLOW_SHOP_TOKEN', apikey_name: 'key' }));
    space.write('lamps.flow.json', flow({ kind: 'work', tool: 'openapi:shop/my_list_lamps', with: { max_price: '{most}' } }));
    const answered = await space.run('run', 'lamps.flow.json', '--input', '{"most":10}', '--trust', '--json');
    expect(endOf(answered).output, answered.stderr).toEqual({ lamps: [{ id: 'a/b', price: 190 }] });
    expect(received()).toEqual(['GET /v1/lamps?maxPrice=10&key=topsecret1 -']);
  });

  it('fails a node with the status and the text of an error', async () => {
    space.write('pravah.json', settings({ type: 'none' }));
    space.write('lamps.flow.json', flow({ kind: 'work', tool: 'openapi:shop/my_get_lamp_by_id', with: { lamp_id: 'missing' } }));
    const answered = await space.run('run', 'lamps.flow.json', '--input', '{}', '--json');
    expect(endOf(answered), answered.stderr).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('my_get_lamp_by_id failed with status 404: {"message":"no such lamp"}') },
    });
  });

  it('has unknown operations and APIs reported, with the name that was meant', async () => {
    space.write('pravah.json', settings({ type: 'none' }));
    space.write('lamps.flow.json', flow({ kind: 'work', tool: 'openapi:shop/my_list_lamp', with: {} }));
    expect((await space.run('validate', 'lamps.flow.json')).stdout).toContain(
      'The API shop has no operation "my_list_lamp". Did you mean "my_list_lamps"?',
    );
    space.write('lamps.flow.json', flow({ kind: 'agent', agent: { model: 'script://s.json', tools: ['openapi:shp/*'] } }));
    expect((await space.run('validate', 'lamps.flow.json')).stdout).toContain('Unknown API "shp".');
  });
});
