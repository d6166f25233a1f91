import { newBody } from '#renderer/document/editing/body-types.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { Json } from '#shared/json.ts';
import { texts } from './texts.ts';

/** The kinds of node body. */
export type BodyKind = 'none' | 'run' | 'run_file' | 'expr' | 'tool' | 'module';

const labels: Record<BodyKind, string> = {
  none: texts.body.passThrough,
  expr: texts.body.expression,
  run: texts.body.code,
  run_file: texts.body.codeFile,
  tool: texts.body.tool,
  module: texts.body.module,
};

const fields = ['run', 'run_file', 'module', 'export', 'expr', 'tool', 'with', 'into', 'tools'];

/** The kind of a node's current body. */
export function bodyKind({ raw }: OutlineNode): BodyKind {
  const found = (['run', 'run_file', 'module', 'expr', 'tool'] as const).find((kind) => raw[kind] !== undefined);
  return found ?? 'none';
}

const menu: readonly BodyKind[] = ['none', 'expr', 'run', 'run_file', 'tool', 'module'];

/** The bodies that a node of this kind can have, with their menu labels. */
export function bodyChoices({ kind }: OutlineNode): { value: BodyKind; label: string }[] {
  const { bodies, outputs } = kindFacts[kind];
  const allowed = menu.filter((value) => (value === 'none' ? outputs !== 'branch' : bodies.includes(value)));
  return allowed.map((value) => ({ value, label: value === 'none' && kind === 'join' ? texts.body.merge : labels[value] }));
}

/** The edits that replace a node's body by one of another kind. */
export function changeBody(node: OutlineNode, kind: BodyKind): FlowEdit[] {
  const removed = fields
    .filter(
      (field) => node.raw[field] !== undefined && !(field === 'tools' && (kind === 'run' || kind === 'run_file' || kind === 'module')),
    )
    .map((field): FlowEdit => ({ type: 'remove', path: ['nodes', node.index, field] }));
  const start: Record<BodyKind, Record<string, Json>> = {
    none: {},
    run: { run: newBody(node) },
    run_file: { run_file: './body.ts' },
    module: { module: './handler.ts' },
    expr: { expr: node.kind === 'either' ? 'true' : 'input' },
    tool: { tool: 'transform', with: {} },
  };
  const set = Object.entries(start[kind]).map(([field, value]): FlowEdit => ({ type: 'set', path: ['nodes', node.index, field], value }));
  return [...removed, ...set];
}
