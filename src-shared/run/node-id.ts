/**
 * Ids of nodes in a run. A node inside a frame is called after it: `Items[0]::Draft` is in item 0 of the `each` node `Items`, and
 * `Ask::flow:./lookup.flow.yaml[call_1]::Find` in the flow that the agent `Ask` calls as a tool in `call_1`. State names contain no brackets.
 */

/** An item of an `each` node, or a flow that is called as a tool, as ids of the nodes inside name it. */
export type FrameName =
  | { readonly type: 'item'; readonly each: string; readonly index: number }
  /** `flow`: the name under which its graph lists the flow (`flow:./lookup.flow.yaml`). */
  | { readonly type: 'call'; readonly caller: string; readonly flow: string; readonly tool_call_id: string };

export type FrameNameOf<Type extends FrameName['type']> = Extract<FrameName, { readonly type: Type }>;

/** Returns the key of a called flow's frame in `Control.frames`. Ids of its nodes begin with it, followed by `::`. */
export function callFrameKey(caller: string, flow: string, tool_call_id: string): string {
  return `${caller}::${encoded(flow)}[${encoded(tool_call_id)}]`;
}

/** Returns the innermost frame around a node, from the node's id; null for a node of the run's own flow. */
export function enclosingFrame(id: string): FrameName | null {
  const end = id.lastIndexOf(']::');
  return end < 0 ? null : frameName(id.slice(0, end + 1));
}

/** Returns the key in `Control.frames` of the innermost frame around a node; null for a node of the run's own flow. */
export function enclosingFrameKey(id: string): string | null {
  const frame = enclosingFrame(id);
  if (!frame) return null;
  return frame.type === 'item' ? frame.each : id.slice(0, id.lastIndexOf(']::') + 1);
}

/** Parses what ids of nodes in a frame begin with: `Items[0]`, `Ask::flow:./lookup.flow.yaml[call_1]`. Null for anything else. */
export function frameName(text: string): FrameName | null {
  if (!text.endsWith(']')) return null;
  const start = text.lastIndexOf('[');
  const inside = text.slice(start + 1, -1);
  const around = text.slice(0, start);
  const called = around.indexOf(flowMark, around.lastIndexOf(']::') + 1);
  if (called >= 0) {
    const flow = decoded(around.slice(called + 2));
    return { type: 'call', caller: around.slice(0, called), flow, tool_call_id: decoded(inside) };
  }
  return /^\d+$/.test(inside) ? { type: 'item', each: around, index: Number(inside) } : null;
}

/** Returns the id of the innermost tool call whose flow contains a node; undefined outside of called flows. */
export function enclosingCall(id: string): string | undefined {
  const name = frameName(enclosingCallKey(id) ?? '');
  return name?.type === 'call' ? name.tool_call_id : undefined;
}

/** Returns the key in `Control.frames` of the innermost called flow that contains a node; undefined outside of called flows. */
export function enclosingCallKey(id: string): string | undefined {
  for (let end = id.lastIndexOf(']::'); end >= 0; end = id.lastIndexOf(']::', end - 1)) {
    const key = id.slice(0, end + 1);
    if (frameName(key)?.type === 'call') return key;
  }
  return undefined;
}

/** Returns a node's id without the numbers of items and the ids of calls: `Items[]::Ask::flow:./lookup.flow.yaml[]::Find`. */
export function withoutFrames(id: string): string {
  return id.includes('[') ? id.replaceAll(/\[[^[\]]*\](?=::|$)/g, '[]') : id;
}

/** Returns a node's id without the ids of calls, by which models are assigned: `Ask::flow:./lookup.flow.yaml::Find`. */
export function withoutCalls(id: string): string {
  return id.includes(flowMark) ? id.replaceAll(/(::flow:[^[\]]*)\[[^[\]]*\](?=::)/g, '$1') : id;
}

/**
 * Returns the outermost node that contains a node of a run: `Items[0]::Draft` is a node of item 0 of the `each` node `Items`,
 * `Ask::flow:./lookup.flow.yaml[call_1]::Find` one of a flow that `Ask` calls.
 */
export function outermostNode(id: string): string {
  const bracket = id.indexOf('[');
  if (bracket < 0) return id;
  const called = id.indexOf(flowMark);
  return id.slice(0, called >= 0 && called < bracket ? called : bracket);
}

/** True for a node inside a frame, at any depth. */
export function isInsideFrame(id: string): boolean {
  return id.includes(']::');
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

/** What begins the name of a called flow after its caller's id. */
const flowMark = '::flow:';

/** Paths and ids that providers make may contain what separates the parts of an id. */
function encoded(text: string): string {
  return text.replaceAll(/[%[\]]/g, encodeURIComponent).replaceAll('::', ':%3A');
}

function decoded(text: string): string {
  return text.replaceAll(/%(?:25|5B|5D|3A)/g, decodeURIComponent);
}
