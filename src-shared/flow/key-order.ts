import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';

const documentKeys = ['pravah', 'name', 'description', 'input', 'output', 'schemas', 'nodes', 'limits', 'parallel'];
const nodeKeys = [
  'kind',
  'title',
  'note',
  'from',
  'to',
  'flow',
  'parallel',
  'agent',
  'run',
  'run_file',
  'module',
  'export',
  'expr',
  'tool',
  'with',
  'into',
  'tools',
];
const agentKeys = [
  'model',
  'preamble',
  'prompt',
  'tools',
  'mode',
  'conversation',
  'memory',
  'context',
  'params',
  'limits',
  'stall',
  'control',
  'trust_content',
  'guards',
  'output',
  'redundant',
  'plan',
];
const limitKeys = ['steps', 'seconds', 'model_calls', 'tokens', 'cost'];
const parallelKeys = ['ahead', 'effects'];

/** The canonical order of the keys of the object at a path; empty if the author's order is kept. */
export function keyOrder(path: DocumentPath): readonly string[] {
  if (path.length === 0) return documentKeys;
  if (path.length === 1 && path[0] === 'limits') return limitKeys;
  if (path.length === 1 && path[0] === 'parallel') return parallelKeys;
  if (path[0] !== 'nodes') return [];
  if (path.length === 2) return nodeKeys;
  return path.length === 3 && path[2] === 'agent' ? agentKeys : [];
}

/** Where among `keys` a new key belongs: after the last one that comes before it, keys without a rank at the end. */
export function placeOfKey(key: string, keys: readonly string[], order: readonly string[]): number {
  const rank = order.indexOf(key);
  if (rank < 0) return keys.length;
  const before = keys.findLastIndex((other) => order.includes(other) && order.indexOf(other) < rank);
  if (before >= 0) return before + 1;
  return keys.some((other) => order.includes(other)) ? 0 : keys.length;
}
