import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { groupBox, membersOf } from '#renderer/document/layout/groups.ts';
import { useFollow } from '#renderer/editor/actions/follow-store.ts';
import { useRunMarks } from '#renderer/editor/marks/shown-marks.ts';
import { useNodeTones } from '#renderer/editor/problems/use-node-tone.ts';
import { places } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import type { Layout } from '#shared/contract/flows.ts';
import styles from './flow-map.module.css';
import { type Box, cardsPath, signsPath } from './map-shape.ts';
import { nodeInFocus } from './use-follow-run.ts';

interface MapSignsProps {
  readonly view: GraphView;
  readonly positions: Layout['nodes'];
  readonly box: Box;
}

function outline({ x, y, width, height }: Box): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

/** What the map shows besides the cards: problems as triangles, breakpoints as dots, a frame around the node that the canvas follows. */
export const MapSigns = memo(function MapSigns({ view, positions, box }: MapSignsProps) {
  const tones = useNodeTones();
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  const signs = useStore(breakpointStore, (state) => state.index);
  const extras = useCurrentFlow((flow) => flow?.extras);
  const drawings = useMemo(() => {
    const groups = (extras?.groups ?? []).flatMap((group) => groupBox(group, view, positions, extras?.groups) ?? []);
    return { notes: (extras?.notes ?? []).map(outline).join(''), groups: groups.map(outline).join('') };
  }, [extras, view, positions]);
  const { follows } = useFollow();
  const followed = useRunMarks(nodeInFocus);
  const drawn = useMemo(() => {
    const at = (shape: 'triangle' | 'dot', isMarked: (node: NodeView) => boolean) =>
      signsPath(shape, view.nodes.filter(isMarked), positions, box);
    return {
      error: at('triangle', ({ id }) => tones.get(id) === 'error'),
      warning: at('triangle', ({ id }) => tones.has(id) && tones.get(id) !== 'error'),
      breakpoint: at('dot', ({ id }) => signs[places.before(path, id)] !== undefined || signs[places.after(path, id)] !== undefined),
    };
  }, [view, positions, box, tones, signs, path]);
  const isFollowed = ({ id }: NodeView) => id === followed || (followed !== null && membersOf(id).includes(followed));
  const current = follows ? view.nodes.find(isFollowed) : undefined;
  return (
    <>
      {drawings.groups && <path className={styles.group} d={drawings.groups} />}
      {drawings.notes && <path className={styles.note} d={drawings.notes} />}
      {current && <path className={styles.followed} d={cardsPath([current], positions, box)} />}
      {drawn.warning && <path className={styles.sign} data-sign="warning" d={drawn.warning} />}
      {drawn.error && <path className={styles.sign} data-sign="error" d={drawn.error} />}
      {drawn.breakpoint && <path className={styles.sign} data-sign="breakpoint" d={drawn.breakpoint} />}
    </>
  );
});
