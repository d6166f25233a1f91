import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exitCodes, UsageError } from '#main/hosts/cli/exit-codes.ts';
import { printLine, printNote, styled } from '#main/hosts/cli/terminal.ts';
import { permissionsGiven, withdrawPermission } from '#main/services/permissions.ts';
import type { FolderPermissions, Permission } from '#shared/contract/consent.ts';

/** `pravah permissions list`: what was allowed, in all folders or in one. */
export async function list({ folder, json }: { readonly folder?: string; readonly json?: boolean }): Promise<number> {
  const only = folder === undefined ? null : await pathOf(folder);
  const given = (await permissionsGiven()).filter((permissions) => only === null || permissions.folder === only);
  for (const permissions of given) {
    if (json) printLine(JSON.stringify(permissions));
    else print(permissions);
  }
  if (!json && given.length === 0) printNote('Nothing is allowed.');
  return exitCodes.success;
}

export interface WithdrawOptions {
  readonly folder?: string;
  readonly trust?: boolean;
  readonly flow: readonly string[];
  readonly server: readonly string[];
  readonly all?: boolean;
}

/** `pravah permissions withdraw --folder DIR …`: takes back what was allowed in a folder, one that has gone included. */
export async function withdraw({ folder, trust, flow, server, all }: WithdrawOptions): Promise<number> {
  const wanted: Permission[] = [
    ...(trust ? [{ type: 'trust' } as const] : []),
    ...flow.map((flow_path) => ({ type: 'flow', flow_path }) as const),
    ...server.map((name) => ({ type: 'server', name }) as const),
    ...(all ? [{ type: 'all' } as const] : []),
  ];
  if (folder === undefined || wanted.length === 0)
    throw new UsageError('permissions withdraw needs --folder DIR, and --trust, --flow PATH, --server NAME or --all.');
  const path = await pathOf(folder);
  const given = (await permissionsGiven()).find((permissions) => permissions.folder === path);
  const missing = wanted.filter((permission) => !given || !allows(given, permission));
  for (const permission of wanted) await withdrawPermission(path, permission);
  for (const permission of missing) printNote(`${wordsOf(permission)} was not allowed in ${path}.`);
  return missing.length === 0 ? exitCodes.success : exitCodes.error;
}

/** Folders are known by real path; one that has gone, by the path that it had. */
function pathOf(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder));
}

function allows({ trusted, flows, servers }: FolderPermissions, permission: Permission): boolean {
  switch (permission.type) {
    case 'trust':
      return trusted;
    case 'flow':
      return flows.some(({ flow_path }) => flow_path === permission.flow_path);
    case 'server':
      return servers.some(({ name }) => name === permission.name);
    case 'all':
      return true;
  }
}

function wordsOf(permission: Permission): string {
  switch (permission.type) {
    case 'trust':
      return 'Its own code';
    case 'flow':
      return `The flow ${permission.flow_path}`;
    case 'server':
      return `The MCP server ${permission.name}`;
    case 'all':
      return 'Anything';
  }
}

function print({ folder, exists, trusted, flows, servers }: FolderPermissions): void {
  printLine(`${styled('bold', folder)}${exists ? '' : '  no longer there'}`);
  if (trusted) printLine('  trusted');
  for (const { flow_path, keys } of flows) {
    printLine(`  flow ${flow_path}`);
    for (const key of keys) printLine(`      ${key}`);
  }
  for (const { name, tools } of servers) printLine(`  MCP server ${name}: ${tools.join(', ')}`);
}
