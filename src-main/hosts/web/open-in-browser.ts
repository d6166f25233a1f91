import { spawn } from 'node:child_process';

type Opener = readonly [command: string, ...args: string[]];

/** Programs that open an address in the default browser, preferred first. On WSL this is the Windows browser. */
function openers(): readonly Opener[] {
  if (process.platform === 'darwin') return [['open']];
  if (process.platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  return process.env.WSL_DISTRO_NAME ? [['wslview'], ['xdg-open']] : [['xdg-open']];
}

/**
 * Opens an address in the user's browser. Every user of the machine can read it in the process list, so it must not contain a secret.
 * Does nothing if there is no browser; the address is also printed.
 */
export function openInBrowser(url: string, [opener, ...others] = openers()): void {
  if (!opener) return;
  const [command, ...args] = opener;
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => openInBrowser(url, others))
    .unref();
}
