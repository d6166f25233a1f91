import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const folder = '/swagger-ui/';
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Starts Swagger UI; a script of its own, since the page may run no others. */
const initializer = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Pravah API</title>
    <link rel="stylesheet" href="${folder}swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${folder}swagger-ui-bundle.js"></script>
    <script src="${folder}initializer.js"></script>
  </body>
</html>
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that shows the API; null for another path. Nothing of it comes from elsewhere. */
export async function swaggerFile(path: string): Promise<PageFile | null> {
  const headers = (type: string) => ({ 'content-type': type, 'content-security-policy': policy, 'cache-control': 'no-cache' });
  if (path === folder.slice(0, -1)) return { status: 308, headers: { location: folder }, body: '' };
  if (!path.startsWith(folder)) return null;
  const name = path.slice(folder.length);
  if (name === '') return { status: 200, headers: headers('text/html; charset=utf-8'), body: page };
  if (name === 'initializer.js') return { status: 200, headers: headers('text/javascript; charset=utf-8'), body: initializer };
  const type = files[name];
  return type === undefined ? null : { status: 200, headers: headers(type), body: await readFile(fileOf(name)) };
}

/** Copied beside the program by the build; in a checkout, in its package. */
function fileOf(name: string): string {
  const candidates = [`./swagger-ui/${name}`, `../swagger-ui/${name}`, `../../../node_modules/swagger-ui-dist/${name}`].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((path) => existsSync(path)) ?? name;
}
