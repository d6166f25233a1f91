import { describe, expect, it } from 'vitest';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { mayGoTo, secretHost } from './hosts.ts';
import { revealSecrets } from './reveal.ts';

const world = {
  secrets: new Map([
    ['TOKEN', 'the-very-token'],
    ['MASKED', 'only-to-be-masked'],
  ]),
  secret_hosts: new Map([['TOKEN', ['api.example.com']]]),
};
const home = new URL('https://api.example.com/items');

const toolBody = (given: JsonObject): NodeBody => ({ type: 'tool', tool: 'http_request', with: given });
const runBody = (source: string): NodeBody => ({ type: 'run', source, tools: ['http_request'] });
const reveal = (body: NodeBody, field: string, value: Json, url = home) => revealSecrets(world, body, field, value, url);

describe('revealSecrets', () => {
  const headers = { authorization: 'Bearer {secret:TOKEN}' };

  it('puts in what the author wrote, for the host that the secret was entered for', () => {
    expect(reveal(toolBody({ headers }), 'headers', headers)).toEqual({ authorization: 'Bearer the-very-token' });
    expect(
      reveal(runBody('(s, ctx) => ctx.tools.http_request({headers: {a: "{secret:TOKEN}"}})'), 'headers', { a: '{secret:TOKEN}' }),
    ).toEqual({
      a: 'the-very-token',
    });
    expect(reveal(toolBody({ body: 'x {a} {secret:TOKEN}' }), 'body', 'x filled in {secret:TOKEN}')).toBe('x filled in the-very-token');
  });

  it('leaves alone what asks for no secret', () => {
    expect(reveal(toolBody({}), 'body', 'secret:TOKEN {secret: TOKEN} {TOKEN}')).toBe('secret:TOKEN {secret: TOKEN} {TOKEN}');
  });

  it.each([
    ['another host', 'https://api.example.com.evil.test/'],
    ['another port', 'https://api.example.com:444/'],
    ['no encryption', 'http://api.example.com/'],
    ['a subdomain', 'https://x.api.example.com/'],
  ])('refuses to send to %s', (_what, url) => {
    expect(() => reveal(toolBody({ headers }), 'headers', headers, new URL(url))).toThrow('it was not entered for');
  });

  it.each<[string, NodeBody, string, Json]>([
    ['data filled into a template', toolBody({ body: 'note: {text}' }), 'body', 'note: {secret:TOKEN}'],
    ['a placeholder put together from pieces', toolBody({ body: '{{secret:{name}}}' }), 'body', '{secret:TOKEN}'],
    [
      'a second one beside the author’s',
      toolBody({ headers: { a: '{secret:TOKEN} {x}' } }),
      'headers',
      { a: '{secret:TOKEN} {secret:TOKEN}' },
    ],
    ['a field that an approver added', toolBody({ headers }), 'headers', { ...headers, 'x-other': '{secret:TOKEN}' }],
    ['the name of a field', toolBody({ headers: {} }), 'headers', { '{secret:TOKEN}': 'x' }],
    ['a whole object from data', toolBody({ headers: '{given}' }), 'headers', headers],
    ['code that does not name it', runBody('(s, ctx) => ctx.tools.http_request(s)'), 'headers', headers],
    ['code that puts it into a body', runBody('"{secret:TOKEN}"'), 'body', '{secret:TOKEN}'],
    ['an agent', { type: 'agent', agent: { model: 'script://a.json' } }, 'headers', headers],
    ['one that is known for masking only', toolBody({ body: '{secret:MASKED}' }), 'body', '{secret:MASKED}'],
    ['one that is not known', toolBody({ body: '{secret:MISSING}' }), 'body', '{secret:MISSING}'],
  ])('refuses %s', (_what, body, field, value) => {
    expect(() => reveal(body, field, value)).toThrow(expect.objectContaining({ variant: 'Denied' }));
  });
});

describe('mayGoTo', () => {
  it.each([
    ['api.example.com', 'https://api.example.com:443/x'],
    ['API.example.com:8443', 'https://api.example.com:8443'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['[::1]:8080', 'http://[::1]:8080/'],
    ['http://intranet:81', 'http://intranet:81/'],
  ])('lets a secret for %s go to %s', (rule, url) => expect(mayGoTo([secretHost(rule) ?? ''], new URL(url))).toBe(true));

  it.each([
    ['http://intranet:81', 'https://intranet:81/'],
    ['intranet', 'http://intranet/'],
    ['127.0.0.1:80', 'http://127.0.0.1:81/'],
    ['example.com', 'https://xn--exmple-cua.com/'],
  ])('keeps one for %s from %s', (rule, url) => expect(mayGoTo([rule], new URL(url))).toBe(false));

  it.each(['', '*', 'a/b', 'https://a@b', 'ftp://x', 'a b', 'https://a/?q', '*.example.com'])('takes %j for no host', (text) =>
    expect(secretHost(text)).toBeNull(),
  );
});
