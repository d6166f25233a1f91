import type { AheadEvent } from '#shared/run/event.ts';
import type { Activity, RunView } from './run-fold.ts';

/** A step that is made before its turn. `waiting`: it has gone as far as it can, and waits for its turn. */
export interface AheadActivity extends Activity {
  readonly waiting: boolean;
}

type ByNode = Readonly<Record<string, AheadActivity>>;

/** Applies events of steps that are made before their turn to a view. */
export function foldAhead(view: RunView, events: readonly AheadEvent[]): RunView {
  return { ...view, ahead: events.reduce((ahead, event) => (event.run_id === view.run_id ? take(ahead, event) : ahead), view.ahead) };
}

function take(ahead: ByNode, event: AheadEvent): ByNode {
  if (!('node' in event) || typeof event.node !== 'string') return ahead;
  const { node, timestamp } = event;
  const known = ahead[node] ?? { node, kind: 'agent', turn: null, started_at: timestamp, reasoning: '', text: '', waiting: false };
  const withNode = (activity: AheadActivity): ByNode => ({ ...ahead, [node]: activity });
  switch (event.type) {
    case 'node_enter': {
      const { kind, phase } = event;
      return withNode({ ...known, kind, ...(phase && { phase }), started_at: timestamp, reasoning: '', text: '', waiting: false });
    }
    case 'inference_start':
      return withNode({ ...known, turn: event.turn });
    case 'reasoning':
      return withNode({ ...known, reasoning: known.reasoning + event.content });
    case 'message':
      return withNode({ ...known, text: known.text + event.content });
    case 'lifecycle': {
      if (event.from !== 'ahead') return ahead;
      if (event.to === 'waiting') return withNode({ ...known, waiting: true });
      const { [node]: _gone, ...rest } = ahead;
      return rest;
    }
    default:
      return ahead;
  }
}
