import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder `resources`, seen from a source or a bundle. Throws when the installation lacks it. */
export function resourcesFolder(): string {
  const places = ['../../resources', '../../../resources'].map((path) => join(import.meta.dirname, path));
  const folder = places.find((place) => existsSync(join(place, 'examples')));
  if (folder === undefined) throw new Error('The studio’s “resources” folder is missing. Reinstall the studio.');
  return folder;
}
