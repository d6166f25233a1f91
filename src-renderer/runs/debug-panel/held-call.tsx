import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import styles from './debug-panel.module.css';
import { texts } from './texts.ts';

/** Characters of the call that are shown. */
const longest = 20_000;

/** What the call that a run is held before would send: a model's messages, a tool's input. */
export function HeldCall() {
  const stop = useRunSession(({ view, selected }) => (view?.stop?.point === 'hold' && selected === null ? view.stop : null));
  if (stop?.values === undefined) return null;
  const text = JSON.stringify(stop.values, null, 2);
  return (
    <PanelSection title={texts.heldCall}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      <pre className={styles.sent} tabIndex={0}>
        {text.length > longest ? previewOf(stop.values, longest) : text}
      </pre>
    </PanelSection>
  );
}
