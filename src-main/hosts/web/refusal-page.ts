import type { Refusal } from '#main/hosts/web/request-guard.ts';

const titles: Readonly<Record<Refusal['status'], string>> = {
  400: 'That request could not be read',
  401: 'This page needs a fresh link',
  403: 'Not from here',
  404: 'There is nothing here',
  405: 'Not this way',
  413: 'Too much at once',
};

/** What stands on the page of somebody without a token. */
export const freshLinkNeeded: Refusal = {
  status: 401,
  message:
    'Pravah Studio opens by a link that works once, within a minute. Press Enter in the terminal where it runs to get a new one, or start it again with “npm start”.',
};

/** A page that says why a request was refused, and nothing else. Messages are our own text, without markup. */
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
