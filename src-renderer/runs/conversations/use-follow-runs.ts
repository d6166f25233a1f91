import { useEffect } from 'react';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { loadConversations } from './conversations-store.ts';

/** How long changes of runs are gathered before the list loads again, in milliseconds. */
const gathering = 500;

/** Loads the list of conversations, and again when runs have changed or the user comes back to the window, after an import in a terminal, say. */
export function useFollowRuns(): void {
  useEffect(() => {
    void loadConversations();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = runListStore.subscribe(({ runs }, before) => {
      if (runs === before.runs) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void loadConversations();
      }, gathering);
    });
    const reload = () => void loadConversations();
    window.addEventListener('focus', reload);
    return () => {
      window.removeEventListener('focus', reload);
      unsubscribe();
      clearTimeout(timer);
    };
  }, []);
}
