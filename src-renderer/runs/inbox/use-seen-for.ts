import { type RefObject, useEffect, useState } from 'react';

/** True once an element has been visible, in a visible tab, for `milliseconds` without a break. */
export function useSeenFor(element: RefObject<Element | null>, milliseconds: number): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let inSight = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (!inSight || document.visibilityState !== 'visible') return setSeen(false);
      timer = setTimeout(() => setSeen(true), milliseconds);
    };
    const observer = new IntersectionObserver((entries) => {
      const now = entries.at(-1)?.isIntersecting ?? false;
      if (now === inSight) return;
      inSight = now;
      look();
    });
    observer.observe(target);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [element, milliseconds]);
  return seen;
}
