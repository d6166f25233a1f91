import type { Refusal } from './request-guard.ts';

const titles: Readonly<Record<Refusal['status'], string>> = {
  400: 'Invalid request',
  401: 'A new link is needed',
  403: 'Request refused',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Request too large',
};

/** The refusal of a request without a valid token. */
export const freshLinkNeeded: Refusal = {
  status: 401,
  message:
    'This link has expired: each link works once, for one minute. Press Enter in the terminal where Pravah Studio runs to get a new one, or restart it with “npm start”.',
};

/** Renders a page that explains why a request was refused. Messages are our own text, without markup. */
export function refusalPage({ status, message }: Refusal): string {
  const title = titles[status];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Pravah Studio</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
</style>
</head>
<body><main><h1>${title}</h1><p>${message}</p></main></body>
</html>
`;
}
