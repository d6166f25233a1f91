import type { AttachedServers } from '#main/services/servers/attached-servers.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** The servers whose runs the studio shows. No response contains a token. */
export function serversRouter(servers: AttachedServers, current: CurrentFolder) {
  return {
    list: studio.servers.list.handler(() => servers.status()),
    add: studio.servers.add.handler(({ input }) => servers.add(input)),
    remove: studio.servers.remove.handler(async ({ input }) => {
      await servers.remove(input.name);
      return {};
    }),
    deploy: studio.servers.deploy.handler(async ({ input: { server, ...flow } }) => {
      const session = await current.required();
      const { deployFlow } = await import('#main/services/servers/deploy-flow.ts');
      return deployFlow(await servers.requests(server), flow, { folder: session.folder, trusted: await session.trusted() });
    }),
  };
}
