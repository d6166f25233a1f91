import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { slowness } from '#main/testing/slowness.ts';
import { scrapeUrlTool } from '#main/tools/scrape-url.ts';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { abuseClass } from './testing/abuse-class.ts';

/*
 * Pages that cost a parser far more than their length. `scrape_url` reads them within its `timeout` or refuses them, in bounded memory, and the process
 * that asked serves others meanwhile.
 */

const form = abuseClass('hostile pages');

/** Just below the size that is read. */
const SIZE = 2_900_000;
const fill = (text: string) => text.repeat(Math.floor(SIZE / text.length));
/** Seconds beyond the tool's own timeout, for the start of a thread on a machine that does other things too. */
const TIMEOUT = 5;
const PATIENCE = 15 * slowness;

async function scrape(html: string, signal?: AbortSignal): Promise<JsonObject> {
  await using server = await TestServer.start((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await using workspace = await TestWorkspace.make();
  await workspace.write('pravah.json', '{"http":{"allow_private":["127.0.0.1"]}}');
  const context = await workspace.context();
  const input = { url: server.url(), allow_private: true, timeout: TIMEOUT };
  return (await scrapeUrlTool.call(input, signal ? { ...context, signal } : context)) as JsonObject;
}

/** Reads a page, and looks at how long and how much memory that takes, and whether this thread is free meanwhile. */
async function readsInBounds(html: string): Promise<JsonObject> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const busy = performance.eventLoopUtilization();
  const result = await scrape(html);
  expect(performance.now() - started).toBeLessThan((TIMEOUT + PATIENCE) * 1000);
  expect(performance.eventLoopUtilization(busy).active).toBeLessThan(TIMEOUT * 1000 * slowness);
  expect(process.memoryUsage().rss - before).toBeLessThan(700 * 1024 * 1024);
  return result;
}

const refusal = (reason: RegExp) => ({ status: 0, error: expect.stringMatching(reason) });

const fonts = Array.from({ length: 200 }, (_, index) => `<font color=${index}>`).join('');

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['nested <b>', fill('<b>'), /more than 200000 tags/],
  ['nested lists', fill('<ul><li>'), /more than 200000 tags/],
  ['nested <div>', fill('<div>'), /more than 200000 tags/],
  ['nested tables', fill('<table><tr><td>'), /more than 200000 tags|nested too deep/],
  ['nested <svg>', fill('<svg>'), /more than 200000 tags/],
  ['nested <template>', fill('<template>'), /more than 200000 tags/],
  ['<div> nested a thousand deep', '<div>'.repeat(1000), /nested too deep/],
  ['<template> nested a thousand deep', '<template>'.repeat(1000), /nested too deep/],
  ['formatting that the parser repeats in each paragraph', `<p>${fonts}${'<p>x</p>'.repeat(10_000)}`, /more than 100000 elements/],
  ['300,000 attributes of one tag', `<p ${Array.from({ length: 300_000 }, (_, index) => `a${index}=1`).join(' ')}>`, /1000 attributes/],
  ['attributes without values', `<p ${fill('a ')}>`, /1000 attributes/],
];
for (const [title, html, reason] of refused) form(title, async () => expect(await readsInBounds(html)).toEqual(refusal(reason)));

const bounded: readonly (readonly [string, string])[] = [
  ['"<" repeated', fill('<')],
  ['"&" repeated', fill('&')],
  ['comments that do not end', fill('<!--')],
  ['text in tables, which the parser moves', `<table>${'<b></b>x'.repeat(40_000)}`],
  ['misnested formatting', `${'<a><div>'.repeat(190)}${'</a>'.repeat(50_000)}`],
  ['branches at the greatest depth', `${'<div>'.repeat(390)}x, y${'</div>'.repeat(390)}`.repeat(100)],
  ['40,000 links', '<a href=x>y</a>'.repeat(39_000)],
  ['an attribute of three megabytes', `<p class="${fill('a ')}">x</p>`],
];
for (const [title, html] of bounded) form(title, async () => expect(await readsInBounds(html)).toHaveProperty('status'));

form('a run that is cancelled while a page is read', async () => {
  const stop = new AbortController();
  const started = performance.now();
  const reading = scrape(`${'<div>'.repeat(390)}x, y${'</div>'.repeat(390)}`.repeat(100), stop.signal);
  setTimeout(() => stop.abort(), 1500);
  await expect(reading).rejects.toMatchObject({ variant: 'Cancelled' });
  expect(performance.now() - started).toBeLessThan(PATIENCE * 1000);
});

test('a large ordinary page is read whole: many paragraphs, list items without end tags, long scripts', async () => {
  const paragraph = '<p>Words that people read, with commas, and more of them.';
  const script = `<script>${'if (a <b c d e && f) g(1) '.repeat(20_000)}</script>`;
  const page = await scrape(`<title>T</title>${script}<article>${paragraph.repeat(3000)}<ul>${'<li>one '.repeat(2000)}</ul></article>`);
  expect(page).toMatchObject({ status: 200, title: 'T', next_offset: 50_000 });
});
