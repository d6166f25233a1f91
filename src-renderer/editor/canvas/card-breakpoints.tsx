import { memo, type SyntheticEvent } from 'react';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { BreakpointDot } from '#renderer/runs/breakpoints/breakpoint-dot.tsx';
import type { BreakpointTarget } from '#renderer/runs/breakpoints/breakpoint-edits.ts';
import type { BreakpointSign } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import { cycleBreakpoint, removeBreakpoint } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { texts } from '#renderer/runs/breakpoints/texts.ts';
import {
  useBranchBreakpoint,
  useBreakpointsInside,
  useHasBreakpoints,
  useNodeBreakpoint,
  useStateBreakpoint,
  useStopAtNode,
} from '#renderer/runs/breakpoints/use-breakpoints.ts';
import styles from './card-breakpoints.module.css';
import { useIsPointed } from './pointed-card.ts';
import { WireLabels } from './wire-labels.tsx';

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}

function cycle(target: (flow: string) => BreakpointTarget): (event: SyntheticEvent) => void {
  return (event) => {
    stop(event);
    const flow = currentFlow();
    if (flow) void cycleBreakpoint(target(flow.path));
  };
}

interface SpotProps {
  readonly sign: BreakpointSign | undefined;
  readonly className: string | undefined;
  readonly top?: number;
  onClick(event: SyntheticEvent): void;
}

/** A breakpoint's sign at the edge of a card; without one, a spot that appears under the pointer. The keyboard has F9. */
function Spot({ sign, className, top, onClick }: SpotProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.spot} ${className} nodrag nopan`}
      style={top === undefined ? {} : { top }}
      data-set={sign !== undefined}
      aria-label={sign?.label ?? texts.addHere}
      title={sign ? texts.cycleHint(sign.label) : texts.addHere}
      onClick={onClick}
      onDoubleClick={stop}
    >
      {sign && <BreakpointDot look={sign} />}
    </button>
  );
}

interface CardBreakpointsProps {
  readonly node: string;
  /** Key of the node. */
  readonly card: string;
}

/**
 * The breakpoints of a node: before it at the left edge of its card, after it at the right. Where there are none, as usual, only the card under the pointer has
 * a spot for one.
 */
export const CardBreakpoints = memo(function CardBreakpoints({ node, card }: CardBreakpointsProps) {
  const isPointed = useIsPointed(card);
  if (useHasBreakpoints()) return <SetBreakpoints node={node} isPointed={isPointed} />;
  return isPointed && <BeforeSpot node={node} sign={undefined} />;
});

function BeforeSpot({ node, sign }: { node: string; sign: BreakpointSign | undefined }) {
  return <Spot sign={sign} className={styles.before} onClick={cycle((flow) => ({ kind: 'before', flow, node }))} />;
}

function SetBreakpoints({ node, isPointed }: { node: string; isPointed: boolean }) {
  const before = useNodeBreakpoint('before', node);
  const after = useNodeBreakpoint('after', node);
  const stopped = useStopAtNode(node);
  return (
    <>
      {(before || isPointed) && <BeforeSpot node={node} sign={before} />}
      {stopped !== null && (
        <span className={styles.stopped} title={stopped}>
          {stopped}
        </span>
      )}
      {after && <Spot sign={after} className={styles.after} onClick={cycle((flow) => ({ kind: 'after', flow, node }))} />}
    </>
  );
}

/** On the card of a node that runs a flow: that breakpoints lie inside. */
export const BreakpointsInside = memo(function BreakpointsInside({ file }: { file: string }) {
  const count = useBreakpointsInside(file);
  if (count === 0) return null;
  const label = texts.inside(count);
  return (
    <span className={styles.inside} role="img" aria-label={label} title={label}>
      <BreakpointDot look={{ shape: 'dot', state: 'on', conditional: false }} />
    </span>
  );
});

/** The breakpoint at one of several outputs of a node. */
export const BranchBreakpoint = memo(function BranchBreakpoint({ node, state, top }: { node: string; state: string; top: number }) {
  const sign = useBranchBreakpoint(node, state);
  return <Spot sign={sign} className={styles.branch} top={top} onClick={cycle((flow) => ({ kind: 'branch', flow, node, state }))} />;
});

/** The breakpoint at a state, where its wire begins. */
export const WireBreakpoint = memo(function WireBreakpoint({ state, x, y }: { state: string; x: number; y: number }) {
  const sign = useStateBreakpoint(state);
  if (!sign) return null;
  return (
    <WireLabels>
      <button
        type="button"
        tabIndex={-1}
        className={`${styles.wire} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x + 18}px, ${y}px)` }}
        aria-label={sign.label}
        title={texts.removeHint(sign.label)}
        onClick={() => void removeBreakpoint(sign.id)}
      >
        <BreakpointDot look={sign} />
      </button>
    </WireLabels>
  );
});
