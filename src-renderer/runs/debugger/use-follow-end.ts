import { type RefObject, useEffect, useRef } from 'react';

/** How near the end, in pixels, counts as being there. */
const nearEnd = 24;

/**
 * Keeps a scrolled region at its end while it grows, unless the user has scrolled away from the end. `content` is what makes it grow;
 * another `subject` starts at its end again.
 */
export function useFollowEnd(region: RefObject<HTMLElement | null>, subject: unknown, content: unknown): void {
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is what it is for
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    follows.current = true;
    const onScroll = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [region, subject]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: grown content is what it is for
  useEffect(() => {
    if (follows.current && region.current) region.current.scrollTop = region.current.scrollHeight;
  }, [region, subject, content]);
}
