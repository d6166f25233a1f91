import type { ServedFlow, ServedFlowDetail } from '#shared/contract/server/flows.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import type { ServedFolders } from './served-folders.ts';

/** The flows of a server. */
export class FlowService {
  readonly #folders: ServedFolders;

  constructor(folders: ServedFolders) {
    this.#folders = folders;
  }

  /** Sorted by name. */
  async list(limit: number, pageToken: string | undefined): Promise<{ data: ServedFlow[]; next_page_token: string | null }> {
    const after = readPageToken('flows', pageToken);
    const listed = await Promise.all(
      this.#folders.all.map(async ({ session, prefix }) =>
        (await session.background.call('flows')).map(({ path, name }) => ({ name: prefix + path, title: name })),
      ),
    );
    const rest = listed
      .flat()
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .filter(({ name }) => after === null || name > String(after));
    const data = rest.slice(0, limit);
    return { data, next_page_token: rest.length > limit ? writePageToken('flows', data.at(-1)?.name ?? '') : null };
  }

  /** Throws `NotFound`. */
  async get(name: string): Promise<ServedFlowDetail> {
    const { folder, path } = this.#folders.ofFlow(name);
    const { flow } = await folder.session.background.call('servedFlow', { path, trusted: await folder.session.trusted() });
    return { ...flow, name };
  }
}
