/** Something that can fire, with the insertion number of its state. */
export interface Ready<Item> {
  readonly order: number;
  readonly item: Item;
}

/** A binary heap by `order`: the top is first in the state map, whenever it became able to fire. */
export class ReadyHeap<Item> {
  readonly #entries: Ready<Item>[] = [];

  get top(): Item | undefined {
    return this.#entries[0]?.item;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The items by their order. */
  get sorted(): Item[] {
    return this.#entries.toSorted((a, b) => a.order - b.order).map(({ item }) => item);
  }

  push(order: number, item: Item): void {
    const entries = this.#entries;
    let at = entries.length;
    const entry = { order, item };
    entries.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above] as Ready<Item>;
      if (parent.order <= order) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  pop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= entries.length) break;
      const right = entries[below + 1];
      if (right !== undefined && right.order < (entries[below] as Ready<Item>).order) below += 1;
      const child = entries[below] as Ready<Item>;
      if (child.order >= last.order) break;
      entries[at] = child;
      at = below;
    }
    entries[at] = last;
  }
}
