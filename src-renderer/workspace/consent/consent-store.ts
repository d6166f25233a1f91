import { createStore } from 'zustand/vanilla';
import type { FlowReach } from '#shared/contract/consent.ts';

interface ConsentQuestion {
  readonly reach: FlowReach;
  answer(allowed: boolean): void;
}

/** The open question about the capabilities of a flow, or null. */
export const consentStore = createStore<{ readonly question: ConsentQuestion | null }>()(() => ({ question: null }));

/** Asks the user with the dialog. A second question replaces the first, which counts as refused. */
export function askForConsent(reach: FlowReach): Promise<boolean> {
  consentStore.getState().question?.answer(false);
  return new Promise((resolve) => {
    const answer = (allowed: boolean) => {
      consentStore.setState({ question: null });
      resolve(allowed);
    };
    consentStore.setState({ question: { reach, answer } });
  });
}
