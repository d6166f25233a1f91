// Lies in the vehicle's `resources/app` and starts the build that PRAVAH_ELECTRON_APP names (a folder with a package.json),
// so that one vehicle serves several checkouts. Electron itself takes such a path only with its default application inside.
const { app } = require('electron');
const { join } = require('node:path');

const folder = process.env.PRAVAH_ELECTRON_APP;
if (!folder) {
  console.error('PRAVAH_ELECTRON_APP does not name the folder of a build (out/electron-vehicle).');
  process.exit(2);
}
const description = require(join(folder, 'package.json'));
app.setName(description.name);
app.setVersion(description.version);
app.setAppPath(folder);
require(join(folder, description.main));
