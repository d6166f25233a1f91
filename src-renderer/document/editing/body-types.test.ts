import ts from 'typescript';
import { expect, test } from 'vitest';
import { afterBody, beforeBody } from '#renderer/ui/code/body-file.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { JsonObject } from '#shared/json.ts';
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

/** What the compiler says of each body, as the editor has it read. */
function faultsIn(bodies: readonly (readonly [of: OutlineNode, body: string])[]): string[][] {
  const texts = new Map(bodies.map(([of, body], index) => [`${index}.ts`, `${beforeBody(bodyTypes(of, schemas))}${body}${afterBody}`]));
  const options: ts.CompilerOptions = {
    strict: true,
    noImplicitAny: false,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.es2023.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, version) => {
    const text = texts.get(name);
    return text === undefined ? read(name, version) : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].map((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}

const work = node('work', ['Ticket'], ['Scored'], { tools: ['read_file', { use: './tools/crm.ts' }] });
const either = node('either', ['Scored'], ['Urgent', 'Note']);
const fork = node('fork', ['Scored'], ['Urgent', 'Note']);
const join = node('join', ['Urgent', 'Note'], ['Scored']);

test('body types accept valid code', () => {
  const bodies: [OutlineNode, string][] = [
    [work, '(ticket) => ({ score: ticket.subject.length })'],
    [work, "async ({ tags = [] }, ctx) => { await ctx.tools['./tools/crm.ts']({ tags }); return { score: ctx.random(), more: 1 }; }"],
    [work, '// why\nfunction (ticket) { return { score: 1 }; };'],
    [either, "(s) => (s.score > 1 ? { left: { to: 'me' } } : { right: 'note' })"],
    [fork, "(s) => [{ to: 'you' }, String(s.score)]"],
    [join, '(urgent, note) => ({ score: urgent.to.length + note.length })'],
    [node('work', ['A::B'], ['A::C']), '(input) => input.anything'],
    // What a new body begins with, where the states allow it.
    ...[node('work', ['Scored'], ['Next']), node('either', ['Note'], ['A', 'B']), node('fork', ['Note'], ['A', 'B'])].map(
      (of): [OutlineNode, string] => [of, newBody(of)],
    ),
  ];
  expect(faultsIn(bodies)).toEqual(bodies.map(() => []));
});

test('body types reject invalid code', () => {
  const bodies: [what: string, OutlineNode, string, RegExp][] = [
    ['a field that the input does not have', work, '(ticket) => ({ score: ticket.sujbect.length })', /sujbect/],
    ['a result without a field', work, '() => ({})', /not assignable to type 'Scored/],
    ['a result of another type', work, "async () => ({ score: 'high' })", /string.*number/s],
    ['what may not be there', work, '(ticket) => ({ score: ticket.tags.length })', /possibly 'undefined'/],
    ['a tool that is not named', work, '(t, ctx) => ctx.tools.write_file()', /write_file/],
    ['an either that names neither side', either, "() => ({ to: 'me' })", /left|right/],
    ['the branches of a fork the wrong way round', fork, "() => ['note', { to: 'me' }]", /not assignable/],
    ['a value that no enum has', fork, "() => [{ to: 'them' }, 'note']", /them/],
    ['no function', work, '{ score: 1 }', /'Body'/],
  ];
  const found = faultsIn(bodies.map(([, of, body]) => [of, body]));
  for (const [index, [what, , , message]] of bodies.entries())
    expect([what, found[index]?.join('\n')]).toEqual([what, expect.stringMatching(message)]);
});
