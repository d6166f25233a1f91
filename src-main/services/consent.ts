import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { confirm } from '#main/workspace/capabilities/consent.ts';
import { studio } from './implementer.ts';
import { permissionsGiven, revokePermission } from './permissions.ts';

/** Capabilities of the open folder's flows and the user's consent to them. */
export function consentRouter(current: CurrentFolder) {
  const given = async () => {
    const open = (await current.describe().catch(() => null))?.folder;
    return (await permissionsGiven()).sort((one, other) => Number(other.folder === open) - Number(one.folder === open));
  };
  return {
    given: studio.consent.given.handler(given),
    withdraw: studio.consent.withdraw.handler(async ({ input }) => {
      await revokePermission(input.folder, input.permission);
      await current.onPermissionsRevoked(input.folder);
      return given();
    }),
    ofFlow: studio.consent.ofFlow.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('reachOfFlow', { ...input, trusted: await session.trusted() });
    }),
    ofRun: studio.consent.ofRun.handler(async ({ input }) => {
      const session = await current.required();
      return session.background.call('reachOfRun', { ...input, trusted: await session.trusted() });
    }),
    confirm: studio.consent.confirm.handler(async ({ input }) => {
      const session = await current.required();
      await confirm(session.folder, input.flow_path, input.keys);
      return {};
    }),
  };
}
