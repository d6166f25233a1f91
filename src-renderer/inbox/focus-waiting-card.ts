import { panelsStore } from '#renderer/stores/panels.ts';

/** Marks the card of what the shown run waits for, so that it can be focused. */
export const waitingCardMark = { 'data-waiting-card': true } as const;

/** Shows the card of what the shown run waits for and gives it the focus: the user has asked for it. Its buttons keep their delay. */
export function focusWaitingCard(): void {
  panelsStore.getState().showRight('waiting');
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-waiting-card]')?.focus());
}
