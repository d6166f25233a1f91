import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { loadPageFiles, pageFolder } from '#main/hosts/page-files.ts';
import { type LinkFile, writeLinkFile } from '#main/hosts/web/link-file.ts';
import { openInBrowser } from '#main/hosts/web/open-in-browser.ts';
import { oneTimeTokenLife } from '#main/hosts/web/page-access.ts';
import { startWebHost } from '#main/hosts/web/web-host.ts';
import { createServices } from '#main/services/services.ts';

const usage = `Serves Pravah Studio to a browser on this machine.

  --folder DIR    open this folder (default: the one that was open last)
  --port N        listen on this port (default: a free one)
  --no-open       do not start a browser
  --json          print one line {"url": …, "port": …, "file_url": …} for programs (again for each line
                  they send); file_url leads a browser there and holds no secret itself
  --notice TEXT   why there is no desktop window, shown in the studio`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      notice: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port takes a number from 0 to 65535, not “${values.port}”.`);
  const files = await loadPageFiles(pageFolder());
  const services = createServices({ host: 'web', notice: values.notice ?? null }, { folder: values.folder });
  const host = await startWebHost({ router: services.router, files, port });
  const links = new Set<LinkFile>();
  // Nothing that leads to the studio is left behind, however it ends.
  process.on('exit', () => {
    for (const link of links) link.remove();
  });
  /** Address of a file that leads a browser to the studio; null where the profile cannot be written. */
  const newFileUrl = async (): Promise<string | null> => {
    let link: LinkFile | null = null;
    const address = host.newLink(() => {
      if (link) links.delete(link);
      link?.remove();
    });
    link = await writeLinkFile(address, oneTimeTokenLife).catch(() => null);
    if (link) links.add(link);
    return link?.url ?? null;
  };
  const announce = async (): Promise<void> => {
    const url = host.newUrl();
    console.log(
      values.json
        ? JSON.stringify({ url, port: host.port, file_url: await newFileUrl() })
        : `Pravah Studio: ${url}  (works once, within a minute; Enter makes a new link)`,
    );
  };
  await announce();
  if (!values['no-open'] && !values.json) {
    const url = await newFileUrl();
    if (url) openInBrowser(url);
  }
  if (values.json || process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', () => void announce());
  const end = async () => {
    await host.close();
    await services.close();
    process.exit(0);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
});
