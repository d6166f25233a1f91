import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { loadPageFiles, pageFolder } from '#main/hosts/page-files.ts';
import { createServices } from '#main/services/services.ts';
import { type LinkFile, writeLinkFile } from './link-file.ts';
import { openInBrowser } from './open-in-browser.ts';
import { oneTimeTokenLife } from './page-access.ts';
import { startWebHost } from './web-host.ts';

const usage = `Serves Pravah Studio to a browser on this machine.

  --folder DIR    open this folder (default: the last one)
  --port N        listen on this port (default: a free port)
  --no-open       do not start a browser
  --json          print {"url": …, "port": …, "file_url": …} on one line, and again for each
                  line of input; file_url redirects a browser to url and contains no secret
  --notice TEXT   show this notice in the studio`;

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
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`Invalid --port “${values.port}”: use a number from 0 to 65535.`);
  const files = await loadPageFiles(pageFolder());
  const services = createServices({ host: 'web', notice: values.notice ?? null }, { folder: values.folder });
  const host = await startWebHost({ router: services.router, files, port });
  const links = new Set<LinkFile>();
  // Remove the link file however the process ends.
  process.on('exit', () => {
    for (const link of links) link.remove();
  });
  /** URL of a file that redirects a browser to the studio; null if the profile is not writable. */
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
        : `Pravah Studio: ${url}  (works once, for one minute; press Enter for a new link)`,
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
