import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { permissionsGiven, revokePermission } from '#main/services/permissions.ts';
import type { FolderPermissions, Permission } from '#shared/contract/consent.ts';

/** `pravah permissions list`: prints the permissions of all folders or one folder. */
export async function list({ folder, json }: { readonly folder?: string; readonly json?: boolean }): Promise<number> {
  const only = folder === undefined ? null : await pathOf(folder);
  const given = (await permissionsGiven()).filter((permissions) => only === null || permissions.folder === only);
  for (const permissions of given) {
    if (json) printLine(JSON.stringify(permissions));
    else print(permissions);
  }
  if (!json && given.length === 0) printNote('No permissions.');
  return exitCodes.success;
}

export interface WithdrawOptions {
  readonly folder?: string;
  readonly trust?: boolean;
  readonly flow: readonly string[];
  readonly server: readonly string[];
  readonly all?: boolean;
}

/** `pravah permissions withdraw --folder DIR …`: revokes permissions of a folder, even if it no longer exists. */
export async function revoke({ folder, trust, flow, server, all }: WithdrawOptions): Promise<number> {
  const wanted: Permission[] = [
    ...(trust ? [{ type: 'trust' } as const] : []),
    ...flow.map((flow_path) => ({ type: 'flow', flow_path }) as const),
    ...server.map((name) => ({ type: 'server', name }) as const),
    ...(all ? [{ type: 'all' } as const] : []),
  ];
  if (folder === undefined || wanted.length === 0)
    throw new UsageError('permissions withdraw needs --folder DIR and one of --trust, --flow PATH, --server NAME or --all.');
  const path = await pathOf(folder);
  const given = (await permissionsGiven()).find((permissions) => permissions.folder === path);
  const missing = wanted.filter((permission) => !given || !allows(given, permission));
  for (const permission of wanted) await revokePermission(path, permission);
  for (const permission of missing) printNote(`Nothing to revoke in ${path}: ${labelOf(permission)}.`);
  return missing.length === 0 ? exitCodes.success : exitCodes.error;
}

/** Returns the real path, or the absolute path if the folder no longer exists. */
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

function labelOf(permission: Permission): string {
  switch (permission.type) {
    case 'trust':
      return 'the folder is not trusted';
    case 'flow':
      return `no consent to the flow ${permission.flow_path}`;
    case 'server':
      return `no approved tools of the MCP server ${permission.name}`;
    case 'all':
      return 'no permissions';
  }
}

function print({ folder, exists, trusted, flows, servers }: FolderPermissions): void {
  printLine(`${styled('bold', folder)}${exists ? '' : '  (folder not found)'}`);
  if (trusted) printLine('  trusted');
  for (const { flow_path, keys } of flows) {
    printLine(`  flow ${flow_path}`);
    for (const key of keys) printLine(`      ${key}`);
  }
  for (const { name, tools } of servers) printLine(`  MCP server ${name}: ${tools.join(', ')}`);
}
