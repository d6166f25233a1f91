import { useStore } from 'zustand';
import { announcerStore } from '#renderer/shell/announcer.ts';

/** The live region that reads out the texts of `announce`. */
export function LiveRegion() {
  const { text, count } = useStore(announcerStore);
  return (
    <div className="only-heard" role="status" aria-live="polite">
      {/* A new key makes screen readers repeat an unchanged sentence. */}
      <span key={count}>{text}</span>
    </div>
  );
}
