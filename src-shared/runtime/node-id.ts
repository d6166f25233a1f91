/**
 * The flow's own node that a node of a run is, or is inside of: `Items[0]::Draft` is a node of the item 0 of the `each` node `Items`.
 * No name of a state holds a bracket.
 */
export function outermostNode(id: string): string {
  const bracket = id.indexOf('[');
  return bracket < 0 ? id : id.slice(0, bracket);
}

/** True for a node of an item of an `each` node, at any depth: `Items[0]::Draft`. */
export function isInsideItem(id: string): boolean {
  return /\[\d+\]::/.test(id);
}

/**
 * The node of the document itself behind which a node of a run, or a state, lies: `Ticket::Draft` is inside the nested flow whose entry is `Ticket`,
 * `Items[0]::Draft` and `Items::Draft` inside the `each` node `Items`. What is not inside of anything is itself.
 */
export function drawnNode(id: string): string {
  const inside = id.search(/::|\[/);
  // Of a join inside, the first of its two states says where it is.
  return inside < 0 ? id : (id.slice(0, inside).split('+')[0] as string);
}
