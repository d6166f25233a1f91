import type { AttachedServers } from '#main/services/servers/attached-servers.ts';
import { studio } from './implementer.ts';

/** The servers whose runs the studio shows. No response contains a token. */
export function serversRouter(servers: AttachedServers) {
  return {
    list: studio.servers.list.handler(() => servers.status()),
    add: studio.servers.add.handler(({ input }) => servers.add(input)),
    remove: studio.servers.remove.handler(async ({ input }) => {
      await servers.remove(input.name);
      return {};
    }),
  };
}
