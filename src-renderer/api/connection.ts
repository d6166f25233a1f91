import { RPCLink } from '@orpc/client/message-port';
import { createStore } from 'zustand/vanilla';
import { openHttpTextPort } from '#shared/contract/http-text-port.ts';
import type { TextPort } from '#shared/contract/text-port.ts';
import { bridgeOfWindow, openElectronPort } from './electron-text-port.ts';
import { PageRefused, pageExchange } from './page-fetch.ts';
import { forgetPageToken, pageToken } from './page-token.ts';

/**
 * Whether the host is reachable. `lost`: it does not respond. `refused`: it responds, but does not know this page, as it was
 * restarted; once the user opens its new link, that page helps this one to continue. Both are retried.
 */
export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'refused';

/** The page's connection as a store. */
export const connectionStore = createStore<{ readonly status: ConnectionStatus }>(() => ({ status: 'connecting' }));

/** Pauses between attempts, in milliseconds; the last one repeats. */
const pauses = [100, 250, 500, 1000, 2000, 5000];

export type StudioLink = RPCLink<Record<never, never>>;

/**
 * The open link, or the next one. It never resolves while the host refuses this page: `connectionStore` reports that once,
 * instead of each call.
 */
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
      });
      connectionStore.setState({ status: 'open' });
      return new RPCLink({ port });
    } catch (failure) {
      const refused = failure instanceof PageRefused;
      connectionStore.setState({ status: refused ? 'refused' : 'lost' });
      if (refused) forgetPageToken();
      await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(attempt, pauses.length - 1)]));
    }
  }
}

async function openPort(): Promise<TextPort> {
  const bridge = bridgeOfWindow();
  if (bridge) return openElectronPort(bridge);
  const token = await pageToken();
  if (token === null) throw new PageRefused('This tab has no page token.');
  return openHttpTextPort(pageExchange(token));
}
