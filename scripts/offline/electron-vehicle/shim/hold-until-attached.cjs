/**
 * Holds back `ready`, and with it the first window, until Playwright has attached to the process and calls `__playwright_run`. A window that
 * opens while Playwright attaches can be missed, and `electron.launch` then waits for it forever: one start in ten on two busy cores.
 * Playwright has a script that does the same, but loads it only into Electron's default application, and it also replaces the password store.
 * @param {import('electron').App} app
 */
exports.holdUntilAttached = (app) => {
  const ready = app.whenReady();
  const emit = app.emit.bind(app);
  const { promise: attached, resolve: attach } = Promise.withResolvers();
  let isAttached = false;
  let readyArguments = [];
  app.emit = (event, ...values) => {
    if (event !== 'ready' || isAttached) return emit(event, ...values);
    readyArguments = values;
    return app.listenerCount('ready') > 0;
  };
  app.isReady = () => isAttached;
  app.whenReady = () => attached;
  globalThis.__playwright_run = async () => {
    const launchInfo = await ready;
    isAttached = true;
    attach(launchInfo);
    emit('ready', ...readyArguments);
  };
};
