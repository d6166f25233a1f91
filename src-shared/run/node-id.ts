/**
 * Returns the outermost node that contains a node of a run: `Items[0]::Draft` is a node of item 0 of the `each` node `Items`.
 * State names contain no brackets.
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
 * Returns the document's node that contains a node of a run or a state: `Ticket::Draft` is inside the nested flow whose input is `Ticket`,
 * `Items[0]::Draft` and `Items::Draft` inside the `each` node `Items`. An id outside of any node is returned unchanged.
 */
export function drawnNode(id: string): string {
  const inside = id.search(/::|\[/);
  // The first state of an inner join identifies its location.
  return inside < 0 ? id : (id.slice(0, inside).split('+')[0] as string);
}
