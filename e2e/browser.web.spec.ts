import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { repository, stop } from './fixtures/studio-process.ts';
import { startWebStudio } from './fixtures/web-studio.ts';

/** Another server on this machine, with a page that tries things. */
async function foreignServer(): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><p>another site</p>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

const originOf = (studio: StudioUnderTest): string => new URL(studio.running.page.url()).origin;

test('the page keeps its connection over a reload, and its address holds no token', async ({ studio }) => {
  const page = await studio.start();
  expect(page.url()).toBe(`${originOf(studio)}/`);
  await page.reload();
  await expect.poll(async () => Number(await page.locator('[data-beats]').getAttribute('data-beats'))).toBeGreaterThan(1);
});

test('a file that only the user can read opens the studio once, and the page reloads as any other', async ({ studio, webBrowser }) => {
  await studio.start();
  const { newFileUrl } = studio.running;
  if (!webBrowser || !newFileUrl) throw new Error('the web host is tested in a browser');
  const fileUrl = await newFileUrl();
  const context = await webBrowser.newContext();
  const page = await context.newPage();
  const beats = async () => Number(await page.locator('[data-beats]').getAttribute('data-beats'));
  await page.goto(fileUrl);
  await expect.poll(beats).toBeGreaterThan(1);
  expect(page.url()).toBe(`${originOf(studio)}/`);
  expect(existsSync(fileURLToPath(fileUrl))).toBe(false);
  await page.reload();
  await expect.poll(beats).toBeGreaterThan(1);
  await context.close();
  const unused = fileURLToPath(await newFileUrl());
  expect(existsSync(unused)).toBe(true);
  await studio.close();
  expect(existsSync(unused)).toBe(false);
});

test('the program that opens the browser is started without a token in its arguments', async ({ studio }) => {
  test.skip(process.platform !== 'linux', 'the program is xdg-open here');
  const opened = join(studio.home, 'opened');
  await writeFile(join(studio.home, 'xdg-open'), `#!/bin/sh\necho "$@" > ${opened}.part && mv ${opened}.part ${opened}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${studio.home}:${process.env.PATH}`, PRAVAH_HOME: studio.home, WSL_DISTRO_NAME: '' };
  const host = spawn(process.execPath, [`${repository}/out/web/main.js`, '--folder', studio.folder], { env, stdio: 'ignore' });
  try {
    await expect.poll(() => existsSync(opened)).toBe(true);
    const words = (await readFile(opened, 'utf8')).trim();
    expect(words).toMatch(/^file:\/\/\S+\.html$/);
    expect(await readFile(fileURLToPath(words), 'utf8')).toContain('http://127.0.0.1:');
  } finally {
    await stop(host, 'SIGTERM');
  }
});

test('many tabs of one browser work side by side', async ({ studio }) => {
  const page = await studio.start();
  for (let count = 0; count < 4; count += 1) {
    const tab = await page.context().newPage();
    await tab.goto(originOf(studio));
    await expect
      .poll(async () => Number(await tab.locator('[data-beats]').getAttribute('data-beats')), { message: `tab ${count + 2}` })
      .toBeGreaterThan(1);
  }
  await expect(page.getByRole('alert').filter({ hasText: 'Connection lost' })).toHaveCount(0);
});

test('a tab that no other tab vouches for says what to do', async ({ studio }) => {
  const page = await studio.start();
  const origin = originOf(studio);
  const tab = await page.context().newPage();
  await page.close();
  await tab.goto(origin);
  await expect(tab.getByRole('alert').filter({ hasText: 'Open its new link from the terminal' })).toBeVisible();
});

test('another browser without the cookie sees a 401 page and nothing else', async ({ studio, webBrowser }) => {
  await studio.start();
  if (!webBrowser) throw new Error('the web host is tested in a browser');
  const stranger = await webBrowser.newContext();
  const page = await stranger.newPage();
  const answer = await page.goto(originOf(studio));
  expect(answer?.status()).toBe(401);
  await expect(page.getByRole('heading')).toHaveText('A new link is needed');
  await stranger.close();
});

test('a page of another port, to which the cookie goes too, can do nothing with the studio', async ({ studio }) => {
  const page = await studio.start();
  const origin = originOf(studio);
  const foreign = await foreignServer();
  const stranger = await page.context().newPage();
  await stranger.goto(foreign.address);
  const outcomes = await stranger.evaluate(async (studioOrigin) => {
    const outcome = (asking: Promise<Response>) =>
      asking.then(
        ({ status, type }) => `${type} ${status}`,
        () => 'refused',
      );
    const call = { method: 'POST', credentials: 'include' } as const;
    return {
      call: await outcome(fetch(`${studioOrigin}/port`, call)),
      blind: await outcome(fetch(`${studioOrigin}/port`, { ...call, mode: 'no-cors' })),
      withHeader: await outcome(fetch(`${studioOrigin}/port`, { ...call, headers: { 'x-pravah-page-token': 'guess' } })),
      page: await outcome(fetch(studioOrigin, { credentials: 'include' })),
    };
  }, origin);
  // `opaque 0`: a blind request was sent; it was answered with a refusal that the page cannot read, as the host's own tests show.
  expect(outcomes).toEqual({ call: 'refused', blind: 'refused', withHeader: 'refused', page: 'refused' });
  const framed = await stranger.evaluate(async (studioOrigin) => {
    const frame = Object.assign(document.createElement('iframe'), { src: studioOrigin });
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    return frame.contentDocument === null;
  }, origin);
  expect(framed).toBe(true);
  expect(stranger.frames().some((frame) => frame.url() === `${origin}/`)).toBe(false);
  await stranger.evaluate((studioOrigin) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: `${studioOrigin}/port` });
    document.body.append(form);
    form.submit();
  }, origin);
  await expect(stranger.getByRole('heading')).toHaveText('Request refused');
  foreign.close();
});

test('the page says when the studio has gone or was restarted, and continues once the new link is open', async ({ studio }) => {
  const page = await studio.start();
  const port = Number(new URL(page.url()).port);
  const alert = page.getByRole('alert');
  await studio.running.kill();
  await expect(alert.filter({ hasText: 'Connection lost' })).toBeVisible();
  const tab = await page.context().newPage();
  const restarted = await startWebStudio(tab, { folder: studio.folder, home: studio.home, port, env: {} }, { open: false });
  try {
    await expect(alert.filter({ hasText: 'Open its new link from the terminal' })).toBeVisible();
    await tab.goto((await restarted.newUrl?.()) ?? '');
    await expect(alert.filter({ hasText: /link|Connection/ })).toHaveCount(0);
    await expect.poll(async () => Number(await tab.locator('[data-beats]').getAttribute('data-beats'))).toBeGreaterThan(1);
  } finally {
    await restarted.close();
  }
});
