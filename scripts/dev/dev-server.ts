import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveConfig } from 'electron-vite';
import { createServer, type Plugin, type ProxyOptions } from 'vite';
import { ROOT } from '#scripts/checks/source-files.ts';
import { runProgram } from '#scripts/test/run-program.ts';
import { httpPort } from '#shared/contract/http-port.ts';
import { DevHost } from './dev-host.ts';

/** How long file changes are collected before the host restarts, in milliseconds. */
const settleTime = 300;

const { values, positionals } = parseArgs({ options: { port: { type: 'string', default: '0' } }, allowPositionals: true });
const [folder] = positionals;

// The host refuses to start without a built page, although this server shows another one.
if (!existsSync(join(ROOT, 'out', 'renderer', 'files.json'))) {
  await runProgram(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), 'renderer']);
}

const host = new DevHost(folder === undefined ? [] : ['--folder', folder]);
await host.restart();

/** Gives each page its token, as the web host does with the built page. */
const pageToken: Plugin = {
  name: 'page-token',
  transformIndexHtml: async () => [
    { tag: 'meta', attrs: { name: httpPort.tokenMeta, content: await host.newPageToken() }, injectTo: 'head-prepend' },
  ],
};

/** Forwards the page's calls to the host as if they came from the host's own page. */
const toHost: ProxyOptions = {
  target: host.origin,
  changeOrigin: true,
  configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', host.origin)),
};

const { config } = await resolveConfig({ root: ROOT }, 'serve');
const server = await createServer({
  ...config?.renderer,
  configFile: false,
  plugins: [...(config?.renderer?.plugins ?? []), pageToken],
  server: {
    host: '127.0.0.1',
    port: Number(values.port),
    proxy: { [`^${httpPort.openPath}(/|$)`]: toHost, [`^${httpPort.tokenPath}$`]: toHost },
  },
});
await server.listen();
server.printUrls();

let timer: NodeJS.Timeout | undefined;
for (const layer of ['src-main', 'src-shared']) {
  watch(join(ROOT, layer), { recursive: true }, (_event, name) => {
    if (!name || name.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(restart, settleTime);
  });
}

async function restart(): Promise<void> {
  try {
    await host.restart();
    server.ws.send({ type: 'full-reload' });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

async function end(): Promise<void> {
  await server.close();
  await host.close();
  process.exit(0);
}
process.once('SIGINT', end);
process.once('SIGTERM', end);
