import { stat } from 'node:fs/promises';
import { allApprovals, revokeApproval } from '#main/mcp/approvals.ts';
import { agreements, revokeConsent } from '#main/workspace/capabilities/consent.ts';
import { setTrusted, trustedFolders } from '#main/workspace/trust.ts';
import type { FolderPermissions, Permission } from '#shared/contract/consent.ts';

/** The user's permissions in all folders, by path. */
export async function permissionsGiven(): Promise<FolderPermissions[]> {
  const [trusted, agreed, approved] = await Promise.all([trustedFolders(), agreements(), allApprovals()]);
  const folders = new Set([...trusted, ...agreed.map(({ folder }) => folder), ...approved.map(({ folder }) => folder)]);
  const inOrder = [...folders].sort((one, other) => one.localeCompare(other));
  return Promise.all(
    inOrder.map(async (folder) => ({
      folder,
      exists: await isFolder(folder),
      trusted: trusted.includes(folder),
      flows: agreed
        .filter((agreement) => agreement.folder === folder)
        .map(({ flow_path, keys }) => ({ flow_path, keys: [...keys] }))
        .sort((one, other) => one.flow_path.localeCompare(other.flow_path)),
      servers: approved
        .filter((approval) => approval.folder === folder)
        .map(({ server, tools }) => ({ name: server, tools: tools.toSorted() }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    })),
  );
}

/** Revokes one or all permissions of a folder. */
export async function revokePermission(folder: string, permission: Permission): Promise<void> {
  switch (permission.type) {
    case 'trust':
      return setTrusted(folder, false);
    case 'flow':
      return revokeConsent(folder, permission.flow_path);
    case 'server':
      return revokeApproval(folder, permission.name);
    case 'all': {
      const given = (await permissionsGiven()).find((permissions) => permissions.folder === folder);
      await setTrusted(folder, false);
      for (const { flow_path } of given?.flows ?? []) await revokeConsent(folder, flow_path);
      for (const { name } of given?.servers ?? []) await revokeApproval(folder, name);
    }
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
