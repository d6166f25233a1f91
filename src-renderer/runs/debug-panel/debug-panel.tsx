import { BreakpointList } from '#renderer/runs/breakpoints/breakpoint-list.tsx';
import { LineageList } from '#renderer/runs/lineage/lineage-list.tsx';
import { SuppliedList } from '#renderer/runs/supplied/supplied-list.tsx';
import { CallStack } from './call-stack.tsx';
import styles from './debug-panel.module.css';
import { HeldCall } from './held-call.tsx';
import { texts } from './texts.ts';
import { Tokens } from './tokens.tsx';
import { Watches } from './watches.tsx';

/** The Debug tab: waiting states, call stack, watches and breakpoints. */
export function DebugPanel() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: the tab panel around it is the landmark
    <div className={styles.panel} role="group" tabIndex={0} aria-label={texts.label}>
      <LineageList />
      <Tokens />
      <CallStack />
      <HeldCall />
      <Watches />
      <BreakpointList />
      <SuppliedList />
    </div>
  );
}
