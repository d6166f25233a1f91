import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the `resources` folder relative to a source or a bundle. Throws if it is missing. */
export function resourcesFolder(): string {
  const places = ['../../resources', '../../../resources'].map((path) => join(import.meta.dirname, path));
  const folder = places.find((place) => existsSync(join(place, 'examples')));
  if (folder === undefined) throw new Error('The studio’s “resources” folder is missing. Reinstall the studio.');
  return folder;
}
