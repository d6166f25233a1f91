/** A page that redirects to one of our own addresses. */
export function redirectPage(address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Pravah Studio</title>
<style>:root { color-scheme: light dark; }</style>
</head>
<body><p><a href="${address}">Open Pravah Studio</a></p></body>
</html>
`;
}
