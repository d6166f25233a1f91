import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BuiltFlow } from '#shared/flow/build-flow.ts';

/** How a document is loaded. */
export interface DocumentOptions {
  /** The workspace with the files that the document names. Default: the folder of the file. */
  readonly folder?: string;
  /** Whether the folder's own code may run (`module` bodies, its own tools). Default: no. */
  readonly trusted?: boolean;
}

/** Builds a flow from its file (`*.flow.yaml`, `*.flow.json`). All faults are reported as problems; a flow with an error has no graph. */
export async function loadDocument(file: string, options: DocumentOptions = {}): Promise<BuiltFlow> {
  const [{ loadFlow }, { loadSettings }] = await Promise.all([
    import('#main/workspace/open-flow.ts'),
    import('#main/workspace/settings.ts'),
  ]);
  const folder = realpathSync(options.folder ?? dirname(resolve(file)));
  const { graph, problems, terminals, node_count } = await loadFlow(resolve(file), {
    folder,
    trusted: options.trusted ?? false,
    settings: await loadSettings(folder),
  });
  return { graph, problems, terminals, node_count };
}
