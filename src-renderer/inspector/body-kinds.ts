import { newBody } from '#renderer/code/body-types.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import type { Json } from '#shared/json.ts';

/** Ways in which a node can do its work. */
export type BodyKind = 'none' | 'run' | 'run_file' | 'expr' | 'tool' | 'module';

const labels: Record<BodyKind, string> = {
  none: 'Nothing: pass it on',
  expr: 'Expression',
  run: 'Code',
  run_file: 'Code in a file',
  tool: 'Tool',
  module: 'Module (trusted folders)',
};

const fields = ['run', 'run_file', 'module', 'export', 'expr', 'tool', 'with', 'into', 'tools'];

/** The way that a node's body is written now. */
export function bodyKind({ raw }: OutlineNode): BodyKind {
  const found = (['run', 'run_file', 'module', 'expr', 'tool'] as const).find((kind) => raw[kind] !== undefined);
  return found ?? 'none';
}

/** What a node of this kind may have for a body, with words for a menu. */
export function bodyChoices({ kind }: OutlineNode): { value: BodyKind; label: string }[] {
  const allowed: BodyKind[] =
    kind === 'work'
      ? ['none', 'expr', 'run', 'run_file', 'tool', 'module']
      : kind === 'either'
        ? ['expr', 'run', 'run_file', 'module']
        : ['none', 'run', 'run_file', 'module'];
  return allowed.map((value) => ({ value, label: value === 'none' && kind === 'join' ? 'Nothing: merge the two' : labels[value] }));
}

/** The edits that give a node another kind of body; the old one goes. */
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
