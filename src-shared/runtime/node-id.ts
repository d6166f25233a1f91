/**
 * The flow's own node that a node of a run is, or is inside of: `Items[0]::Draft` is a node of the item 0 of the `each` node `Items`.
 * No name of a state holds a bracket.
 */
export function outermostNode(id: string): string {
  const bracket = id.indexOf('[');
  return bracket < 0 ? id : id.slice(0, bracket);
}
