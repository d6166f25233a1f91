/** What a layer says of one node or wire. */
export interface LayerMark {
  /** A few characters, drawn beside it. */
  readonly text: string;
  /** From 0 (none) to 4 (most). */
  readonly level: 0 | 1 | 2 | 3 | 4;
  /** The text in full, for a tooltip. */
  readonly title: string;
}

export type LayerKind = 'lineage' | 'coverage' | 'time' | 'tokens' | 'cost';

/** Something that is drawn over a whole flow, by the ids and states of its file. What has no entry is dimmed (`lineage`), or has none of what is counted. */
export interface CanvasLayer {
  readonly kind: LayerKind;
  readonly nodes: Readonly<Record<string, LayerMark>>;
  /** By `wireKey`; null: the layer says nothing of wires. */
  readonly wires: Readonly<Record<string, LayerMark>> | null;
}

/** Identifies a wire by the node that it comes from and the state that it carries. */
export function wireKey(node: string, state: string): string {
  return `${node}\n${state}`;
}

/** The level of a number beside the greatest one: equal steps of its logarithm, so that a few large ones do not hide all others. */
export function levelOf(value: number, most: number): LayerMark['level'] {
  if (value <= 0 || most <= 0) return 0;
  const share = Math.log1p((value / most) * 99) / Math.log(100);
  return Math.min(4, Math.max(1, Math.ceil(share * 4))) as LayerMark['level'];
}
