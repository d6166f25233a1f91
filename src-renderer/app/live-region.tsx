import { useStore } from 'zustand';
import { announcerStore } from '#renderer/stores/announcer.ts';

/** Speaks what `announce` is given. */
export function LiveRegion() {
  const { text, count } = useStore(announcerStore);
  return (
    <div className="only-heard" role="status" aria-live="polite">
      {/* A new key makes a repeated sentence a new one. */}
      <span key={count}>{text}</span>
    </div>
  );
}
