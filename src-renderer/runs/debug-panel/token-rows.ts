import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { drawnNode } from '#shared/run/node-id.ts';
import { texts } from './texts.ts';

/** A waiting state of the outermost flow, with the node that consumes it. */
export interface TokenRow {
  readonly state: string;
  /** Title of the node that consumes it; empty if none does. */
  readonly node: string;
  readonly status: string;
  readonly isNext: boolean;
}

interface At {
  /** Names of all waiting states of the run; those in nested flows contain `::`. */
  readonly states: readonly string[];
  readonly next: string | null;
  /** Ids of the nodes that wait for an answer. */
  readonly asking: readonly string[];
}

/** The waiting states of a run's own flow, and what each waits for. */
export function tokenRows({ states, next, asking }: At, nodes: readonly NodeView[]): TokenRow[] {
  const firing = next === null ? null : drawnNode(next);
  const asked = new Set(asking.map(drawnNode));
  return states
    .filter((state) => !state.includes('::'))
    .map((state) => {
      const node = nodes.find(({ inputs }) => inputs.some((port) => port.state === state));
      const missing = node?.inputs.map((port) => port.state).filter((input) => !states.includes(input)) ?? [];
      const isNext = node !== undefined && node.id === firing;
      const status = !node
        ? texts.result
        : asked.has(node.id)
          ? texts.answerWanted
          : isNext
            ? texts.firesNext
            : missing.length > 0
              ? texts.waitsFor(missing.join(', '))
              : '';
      return { state, node: node?.title ?? '', status, isNext };
    });
}
