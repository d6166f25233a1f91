// Electron 25 brought `protocol.handle`, by which the application serves its page; here it is, made of what Electron 22 has.
// Only the vehicle's main process has Electron to mend; its worker threads load this too.
if (process.type === 'browser') {
  // Not a plain `require`, which the bundler would resolve to the npm package.
  const { protocol } = process.mainModule.require('electron');
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
}
