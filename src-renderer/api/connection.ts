import { RPCLink } from '@orpc/client/message-port';
import { createStore } from 'zustand/vanilla';
import { bridgeOfWindow, openElectronPort } from '#renderer/api/electron-text-port.ts';
import { PageRefused, pageExchange } from '#renderer/api/page-fetch.ts';
import { pageToken } from '#renderer/api/page-token.ts';
import { openHttpTextPort } from '#shared/contract/http-text-port.ts';
import type { TextPort } from '#shared/contract/text-port.ts';

/**
 * Whether the host can be reached. `lost`: it does not answer, and is tried again by itself. `refused`: it answers, but
 * does not know this page (it was started anew); a person must open its new link.
 */
export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'refused';

/** The page's connection as a store. */
export const connectionStore = createStore<{ readonly status: ConnectionStatus }>(() => ({ status: 'connecting' }));

/** Pauses between attempts, in milliseconds; the last one repeats. */
const pauses = [100, 250, 500, 1000, 2000, 5000];

export type StudioLink = RPCLink<Record<never, never>>;

/** The open link: the one that is there, or the one that comes next. Rejects when the host refuses this page. */
export function currentLink(): Promise<StudioLink> {
  link ??= connect();
  return link;
}

let link: Promise<StudioLink> | undefined;

async function connect(): Promise<StudioLink> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const port = await openPort();
      port.on('close', () => {
        connectionStore.setState({ status: 'lost' });
        link = connect();
        link.catch(() => undefined);
      });
      connectionStore.setState({ status: 'open' });
      return new RPCLink({ port });
    } catch (failure) {
      if (failure instanceof PageRefused) {
        connectionStore.setState({ status: 'refused' });
        throw failure;
      }
      connectionStore.setState({ status: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(attempt, pauses.length - 1)]));
    }
  }
}

async function openPort(): Promise<TextPort> {
  const bridge = bridgeOfWindow();
  if (bridge) return openElectronPort(bridge);
  const token = await pageToken();
  if (token === null) throw new PageRefused('This tab has no link of its own.');
  return openHttpTextPort(pageExchange(token));
}
