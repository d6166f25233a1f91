import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const marks = ['pyflow.yaml', 'pyproject.toml', 'agents'];

/**
 * The project of a flow: the nearest folder above it, inside the workspace, that has `pyflow.yaml`, `pyproject.toml` or a folder `agents`; else
 * the flow's own folder. `folder` is the workspace's real path, `flow` relative to it.
 */
export function findProject(folder: string, flow: string | undefined): string {
  const own = dirname(join(folder, flow ?? 'flow'));
  if (own !== folder && !own.startsWith(folder + sep)) return folder;
  for (let place = own; ; place = dirname(place)) {
    if (marks.some((mark) => existsSync(join(place, mark)))) return place;
    if (place === folder) return own;
  }
}
