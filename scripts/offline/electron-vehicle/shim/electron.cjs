const { holdUntilAttached } = require('./hold-until-attached.cjs');

// Electron 25 brought `protocol.handle`, by which the application serves its page; here it is, made of what Electron 22 has.
// Only the vehicle's main process has Electron to patch; its worker threads load this too.
if (process.type === 'browser') {
  // Not a plain `require`, which the bundler would resolve to the npm package.
  const { app, protocol, safeStorage } = process.mainModule.require('electron');
  if (process.env.PRAVAH_ELECTRON_HOLD) holdUntilAttached(app);

  protocol.handle ??= (scheme, handler) =>
    protocol.registerBufferProtocol(scheme, async ({ url, method }, answer) => {
      const response = await handler({ url, method });
      const data = Buffer.from(await response.arrayBuffer());
      answer({
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        mimeType: response.headers.get('content-type') ?? '',
        data,
      });
    });

  // Electron 24 brought the name of what seals. Of Chromium 108 it is known by another way: it says that it can seal only where it has
  // a keychain's password, and never with the fixed one.
  safeStorage.getSelectedStorageBackend ??= () => (safeStorage.isEncryptionAvailable() ? 'gnome_libsecret' : 'basic_text');
}
