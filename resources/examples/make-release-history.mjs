// Gives the release-notes example a git history of its own: a tagged release and eight commits after it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const released = `# Changelog

## Unreleased

## 1.4.0 (2026-10-02)

### Features

- Customers can be searched by their VAT number (#188)

### Fixes

- Amounts are rounded half to even (#191)
`;

/** @type {{ date: string, message: string, files: Record<string, string>, tag?: string }[]} */
const history = [
  {
    date: '2026-10-02T09:00:00Z',
    message: 'chore: release 1.4.0',
    files: {
      'CHANGELOG.md': released,
      'README.md': '# acme-api\n\nCustomers, invoices and webhooks over HTTP.\n',
      'src/server.js': "export const version = '1.4.0';\n",
    },
    tag: 'v1.4.0',
  },
  {
    date: '2026-10-12T10:12:00Z',
    message: 'feat: page through customers with a cursor (#204)',
    files: { 'src/customers.js': 'export const pageSize = 50;\n' },
  },
  {
    date: '2026-10-19T14:40:00Z',
    message: 'fix: answer 404 instead of 500 for an unknown customer (#207)',
    files: { 'src/errors.js': 'export const notFound = 404;\n' },
  },
  {
    date: '2026-10-23T08:05:00Z',
    message: 'feat: accept dates with a time zone (#208)',
    files: { 'src/dates.js': "export const zone = 'UTC';\n" },
  },
  { date: '2026-10-28T16:20:00Z', message: 'docs: explain the rate limits', files: { 'docs/limits.md': '600 requests a minute.\n' } },
  {
    date: '2026-11-04T11:31:00Z',
    message: 'fix: keep the order of line items (#210)',
    files: { 'src/items.js': 'export const sorted = false;\n' },
  },
  {
    date: '2026-11-10T09:48:00Z',
    message: 'feat: export invoices as CSV (#212)',
    files: { 'src/export.js': "export const separator = ',';\n" },
  },
  { date: '2026-11-13T13:02:00Z', message: 'chore: update the lock file', files: { 'lock.txt': '42\n' } },
  {
    date: '2026-11-18T15:55:00Z',
    message: 'fix: a webhook sent twice is counted once (#215)',
    files: { 'src/webhooks.js': 'export const seen = new Set();\n' },
  },
];

/**
 * Makes `folder` (which exists) a git repository with that history; the files that lie in it already belong to the first commit.
 * Throws when git is missing or fails.
 * @param {string} folder
 */
export function makeHistory(folder) {
  /** @param {string | undefined} date @param {readonly string[]} args */
  const git = (date, ...args) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', '-c', 'tag.gpgsign=false', ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Acme',
        GIT_AUTHOR_EMAIL: 'acme@example.com',
        GIT_COMMITTER_NAME: 'Acme',
        GIT_COMMITTER_EMAIL: 'acme@example.com',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
    });
  git(history[0]?.date, 'init', '--quiet', '--initial-branch=main');
  for (const { date, message, files, tag } of history) {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    git(date, 'add', '--all');
    git(date, 'commit', '--quiet', '--message', message);
    if (tag) git(date, 'tag', tag);
  }
}
