import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Calls `submit` for Ctrl+Enter (or Cmd+Enter) in any field of a dialog. The key also counts while no element has the focus: the moment after a dialog
 * above has closed, before the browser gives the focus back. `body` is anything inside the dialog; while `enabled` is false, the key does nothing.
 */
export function useSubmitKey(body: RefObject<HTMLElement | null>, enabled: boolean, submit: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    const { target } = event;
    if (!(target instanceof Node) || (target !== document.body && !body.current?.contains(target))) return;
    event.preventDefault();
    submit();
  });
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled]);
}
