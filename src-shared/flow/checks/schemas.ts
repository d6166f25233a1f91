import { didYouMean, nearestWord } from '#shared/flow/did-you-mean.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import type { FlowOutline, OutlineNode } from '#shared/flow/outline.ts';
import type { ProblemFix } from '#shared/flow/problem.ts';
import { jsonPointer } from '#shared/json.ts';
import type { Report } from './report.ts';

interface Mention {
  readonly path: string;
  readonly nodes: Set<string>;
}

/** Checks the schemas. `inherited` are the states whose schemas come from nested flows. */
export function checkSchemas(
  outline: FlowOutline,
  nodes: readonly OutlineNode[],
  inherited: ReadonlySet<string>,
  environment: FlowEnvironment,
  report: Report,
): void {
  const { schemas } = outline;
  if (!schemas) return;
  const mentions = mentionsOf(outline, nodes);
  for (const [name, mention] of mentions) {
    if (Object.hasOwn(schemas, name) || inherited.has(name)) continue;
    const known = Object.keys(schemas);
    const nearest = nearestWord(name, known);
    const fixes: ProblemFix[] =
      nearest === undefined ? [] : [{ title: `Rename ${name} to ${nearest}`, edits: [{ type: 'rename_state', from: name, to: nearest }] }];
    fixes.push({ title: `Add a schema for ${name}`, edits: [{ type: 'set', path: ['schemas', name], value: {} }] });
    report(
      'unknown_schema',
      mention.path,
      [...mention.nodes],
      `The state ${name} has no schema. Add one to "schemas" ({} accepts anything), or fix the name.${didYouMean(name, known)}`,
      fixes,
    );
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const fault = environment.checkSchema(schema);
    if (fault) report('bad_schema', `${jsonPointer(['schemas', name])}${fault.path}`, [], `Invalid schema ${name}: ${fault.message}.`);
    if (!mentions.has(name))
      report(
        'unused_schema',
        jsonPointer(['schemas', name]),
        [],
        `The schema ${name} is unused: no state has this name. Remove it, or fix the name.`,
        [{ title: `Remove the schema ${name}`, edits: [{ type: 'remove', path: ['schemas', name] }] }],
      );
  }
}

/** Every state that the document mentions, with its first location and all nodes that mention it. */
function mentionsOf(outline: FlowOutline, nodes: readonly OutlineNode[]): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  const mention = (name: string | undefined, path: string, node?: string) => {
    if (name === undefined) return;
    const known = mentions.get(name) ?? { path, nodes: new Set<string>() };
    if (node !== undefined) known.nodes.add(node);
    mentions.set(name, known);
  };
  mention(outline.input, '/input');
  mention(outline.output, '/output');
  for (const { kind, path, id, from, to, raw } of nodes) {
    const pathTo = (key: 'from' | 'to', index: number) =>
      kind === 'flow' ? path : Array.isArray(raw[key]) ? `${path}/${key}/${index}` : `${path}/${key}`;
    for (const [index, name] of from.entries()) mention(name, pathTo('from', index), id);
    for (const [index, name] of to.entries()) mention(name, pathTo('to', index), id);
  }
  return mentions;
}
