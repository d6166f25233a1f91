import { panelsStore } from '#renderer/shell/panels.ts';

/** Marks the card of the shown run's question, so that it can be focused. */
export const waitingCardMark = { 'data-waiting-card': true } as const;

/** Shows and focuses the card of the shown run's question, on request of the user. Its buttons keep their delay. */
export function focusWaitingCard(): void {
  panelsStore.getState().showRight('waiting');
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-waiting-card]')?.focus());
}
