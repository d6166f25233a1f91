import { spawn } from 'node:child_process';

type Opener = readonly [command: string, ...args: string[]];

/** Programs that show an address in the default browser, the preferred one first. On WSL that is a browser of Windows. */
function openers(): readonly Opener[] {
  if (process.platform === 'darwin') return [['open']];
  if (process.platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  return process.env.WSL_DISTRO_NAME ? [['wslview'], ['xdg-open']] : [['xdg-open']];
}

/**
 * Shows an address in the user's own browser. Every user of the machine can read it in the list of processes, so it must hold no secret.
 * Where there is no browser, nothing happens: an address was printed too.
 */
export function openInBrowser(url: string, [opener, ...others] = openers()): void {
  if (!opener) return;
  const [command, ...args] = opener;
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => openInBrowser(url, others))
    .unref();
}
