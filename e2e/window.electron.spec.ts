import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { ElectronApplication } from '@playwright/test';
import { contractChecks } from '#shared/contract/contract-checks.ts';
import type { contract } from '#shared/contract/index.ts';
import { windowBridge } from '#shared/contract/window-bridge.ts';
import { bridgedPort } from './fixtures/bridged-port.ts';
import type { StartedElectron } from './fixtures/electron-studio.ts';
import { expect, type StudioUnderTest, test } from './fixtures/studio.ts';
import { repository } from './fixtures/studio-process.ts';

const appOf = (studio: StudioUnderTest): ElectronApplication => (studio.running as StartedElectron).app;

/**
 * Opens a hidden window with the studio's preload at an address and asks for a port there, in the top frame or in a frame
 * of it. Answers whether a call over that port was answered.
 */
function asksForPort(app: ElectronApplication, address: string, inFrame: boolean): Promise<string> {
  return app.evaluate(
    async ({ BrowserWindow }, { address, inFrame, portMessage, preload }) => {
      // A frame gets a preload only by this setting, which the studio's own window does not have.
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegrationInSubFrames: true },
      });
      await window.loadURL(address);
      const ask = `new Promise((resolve) => {
        if (!globalThis.pravah) return resolve('no bridge');
        window.addEventListener('message', ({ data, ports: [port] }) => {
          if (data !== ${JSON.stringify(portMessage)}) return;
          globalThis.kept = port;
          port.onmessage = () => resolve('answered');
          port.postMessage('{"i":"1","p":{"u":"/app/info"}}');
        });
        // The preload cannot even name the origin of a page that has none.
        try { globalThis.pravah.requestPort(); } catch { resolve('silence'); }
        setTimeout(() => resolve('silence'), 1000);
      })`;
      const frame = inFrame ? window.webContents.mainFrame.frames[0] : window.webContents.mainFrame;
      const answer = String(await frame?.executeJavaScript(ask));
      window.destroy();
      return answer;
    },
    { address, inFrame, portMessage: windowBridge.portMessage, preload: `${repository}/out/electron-vehicle/electron/preload.cjs` },
  );
}

/** A page of another program on this machine. */
async function foreignPage(html: string): Promise<{ address: string; close(): void }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

test('the contract holds in a desktop window', async ({ studio }) => {
  const page = await studio.start();
  const client: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port: await bridgedPort(page) }));
  for (const { title, run } of contractChecks) await test.step(title, () => run(client));
});

test('only the top frame of the studio’s own page gets a port', async ({ studio }) => {
  await studio.start();
  const app = appOf(studio);
  expect(await asksForPort(app, 'app://studio/', false)).toBe('answered');
  const foreign = await foreignPage('<p>another program</p>');
  const framing = await foreignPage('<iframe src="app://studio/"></iframe>');
  expect(await asksForPort(app, foreign.address, false)).toBe('silence');
  expect(await asksForPort(app, 'data:text/html,<p>no origin</p>', false)).toBe('silence');
  expect(await asksForPort(app, 'about:blank', false)).toBe('silence');
  expect(await asksForPort(app, `data:text/html,<iframe src="${foreign.address}"></iframe>`, true)).toBe('silence');
  expect(await asksForPort(app, framing.address, true)).not.toBe('answered');
  foreign.close();
  framing.close();
});

test('the page has the browser’s means and one function more', async ({ studio }) => {
  const page = await studio.start();
  const has = await page.evaluate(() => {
    const here = globalThis as unknown as Record<string, object | undefined>;
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in here),
      bridge: Object.keys(here.pravah ?? {}),
    };
  });
  expect(has).toEqual({ node: [], bridge: ['requestPort'] });
  const preferences = await appOf(studio).evaluate(({ BrowserWindow }) => {
    // Electron has this method and documents it nowhere.
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true });
  expect(preferences.webviewTag ?? false).toBe(false);
});

test('the page cannot leave, open windows or host others', async ({ studio }) => {
  const page = await studio.start();
  const foreign = await foreignPage('<p>another program</p>');
  for (const address of [foreign.address, 'file:///etc/passwd', 'data:text/html,x', 'app://other/', 'https://studio/']) {
    await page.evaluate((target) => {
      window.location.href = target;
    }, address);
    const opened = await page.evaluate((target) => window.open(target) === null, address);
    expect(opened, `window.open of ${address} is refused`).toBe(true);
  }
  await page.evaluate((target) => {
    const link = Object.assign(document.createElement('a'), { href: target, target: '_blank' });
    document.body.append(link);
    link.click();
    link.remove();
  }, foreign.address);
  // Asked in the main process: Playwright waits for ever for navigations that were refused.
  const state = await appOf(studio).evaluate(async ({ BrowserWindow }) => {
    const windows = BrowserWindow.getAllWindows();
    const contents = windows[0]?.webContents;
    const probe = `(() => {
      const view = document.createElement('webview');
      document.body.append(view);
      const hostsWebview = 'getWebContentsId' in view;
      view.remove();
      return { host: document.querySelector('[data-beats]').dataset.host, hostsWebview };
    })()`;
    return { windows: windows.length, address: contents?.getURL(), ...(await contents?.executeJavaScript(probe)) };
  });
  expect(state).toEqual({ windows: 1, address: 'app://studio/', host: 'electron', hostsWebview: false });
  foreign.close();
});

test('permissions and devices are refused', async ({ studio }) => {
  const page = await studio.start();
  const answers = await page.evaluate(async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi', 'idle-detection'] as PermissionName[];
    const states = await Promise.all(names.map(async (name) => [name, (await navigator.permissions.query({ name })).state]));
    const asked = await navigator.clipboard.readText().then(
      () => 'granted',
      (error: Error) => error.name,
    );
    return { states: states.filter(([, state]) => state !== 'denied'), asked, notifications: Notification.permission };
  });
  expect(answers).toEqual({ states: [], asked: 'NotAllowedError', notifications: 'denied' });
});

test('the scheme serves the listed files, each with the policy, and nothing else', async ({ studio }) => {
  const page = await studio.start();
  const ask = (address: string) =>
    page.evaluate(async (target) => {
      const answer = await fetch(target).catch(() => null);
      return answer && { status: answer.status, policy: answer.headers.get('content-security-policy') };
    }, address);
  const policy =
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  expect(await ask('app://studio/')).toEqual({ status: 200, policy });
  for (const path of [
    'package.json',
    'files.json',
    '../package.json',
    '%2e%2e/package.json',
    '..%2fpackage.json',
    'assets/../../package.json',
    '/etc/passwd',
    'assets/',
  ]) {
    expect((await ask(`app://studio/${path}`))?.status, path).toBe(404);
  }
});

test('code in text is never run', async ({ studio }) => {
  const page = await studio.start();
  const refused = await page.evaluate(() => {
    const attempts = [
      () => Reflect.construct(Function, ['return 1'])(),
      () => Reflect.apply(Reflect.get(globalThis, 'eval'), undefined, ['1']),
    ];
    const outcome = (attempt: () => unknown) => {
      try {
        attempt();
        return 'ran';
      } catch (error) {
        return (error as Error).name;
      }
    };
    // In a task of its own: what a debugger evaluates may do more than the page.
    return new Promise((resolve) => setTimeout(() => resolve(attempts.map(outcome))));
  });
  expect(refused).toEqual(['EvalError', 'EvalError']);
  await expect.poll(() => studio.forgivePolicyViolations(/script-src/)).toBe(2);
});
