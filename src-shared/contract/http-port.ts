/** How a page of the web host talks to it: one long answer carries messages down, short requests carry them up. */
export const httpPort = {
  /** POST opens a port. The response streams until either side ends it: lines of JSON, first `{"port": ID}`, then one string a message. */
  openPath: '/port',
  /** POST of a JSON list of messages to the port named after this. */
  sendPrefix: '/port/',
  /** POST answers `{"page_token": …}`, a further token for another tab of the same browser. */
  tokenPath: '/page-token',
  /** Header of every request: the page's own token. A cookie would not do, since cookies reach other ports of this host. */
  tokenHeader: 'x-pravah-page-token',
  /** Name of the meta element in which the first page finds its token. */
  tokenMeta: 'pravah-page-token',
} as const;
