import styles from './breakpoint-dot.module.css';
import type { BreakpointLook } from './breakpoint-edits.ts';

/** The sign of a breakpoint: a dot, or a diamond for a log point; a ring when off, dashed when its node is missing, with `=` for a condition. */
export function BreakpointDot({ look: { shape, state, conditional } }: { look: BreakpointLook }) {
  const filled = state === 'on';
  return (
    <svg className={styles.dot} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" data-shape={shape} data-state={state}>
      {shape === 'dot' ? <circle cx="7" cy="7" r="5.25" /> : <path d="M7 1 13 7 7 13 1 7Z" />}
      {conditional && <path className={filled ? styles.inside : styles.outside} d="M4.6 5.7h4.8M4.6 8.3h4.8" />}
    </svg>
  );
}
