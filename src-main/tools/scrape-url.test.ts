import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { scrapeUrlTool } from './scrape-url.ts';

const paragraph = 'A sentence that goes on for a while, so that it counts as something that people read. '.repeat(4);
const article = `<!doctype html><html><head><title>The title — a site</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<article><h1>The title</h1><p class="byline">By Ada</p><p>${paragraph}</p><h2>More</h2><p>${paragraph} See <a href="../other?x=1">the other</a>.</p>
<ul><li>one</li><li>two</li></ul><script>steal()</script><p>${paragraph}</p></article>
<footer>Imprint and cookies</footer></body></html>`;

let workspace: TestWorkspace;
let server: TestServer;
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  server = await TestServer.start(({ url }, response) => {
    const type = (contentType: string) => response.setHeader('content-type', contentType);
    if (url === '/to') return void response.writeHead(302, { location: '/a/page' }).end();
    if (url === '/away') return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    if (url === '/plain') return void type('text/plain').end('x'.repeat(120_000));
    if (url === '/image') return void type('image/png').end('png');
    if (url === '/deep') return void type('text/html').end(`<html><body>${'<div>'.repeat(5_000)}x</body></html>`);
    if (url === '/large') return void type('text/html').end(`<p>${'x'.repeat(4 * 1024 * 1024)}</p>`);
    if (url === '/short') return void type('text/html').end('<p>Only <b>this</b>.</p><script>x</script>');
    type('text/html; charset=utf-8').end(article);
  });
  await workspace.write('pravah.json', '{"http":{"allow_private":["127.0.0.1"]}}');
});
afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const scrape = (path: string, more = {}) => workspace.call(scrapeUrlTool, { url: server.url(path), allow_private: true, ...more });

test('a page gives its title and what a reader reads, with headings, lists and links, and where it was', async () => {
  const page = (await scrape('/to')) as { text: string };
  expect(page).toMatchObject({ status: 200, url: server.url('/a/page'), title: expect.stringContaining('The title') });
  expect(page.text).toContain(paragraph.trim());
  expect(page.text).toContain(`[the other](${server.url('/other?x=1')})`);
  expect(page.text).toMatch(/\n## More\n\n.*\n\n- one\n\n?- two\n/s);
  expect(page.text).not.toMatch(/steal|Imprint|Shop/);
});

test('a page without an article returns all its text, and plain text is returned in parts', async () => {
  expect(await scrape('/short')).toMatchObject({ text: 'Only this.' });
  expect(await scrape('/plain')).toMatchObject({ text: 'x'.repeat(50_000), next_offset: 50_000 });
  const last = await scrape('/plain', { offset: 100_000 });
  expect(last).toMatchObject({ text: 'x'.repeat(20_000) });
  expect(last).not.toHaveProperty('next_offset');
});

test('scrape_url reports unreadable content and refuses forbidden hosts', async () => {
  expect(await scrape('/image')).toEqual({ status: 0, error: 'the response is image/png, not text' });
  expect(await scrape('/deep')).toMatchObject({ status: 0, error: expect.stringContaining('nested too deep') });
  expect(await scrape('/large')).toMatchObject({ status: 0, error: expect.stringContaining('larger than 3 MiB') });
  expect((await refusal(scrape('/away'))).variant).toBe('Denied');
  expect((await refusal(scrape('/', { allow_private: false }))).variant).toBe('Denied');
});
