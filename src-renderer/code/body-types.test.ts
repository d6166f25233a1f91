import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { JsonObject } from '#shared/json.ts';
import { afterBody, beforeBody } from './body-file.ts';
import { bodyTypes, newBody } from './body-types.ts';

const schemas: JsonObject = {
  Ticket: {
    type: 'object',
    properties: { subject: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['subject'],
    additionalProperties: false,
  },
  Scored: { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] },
  Urgent: { type: 'object', properties: { to: { enum: ['me', 'you'] } }, required: ['to'] },
  Note: { type: 'string' },
};

function node(kind: OutlineNode['kind'], from: string[], to: string[], raw: JsonObject = {}): OutlineNode {
  return { index: 0, path: '/nodes/0', kind, id: from.join('+'), from, to, raw };
}

/** What the compiler says of a body, as the editor has it read. */
function faultsIn(of: OutlineNode, body: string): string[] {
  const text = `${beforeBody(bodyTypes(of, schemas))}${body}${afterBody}`;
  const options: ts.CompilerOptions = {
    strict: true,
    noImplicitAny: false,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.es2023.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, version) => (name === 'body.ts' ? ts.createSourceFile(name, text, version) : read(name, version));
  const program = ts.createProgram(['body.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const work = node('work', ['Ticket'], ['Scored'], { tools: ['read_file', { use: './tools/crm.ts' }] });
const either = node('either', ['Scored'], ['Urgent', 'Note']);
const fork = node('fork', ['Scored'], ['Urgent', 'Note']);
const join = node('join', ['Urgent', 'Note'], ['Scored']);

describe('the types of a body', { timeout: 60_000 }, () => {
  test.each([
    ['a function of the input', work, '(ticket) => ({ score: ticket.subject.length })'],
    [
      'one that waits and calls its tools',
      work,
      "async ({ tags = [] }, ctx) => { await ctx.tools['./tools/crm.ts']({ tags }); return { score: ctx.random(), more: 1 }; }",
    ],
    ['a function expression', work, '// why\nfunction (ticket) { return { score: 1 }; };'],
    ['both sides of an either', either, "(s) => (s.score > 1 ? { left: { to: 'me' } } : { right: 'note' })"],
    ['the branches of a fork', fork, "(s) => [{ to: 'you' }, String(s.score)]"],
    ['what a join takes', join, '(urgent, note) => ({ score: urgent.to.length + note.length })'],
    ['a state of a nested flow', node('work', ['A::B'], ['A::C']), '(input) => input.anything'],
  ])('accept %s', (_what, of, body) => {
    expect(faultsIn(of, body)).toEqual([]);
  });

  test.each([
    ['a field that the input does not have', work, '(ticket) => ({ score: ticket.sujbect.length })', /sujbect/],
    ['a result without a field', work, '() => ({})', /not assignable to type 'Scored/],
    ['a result of another type', work, "async () => ({ score: 'high' })", /string.*number/s],
    ['what may not be there', work, '(ticket) => ({ score: ticket.tags.length })', /possibly 'undefined'/],
    ['a tool that is not named', work, '(t, ctx) => ctx.tools.write_file()', /write_file/],
    ['an either that names neither side', either, "() => ({ to: 'me' })", /left|right/],
    ['the branches of a fork the wrong way round', fork, "() => ['note', { to: 'me' }]", /not assignable/],
    ['a value that no enum has', fork, "() => [{ to: 'them' }, 'note']", /them/],
    ['no function', work, '{ score: 1 }', /'Body'/],
  ])('refuse %s', (_what, of, body, message) => {
    expect(faultsIn(of, body).join('\n')).toMatch(message);
  });

  test('let through what a new body begins with, where the states allow it', () => {
    for (const of of [
      node('work', ['Scored'], ['Scored2']),
      node('either', ['Note'], ['A', 'B']),
      node('fork', ['Note'], ['A', 'B']),
      join,
    ]) {
      expect([of.kind, of.kind === 'join' ? [] : faultsIn(of, newBody(of))]).toEqual([of.kind, []]);
    }
  });
});
