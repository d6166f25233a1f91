import { type Deed, endOfFlow, type ForeignEdge, type ForeignNode } from '#shared/import/foreign-graph.ts';
import { Names } from '#shared/import/names.ts';

/** An output of a node that does not lead anywhere yet. */
export interface OpenEnd {
  readonly from: string;
  readonly output: string;
}

/** Builds a graph node by node: each is connected to the ends that are open before it. */
export class GraphWriter {
  readonly nodes: ForeignNode[] = [];
  readonly edges: ForeignEdge[] = [];
  readonly #keys: Names;
  ends: readonly OpenEnd[] = [];

  constructor(takenKeys: Iterable<string>) {
    this.#keys = new Names(takenKeys);
  }

  /** Adds a node after the open ends; its single output is then the only open one. Returns its id. */
  add(title: string, does: Deed, key = this.key(title), note?: string): string {
    const id = `n${this.nodes.length}`;
    this.nodes.push({ id, title, key, does, ...(note !== undefined && { note }) });
    this.connectTo(id);
    this.ends = [{ from: id, output: '' }];
    return id;
  }

  /** Leads the open ends to a node. */
  connectTo(id: string): void {
    for (const { from, output } of this.ends) this.edges.push({ from, output, to: id });
    this.ends = [];
  }

  /** Leads the open ends to the end of the flow. */
  finish(): void {
    this.connectTo(endOfFlow);
  }

  key(title: string): string {
    return this.#keys.field(title);
  }
}
