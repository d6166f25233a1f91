import { httpPort } from '#shared/contract/http-port.ts';
import { postWithToken } from './page-fetch.ts';

/** Where a tab stores its token: visible only to this tab, at this address and port. */
const storageKey = 'pravah-page-token';
/** Other tabs of this address (its port included) vouch for a new one here. */
const channelName = 'pravah-page-token';
/** How long a tab waits for another to vouch for it, in milliseconds. */
const patience = 1500;

type Message =
  | { readonly type: 'wanted'; readonly tab: string }
  | { readonly type: 'offered'; readonly tab: string; readonly token: string };

/** This tab's token: from the page itself, from before a reload, or from another tab, or null. */
export async function pageToken(): Promise<string | null> {
  const token = takeTokenOfPage() ?? sessionStorage.getItem(storageKey) ?? (await askOtherTabs());
  if (token !== null) {
    sessionStorage.setItem(storageKey, token);
    vouchForOtherTabs(token);
  }
  return token;
}

/** Deletes a token that the host does not know. Another tab, opened with the host's new link, may vouch for this one. */
export function forgetPageToken(): void {
  sessionStorage.removeItem(storageKey);
  vouching?.close();
}

function takeTokenOfPage(): string | null {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${httpPort.tokenMeta}"]`);
  meta?.remove();
  if (!meta?.content) return null;
  // The token in the address has been used; keep it out of copies and bookmarks.
  history.replaceState(null, '', location.pathname + location.hash);
  return meta.content;
}

function askOtherTabs(): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const tab = crypto.randomUUID();
    const answer = (token: string | null) => {
      channel.close();
      clearTimeout(timer);
      resolve(token);
    };
    const timer = setTimeout(() => answer(null), patience);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.type === 'offered' && data.tab === tab) answer(data.token);
    });
    channel.postMessage({ type: 'wanted', tab } satisfies Message);
  });
}

let vouching: BroadcastChannel | undefined;

function vouchForOtherTabs(token: string): void {
  vouching?.close();
  const channel = new BroadcastChannel(channelName);
  vouching = channel;
  channel.addEventListener('message', async ({ data }: MessageEvent<Message>) => {
    if (data.type !== 'wanted') return;
    const response = await postWithToken(httpPort.tokenPath, token).catch(() => null);
    if (!response) return;
    const { page_token } = (await response.json()) as { page_token: string };
    channel.postMessage({ type: 'offered', tab: data.tab, token: page_token } satisfies Message);
  });
}
